package store

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
)

var ctx = context.Background()

func open(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func testRun() Run {
	return Run{
		Spec: "version = 1\n", Kernel: "mul_mm_f16", Family: "matmul", FamilyVersion: "1",
		Problems: []Problem{{plugins.Problem{"m": int64(64), "a": "f16", "scale": 1.0}, 0.75}, {plugins.Problem{"m": int64(8), "a": "f16"}, 0.25}},
		Seed:     1<<63 + 7, Strategy: "random", Mode: plugins.Cold, Gap: plugins.Submit,
		Device: plugins.Device{UUID: "0102", Name: "llvmpipe", DriverID: 13, DriverName: "llvmpipe", DriverVersion: "22.3.6",
			Limits: plugins.Limits{SharedMemory: 32768}},
		ToolVersion: "test", CommandLine: []string{"krisptune", "tune", "spec.toml"},
	}
}

func testArm() Arm {
	return Arm{
		Settings: map[string]string{"HK_PERFTEST": "batch,norobust"}, Environment: []string{"PATH=/bin"}, Removed: []string{"HK_DEBUG=x"},
		Opened: plugins.Opened{Device: testRun().Device, Clock: plugins.GPUTimestamp, ClockReason: "ratio 0.99", Overhead: 1500, CacheBytes: 50 << 20},
	}
}

func testEvaluation(arm int64, i int) Evaluation {
	ns := 1000.0 + float64(i)
	return Evaluation{
		Arm: arm, Config: plugins.Config{"BM": int64(i), "ALPHA": 2.0, "LOOP": "rolled", "PAD": true}, SpaceIndex: int64(i),
		Verdict: plugins.OK, Evidence: plugins.Evidence{Cases: 3, Runs: 9}, Statistics: []plugins.Statistic{{Pass: 0, Name: "Registers", Value: 40}},
		SPIRVSHA256: "ab", GuardVersion: "1", Compile: time.Second, Guard: 2 * time.Second, MedianNS: &ns,
		Comparison: &stats.Comparison{LogRatio: 0.1, Lo: -0.5, Hi: math.Inf(1), Confidence: 0.99, N: 12},
	}
}

// begin makes a run with one arm.
func begin(t *testing.T, s *Store) (run, arm int64) {
	t.Helper()
	run, err := s.BeginRun(ctx, testRun())
	if err != nil {
		t.Fatal(err)
	}
	arm, err = s.PutArm(ctx, run, testArm())
	if err != nil {
		t.Fatal(err)
	}
	return run, arm
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a folder", "results?#%.db")
	s := open(t, path)
	run, arm := begin(t, s)

	race := Race{Kind: stats.Batch, Seed: 1<<63 + 1, Entrants: []Entrant{
		{stats.Baseline, arm, plugins.Config{"BM": int64(64)}}, {stats.Control, arm, plugins.Config{"BM": int64(64)}},
		{stats.Candidate, arm, plugins.Config{"BM": int64(32)}}}}
	id, err := s.BeginRace(ctx, run, race)
	if err != nil {
		t.Fatal(err)
	}
	samples := []Sample{
		{Round: 0, Entrant: 2, Problem: 1, Nanoseconds: 1.5, Repeats: 10, Clock: plugins.GPUTimestamp, Mode: plugins.Hot, Gap: plugins.Dependent, Verdict: plugins.OK},
		{Round: 0, Entrant: 0, Problem: 0, Repeats: 1, Clock: plugins.GPUTimestamp, Mode: plugins.Hot, Gap: plugins.Dependent, Verdict: plugins.Timeout},
	}
	for _, p := range samples {
		if err := s.AppendSamples(ctx, id, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.EndRace(ctx, id, 1, true, []string{"drift"}); err != nil {
		t.Fatal(err)
	}
	evaluations := []Evaluation{testEvaluation(arm, 0), {Arm: arm, Config: plugins.Config{"BM": int64(1)}, Verdict: plugins.Wrong,
		Evidence: plugins.Evidence{Message: "C[0,1] is 3, expected 4"}, Statistics: []plugins.Statistic{}}}
	evaluations[0].Race, evaluations[0].Entrant = id, 2
	for i, e := range evaluations {
		if n, err := s.AppendEvaluations(ctx, run, e); err != nil || n != i {
			t.Fatalf("evaluation %d has number %d, error %v", i, n, err)
		}
	}
	emission := Emission{Format: "toml", Path: "best.toml", SHA256: "cd"}
	if err := s.AppendEmission(ctx, run, emission); err != nil {
		t.Fatal(err)
	}
	result := json.RawMessage(`{"outcome":"better"}`)
	if err := s.FinishRun(ctx, run, Done, "better", result); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = open(t, path)
	got, err := s.Run(ctx, run)
	if err != nil {
		t.Fatal(err)
	}
	want := testRun()
	want.ID, want.SpecHash, want.State, want.Outcome, want.Result = run, SpecHash(want.Spec), Done, "better", result
	anyTime := cmpopts.IgnoreTypes(time.Time{})
	check := func(what string, got, want any) {
		t.Helper()
		if d := cmp.Diff(want, got, anyTime, cmpopts.EquateNaNs(), cmpopts.IgnoreFields(stats.Comparison{}, "Warnings")); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
	check("run", got, want)
	if got.Started.IsZero() || got.Ended.Before(got.Started) {
		t.Errorf("started %v, ended %v", got.Started, got.Ended)
	}
	arms, err := s.Arms(ctx, run)
	a := testArm()
	a.ID = arm
	check("arms", arms, []Arm{a})
	races, err2 := s.Races(ctx, run)
	race.ID, race.Rounds, race.Declared, race.Warnings = id, 1, true, []string{"drift"}
	check("races", races, []Race{race})
	gotSamples, err3 := s.Samples(ctx, id)
	check("samples", gotSamples, samples)
	gotEvaluations, err4 := s.Evaluations(ctx, run)
	evaluations[1].Number = 1
	check("evaluations", gotEvaluations, evaluations)
	emissions, err5 := s.Emissions(ctx, run)
	check("emissions", emissions, []Emission{emission})
	runs, err6 := s.Runs(ctx)
	check("runs", runs, []Run{want})
	if err := errors.Join(err, err2, err3, err4, err5, err6); err != nil {
		t.Error(err)
	}
	if _, err := s.Run(ctx, 99); !errors.Is(err, ErrNoRun) {
		t.Errorf("run 99: %v", err)
	}
}

func TestDefaultPath(t *testing.T) {
	t.Setenv("HOME", "/home/x")
	for state, want := range map[string]string{"/s": "/s/krisptune/results.db", "": "/home/x/.local/state/krisptune/results.db",
		"relative": "/home/x/.local/state/krisptune/results.db"} {
		t.Setenv("XDG_STATE_HOME", state)
		if got, err := DefaultPath(); err != nil || got != want {
			t.Errorf("XDG_STATE_HOME=%q: %q, %v, expected %q", state, got, err, want)
		}
	}
}

func TestDurabilitySettings(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "r.db"))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "30000", "foreign_keys": "1", "trusted_schema": "0"} {
		var got string
		if err := s.db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %q, %v, expected %s", pragma, got, err, want)
		}
	}
	info, err := os.Stat(s.Path() + ".lock")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("lock file: %v, %v", info, err)
	}
}

// A file that is refused keeps every byte.
func TestRefusesAndKeeps(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.db")
	s := open(t, good)
	run, arm := begin(t, s)
	for i := 0; i < 400; i++ {
		if _, err := s.AppendEvaluations(ctx, run, testEvaluation(arm, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	bytes, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	garbled := append([]byte(nil), bytes...)
	for i := 8192; i < len(garbled)-4096; i++ {
		garbled[i] ^= 0x5a
	}
	damaged := func(err error) bool { var e *DamagedError; return errors.As(err, &e) }
	for _, c := range []struct {
		name    string
		content []byte
		is      func(error) bool
		says    string
	}{
		{"text", []byte("my thesis, the only copy"), damaged, "left as it is"},
		{"long text", []byte(strings.Repeat("my thesis, the only copy\n", 1000)), damaged, "left as it is"},
		{"truncated", bytes[:len(bytes)/2], damaged, "damaged"},
		{"garbled", garbled, damaged, "damaged"},
		{"newer", withInt(bytes, 60, 99), func(err error) bool { var e *NewerError; return errors.As(err, &e) && e.Version == 99 }, "newer krisptune"},
		{"foreign", withInt(bytes, 68, 1), func(err error) bool { var e *ForeignError; return errors.As(err, &e) }, "another program"},
	} {
		path := filepath.Join(dir, c.name+".db")
		if err := os.WriteFile(path, c.content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path)
		if err == nil {
			s.Close()
		}
		if err == nil || !c.is(err) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", c.name, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(c.content) {
			t.Errorf("%s: the file changed (%v)", c.name, err)
		}
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "regular file") {
		t.Errorf("a folder: %v", err)
	}
	empty := filepath.Join(dir, "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	begin(t, open(t, empty))
}

// withInt sets a big-endian field of the database header.
func withInt(b []byte, at int, v byte) []byte {
	c := append([]byte(nil), b...)
	c[at], c[at+1], c[at+2], c[at+3] = 0, 0, 0, v
	return c
}

func TestMigrationsAreForwardOnly(t *testing.T) {
	texts, err := migrations()
	if err != nil || len(texts) == 0 {
		t.Fatal(texts, err)
	}
	s := open(t, filepath.Join(t.TempDir(), "r.db"))
	var version int
	if err := s.db.QueryRow("PRAGMA user_version").Scan(&version); err != nil || version != len(texts) {
		t.Errorf("version %d, %v, expected %d", version, err, len(texts))
	}
	begin(t, s)
	if err := s.migrate(ctx); err != nil {
		t.Errorf("a second time: %v", err)
	}
	if runs, err := s.Runs(ctx); err != nil || len(runs) != 1 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}
