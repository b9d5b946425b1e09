package store

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
)

// With KRISPTUNE_TEST_WRITER set, the test binary is a tuner at work on that file.
func TestMain(m *testing.M) {
	if path := os.Getenv("KRISPTUNE_TEST_WRITER"); path != "" {
		n, _ := strconv.Atoi(os.Getenv("KRISPTUNE_TEST_EVALUATIONS"))
		if err := writer(path, n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writer resumes the latest unfinished run or begins one, and evaluates up to n configurations,
// saying each on stdout once it is stored.
func writer(path string, n int) error {
	s, err := Open(path)
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := s.LatestUnfinished(ctx, testKey())
	if err == nil {
		err = s.ResumeRun(ctx, r.ID)
	}
	if errors.Is(err, ErrNoRun) || errors.Is(err, ErrRunning) {
		r.ID, err = s.BeginRun(ctx, testRun())
	}
	if err != nil {
		return err
	}
	arm, err := s.PutArm(ctx, r.ID, testArm())
	if err != nil {
		return err
	}
	done, err := s.Evaluations(ctx, r.ID)
	if err != nil {
		return err
	}
	for i := len(done); i < n; i++ {
		race, err := s.BeginRace(ctx, r.ID, Race{Kind: stats.Batch, Entrants: []Entrant{{stats.Candidate, arm, plugins.Config{"BM": int64(i)}}}})
		if err != nil {
			return err
		}
		samples := make([]Sample, 20)
		for j := range samples {
			samples[j] = Sample{Round: j, Nanoseconds: float64(i), Repeats: 1, Clock: plugins.GPUTimestamp, Mode: plugins.Hot, Gap: plugins.Dependent, Verdict: plugins.OK}
		}
		if err := s.AppendSamples(ctx, race, samples...); err != nil {
			return err
		}
		e := testEvaluation(arm, i)
		e.Race = race
		number, err := s.AppendEvaluations(ctx, r.ID, e)
		if err != nil {
			return err
		}
		if number != i {
			return fmt.Errorf("evaluation %d was numbered %d", i, number)
		}
		fmt.Println("stored", r.ID, i)
	}
	if err := s.FinishRun(ctx, r.ID, Done, "", nil); err != nil {
		return err
	}
	fmt.Println("finished", r.ID)
	return nil
}

func startWriter(t *testing.T, path string, n int) (*exec.Cmd, *bufio.Scanner, *strings.Builder) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "KRISPTUNE_TEST_WRITER="+path, "KRISPTUNE_TEST_EVALUATIONS="+strconv.Itoa(n))
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, bufio.NewScanner(out), &stderr
}

func integrity(t *testing.T, s *Store) {
	t.Helper()
	var check string
	if err := s.db.QueryRow("PRAGMA integrity_check").Scan(&check); err != nil || check != "ok" {
		t.Errorf("integrity_check: %s, %v", check, err)
	}
}

// Two tuners start on one new file at the same moment and work to the end.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "r.db")
	const n = 200
	type proc struct {
		*exec.Cmd
		stderr *strings.Builder
	}
	var procs []proc
	for i := 0; i < 2; i++ {
		c, _, stderr := startWriter(t, path, n)
		procs = append(procs, proc{c, stderr})
	}
	for _, p := range procs {
		if err := p.Wait(); err != nil {
			t.Errorf("%v: %s", err, p.stderr)
		}
	}
	s := open(t, path)
	integrity(t, s)
	runs, err := s.Runs(ctx)
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v, expected one of each process", len(runs), err)
	}
	for _, r := range runs {
		all, err := s.Evaluations(ctx, r.ID)
		if err != nil || len(all) != n || r.State != Done {
			t.Errorf("run %d: %d evaluations, %v, %v", r.ID, len(all), r.State, err)
		}
	}
}

// A writer is killed at random moments and started again; nothing that it said may be missing.
// KRISPTUNE_TEST_KILLS sets how many times.
func TestKill(t *testing.T) {
	kills := 12
	if text := os.Getenv("KRISPTUNE_TEST_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	path := filepath.Join(t.TempDir(), "r.db")
	last := map[string]int{} // run to its last evaluation said
	for i := 0; i < kills; i++ {
		c, out, stderr := startWriter(t, path, 1<<30)
		// Some die while the file is made or opened, most at work.
		time.AfterFunc(time.Duration(rng.IntN(150))*time.Millisecond, func() { c.Process.Kill() })
		for out.Scan() {
			var run string
			var number int
			if _, err := fmt.Sscanf(out.Text(), "stored %s %d", &run, &number); err != nil {
				break // cut off by the kill
			}
			last[run] = number
		}
		c.Wait()
		if stderr.Len() > 0 {
			t.Fatalf("kill %d: %s", i, stderr)
		}
	}
	s := open(t, path)
	integrity(t, s)
	runs, err := s.Runs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, r := range runs {
		all, err := s.Evaluations(ctx, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		said, ok := last[strconv.FormatInt(r.ID, 10)]
		if ok && len(all) <= said {
			t.Errorf("run %d holds %d evaluations, number %d was reported", r.ID, len(all), said)
		}
		for i, e := range all {
			if e.Number != i {
				t.Errorf("run %d: evaluation %d is numbered %d", r.ID, i, e.Number)
			}
			if samples, err := s.Samples(ctx, e.Race); err != nil || len(samples) != 20 {
				t.Errorf("run %d: evaluation %d has %d samples, %v", r.ID, i, len(samples), err)
			}
		}
		total += len(all)
	}
	// Every start after the first resumed: one run, however often its process died.
	if len(runs) > 1 {
		t.Errorf("%d runs, expected the first to be resumed", len(runs))
	}
	if total == 0 && len(last) > 0 {
		t.Error("everything is lost")
	}
	t.Logf("%d kills, %d runs, %d evaluations", kills, len(runs), total)
}
