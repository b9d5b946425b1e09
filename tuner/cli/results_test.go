package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
	"github.com/krisptune/krisptune/tuner/store"
)

// command runs one command line.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err strings.Builder
	code = Run(t.Context(), args, nil, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// resultFile holds one run with one evaluation of each verdict, one of them timed.
func resultFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results.db")
	s, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx := context.Background()
	device := plugins.Device{UUID: "01", Name: "a\x1b[31mred", DriverName: "fake", DriverVersion: "1.0"}
	run, err := s.BeginRun(ctx, store.Run{Spec: "version = 1\n", Kernel: "axpy", Family: "fake", FamilyVersion: "1", Seed: 3, Strategy: "random", Mode: plugins.Hot, Gap: plugins.Dependent,
		Problems: []store.Problem{{Problem: plugins.Problem{"n": int64(64)}, Weight: 1}}, Device: device, ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	arm, err := s.PutArm(ctx, run, store.Arm{Opened: plugins.Opened{Device: device, Clock: plugins.HostBatch, Overhead: 1500}})
	if err != nil {
		t.Fatal(err)
	}
	config := plugins.Config{"BLOCK": int64(64)}
	race, err := s.BeginRace(ctx, run, store.Race{Kind: stats.Batch, Entrants: []store.Entrant{{Role: stats.Candidate, Arm: arm, Config: config}}})
	if err != nil {
		t.Fatal(err)
	}
	for round := range 4 {
		sample := store.Sample{Round: round, Nanoseconds: 2000, Repeats: 5, Clock: plugins.HostBatch, Mode: plugins.Hot, Gap: plugins.Dependent, Verdict: plugins.OK}
		if err := s.AppendSamples(ctx, race, sample); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.EndRace(ctx, race, 4, false, []string{"the baseline became 9% slower"}); err != nil {
		t.Fatal(err)
	}
	for i, v := range plugins.Verdicts {
		e := store.Evaluation{Arm: arm, Config: plugins.Config{"BLOCK": int64(64 + i)}, Verdict: v}
		if v == plugins.OK {
			median := 2000.0
			e.Race, e.MedianNS, e.Comparison = race, &median, &stats.Comparison{LogRatio: 0.1, Lo: 0.05, Hi: 0.2, N: 4, Confidence: 0.95}
		}
		if _, err := s.AppendEvaluations(ctx, run, e); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.FinishRun(ctx, run, store.Done, "better", json.RawMessage(`{"outcome": "better"}`)); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRuns(t *testing.T) {
	db := resultFile(t)
	code, out, stderr := command(t, "runs", "--db", db)
	if code != exitDone || !strings.Contains(out, "axpy") || !strings.Contains(out, "better") || strings.Contains(out, "\x1b") {
		t.Errorf("exit %d: %q %s", code, out, stderr)
	}
	code, out, _ = command(t, "runs", "--db", db, "--json")
	var runs []struct {
		ID      int64  `json:"id"`
		Outcome string `json:"outcome"`
	}
	if err := json.Unmarshal([]byte(out), &runs); code != exitDone || err != nil || len(runs) != 1 || runs[0].ID != 1 || runs[0].Outcome != "better" {
		t.Errorf("exit %d, %v: %s", code, err, out)
	}
}

func TestShow(t *testing.T) {
	db := resultFile(t)
	code, out, stderr := command(t, "show", "1", "--db", db)
	for _, want := range []string{"1: done, better", "1.105", "BLOCK=64", "1 ok, 1 invalid", "host_batch, empty dispatch 1.5µs", "became 9% slower"} {
		if code != exitDone || !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in\n%s%s", code, want, out, stderr)
		}
	}
	code, out, _ = command(t, "show", "1", "--db", db, "--json")
	var doc struct {
		Run         struct{ Seed uint64 }
		Arms        []any
		Evaluations []struct{ Verdict string }
		Races       []struct{ Rounds int }
		Emissions   []any
	}
	if err := json.Unmarshal([]byte(out), &doc); code != exitDone || err != nil || doc.Run.Seed != 3 || len(doc.Arms) != 1 ||
		len(doc.Evaluations) != len(plugins.Verdicts) || len(doc.Races) != 1 || doc.Races[0].Rounds != 4 || doc.Emissions == nil {
		t.Errorf("exit %d, %v: %+v", code, err, doc)
	}
}

func TestExport(t *testing.T) {
	db := resultFile(t)
	for format, want := range map[string]string{"jsonl": `"type":"sample"`, "csv": "param.BLOCK", "t4": `"schema_version"`, "gobench": "Benchmarkaxpy/BLOCK=64 5 2000 ns/op"} {
		code, out, stderr := command(t, "export", "1", "--db", db, "--format", format)
		if code != exitDone || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, no %q in\n%s%s", format, code, want, out, stderr)
		}
	}
	_, out, _ := command(t, "export", "1", "--db", db, "--format", "gobench")
	r, n := benchfmt.NewReader(strings.NewReader(out), "export"), 0
	for r.Scan() {
		if _, ok := r.Result().(*benchfmt.Result); ok {
			n++
		}
	}
	if r.Err() != nil || n != 4 {
		t.Errorf("benchfmt reads %d samples, %v; want 4", n, r.Err())
	}
}

func TestResultsRefuse(t *testing.T) {
	db := resultFile(t)
	absent := filepath.Join(t.TempDir(), "absent.db")
	for _, test := range []struct {
		says string
		args []string
	}{
		{"no run 99 in", []string{"show", "99", "--db", db}},
		{"no run 99 in", []string{"export", "99", "--db", db}},
		{`run "x", expected a number`, []string{"show", "x", "--db", db}},
		{`"xml", expected one of jsonl, csv, t4, gobench`, []string{"export", "1", "--db", db, "--format", "xml"}},
		{"there is no result database", []string{"runs", "--db", absent}},
		{"accepts 1 arg", []string{"show", "--db", db}},
	} {
		code, out, stderr := command(t, test.args...)
		if code != exitUsage || out != "" || !strings.Contains(stderr, test.says) {
			t.Errorf("%v: exit %d, %q %q; want exit 2 and %q", test.args, code, out, stderr, test.says)
		}
	}
	if _, err := os.Stat(absent); err == nil {
		t.Error("looking made a file")
	}
}
