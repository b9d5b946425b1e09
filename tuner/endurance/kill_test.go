package endurance

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krisptune/krisptune/tuner/store"
)

// killEvaluations is the budget of a run: small, so that kills meet every stage of it.
const killEvaluations = 6

// killSpec is a run on a matmul of that many rows: with other rows, nothing of an earlier run
// is known.
const killSpec = `version = 1
[kernel]
family = "matmul"
name = "killed"
[[problem]]
m = %d
n = 32
k = 32
a = "f32"
b = "f32"
acc = "f32"
[params]
BM = [32, 64]
BN = [32, 64]
[search]
strategy = "random"
budget = "%d"
`

// A tuning run is killed with SIGKILL at random moments, from its start to past its end, and
// resumed each time. Nothing that was in the file or on standard output may be missing or
// changed later, and no child may outlive the killed process by a second.
//
// KRISPTUNE_TEST_KILLS sets how many kills there are.
func TestKill(t *testing.T) {
	kills := count(t, "KRISPTUNE_TEST_KILLS", 3)
	k := &killed{path: program(t), folder: t.TempDir(), known: map[string]string{}, results: map[int64]string{}}
	k.db = filepath.Join(k.folder, "results.db")
	// How long a whole run takes here, the driver's cache being cold.
	start := time.Now()
	k.run(t, 0)
	whole := time.Since(start)
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	died, survived := 0, 0
	for died < kills {
		after := time.Duration(rng.Float64() * float64(whole))
		if k.run(t, max(after, time.Millisecond)) {
			died++
		} else if survived++; survived > 10*(kills+10) {
			t.Fatalf("%d runs ended before they were killed, %d kills met one", survived, died)
		}
		k.look(t, fmt.Sprintf("kill %d after %v", died, after.Round(time.Millisecond)))
	}
	k.run(t, 0)
	k.look(t, "the end")
	finished := k.finished(t)
	t.Logf("%d kills of a run of %v: %d runs, %d finished; %d evaluations, %d samples, all there; integrity_check ok",
		died, whole.Round(10*time.Millisecond), k.runs, finished, k.evaluations, k.samples)
}

type killed struct {
	path, folder, db           string
	known                      map[string]string // rows by name, as first seen
	results                    map[int64]string  // by run, as printed
	runs, evaluations, samples int
}

// run resumes the tuning run, or begins one, and kills it after a time if that is not 0. It
// reports whether the process was killed before it ended by itself.
func (k *killed) run(t *testing.T, after time.Duration) (died bool) {
	t.Helper()
	spec := filepath.Join(k.folder, "spec.toml")
	if err := os.WriteFile(spec, fmt.Appendf(nil, killSpec, 32+len(k.results), killEvaluations), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if after > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, after)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, k.path, "tune", spec, "--resume", "--json",
		"--db", k.db, "--out", filepath.Join(k.folder, "out"))
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(k.folder, "cache"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run() // Cancel is SIGKILL
	if ctx.Err() == nil && err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	for limit := time.Now().Add(time.Second); len(processes(k.path)) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("a second after the kill, processes %v live", processes(k.path))
		}
	}
	if err == nil {
		k.results[k.latest(t)] = stdout.String()
	}
	return err != nil
}

// latest is the number of the newest run.
func (k *killed) latest(t *testing.T) int64 {
	t.Helper()
	s, err := store.Open(k.db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	runs, err := s.Runs(t.Context())
	if err != nil || len(runs) == 0 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	return runs[len(runs)-1].ID
}

// look reads the whole file and holds it against what was seen before.
func (k *killed) look(t *testing.T, when string) {
	t.Helper()
	db, err := sql.Open("sqlite", k.db)
	if err != nil {
		t.Fatal(err)
	}
	var check string
	err = db.QueryRow("PRAGMA integrity_check").Scan(&check)
	if db.Close(); err != nil || check != "ok" {
		t.Fatalf("%s: integrity_check: %q, %v", when, check, err)
	}
	s, err := store.Open(k.db)
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	defer s.Close()
	runs, err := s.Runs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	note := func(name string, row any) {
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		seen[name] = string(text)
	}
	k.runs, k.evaluations, k.samples = len(runs), 0, 0
	for _, r := range runs {
		evaluations, err1 := s.Evaluations(t.Context(), r.ID)
		races, err2 := s.Races(t.Context(), r.ID)
		emissions, err3 := s.Emissions(t.Context(), r.ID)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatalf("%s: run %d: %v, %v, %v", when, r.ID, err1, err2, err3)
		}
		configs := map[string]bool{}
		for i, e := range evaluations {
			if e.Number != i || configs[e.Config.String()] {
				t.Errorf("%s: run %d: evaluation %d is numbered %d, or %s was evaluated twice", when, r.ID, i, e.Number, e.Config)
			}
			configs[e.Config.String()] = true
			note(fmt.Sprintf("run %d evaluation %d", r.ID, i), []any{e.Config.String(), e.Verdict, e.Race, e.MedianNS, e.Finished})
			if e.MedianNS != nil && e.Race == 0 {
				t.Errorf("%s: run %d: evaluation %d has a time and no race", when, r.ID, i)
			}
		}
		k.evaluations += len(evaluations)
		for _, race := range races {
			if race.Ended.IsZero() {
				continue // it was running when the process died
			}
			samples, err := s.Samples(t.Context(), race.ID)
			if err != nil || len(samples) == 0 {
				t.Errorf("%s: run %d: race %d ended with %d samples, %v", when, r.ID, race.ID, len(samples), err)
			}
			note(fmt.Sprintf("race %d", race.ID), []any{race.Rounds, race.Declared, samples})
			k.samples += len(samples)
		}
		for i, m := range emissions {
			note(fmt.Sprintf("run %d emission %d", r.ID, i), m)
		}
		if text, ok := k.results[r.ID]; ok {
			var printed, stored any
			if err := json.Unmarshal([]byte(text), &printed); err != nil {
				t.Fatalf("%s: run %d printed %q: %v", when, r.ID, text, err)
			}
			if err := json.Unmarshal(r.Result, &stored); err != nil || r.State != store.Done {
				t.Errorf("%s: run %d printed a result and is %s, %v", when, r.ID, r.State, err)
			}
			if d := cmp.Diff(printed, stored); d != "" {
				t.Errorf("%s: run %d printed another result than it stored:\n%s", when, r.ID, d)
			}
		}
	}
	for name, row := range k.known {
		if got, ok := seen[name]; !ok || got != row {
			t.Errorf("%s: %s was %s and is %q", when, name, row, got)
		}
	}
	k.known = seen
}

// finished counts the runs that came to their end, and checks that they evaluated all that they
// were to.
func (k *killed) finished(t *testing.T) int {
	t.Helper()
	s, err := store.Open(k.db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	runs, err := s.Runs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range runs {
		evaluations, err := s.Evaluations(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		if r.State == store.Done {
			n++
			if len(evaluations) != killEvaluations {
				t.Errorf("run %d is done after %d evaluations, want %d", r.ID, len(evaluations), killEvaluations)
			}
		} else if r.State != store.Interrupted {
			t.Errorf("run %d is %s", r.ID, r.State)
		}
	}
	if n == 0 || len(runs)-n > 0 {
		t.Errorf("%d of %d runs came to their end, want all: each was resumed", n, len(runs))
	}
	return n
}
