package store

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/krisptune/krisptune/plugins"
)

func testKey() ResumeKey {
	r := testRun()
	return ResumeKey{SpecHash: SpecHash(r.Spec), Strategy: r.Strategy, Mode: r.Mode, Gap: r.Gap, Seed: r.Seed,
		DeviceUUID: r.Device.UUID, DriverID: r.Device.DriverID, DriverVersion: r.Device.DriverVersion}
}

func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.db")
	first, second := open(t, path), open(t, path)
	run, arm := begin(t, first)
	if _, err := first.AppendEvaluations(ctx, run, testEvaluation(arm, 0), testEvaluation(arm, 1)); err != nil {
		t.Fatal(err)
	}
	// While the first works on it, the second must leave it alone.
	if _, err := second.LatestUnfinished(ctx, testKey()); !errors.Is(err, ErrNoRun) {
		t.Errorf("a run at work: %v", err)
	}
	if err := second.ResumeRun(ctx, run); !errors.Is(err, ErrRunning) {
		t.Errorf("resume a run at work: %v", err)
	}
	if r, err := second.Run(ctx, run); err != nil || r.State != Running {
		t.Errorf("state %v, %v", r.State, err)
	}
	if r, err := first.Run(ctx, run); err != nil || r.State != Running {
		t.Errorf("state seen by its own store %v, %v", r.State, err)
	}
	// The first dies.
	first.Close()
	got, err := second.LatestUnfinished(ctx, testKey())
	if err != nil || got.ID != run || got.State != Interrupted {
		t.Fatalf("run %d is %v, %v", got.ID, got.State, err)
	}
	for name, change := range map[string]func(*ResumeKey){
		"spec": func(k *ResumeKey) { k.SpecHash = "" }, "strategy": func(k *ResumeKey) { k.Strategy = "anneal" },
		"seed": func(k *ResumeKey) { k.Seed++ }, "device": func(k *ResumeKey) { k.DeviceUUID = "ff" },
		"driver": func(k *ResumeKey) { k.DriverID++ }, "driver version": func(k *ResumeKey) { k.DriverVersion = "23" },
	} {
		k := testKey()
		change(&k)
		if _, err := second.LatestUnfinished(ctx, k); !errors.Is(err, ErrNoRun) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if err := second.ResumeRun(ctx, run); err != nil {
		t.Fatal(err)
	}
	// An arm that is opened again is the same arm.
	if again, err := second.PutArm(ctx, run, testArm()); err != nil || again != arm {
		t.Errorf("arm %d, %v, expected %d", again, err, arm)
	}
	if n, err := second.AppendEvaluations(ctx, run, testEvaluation(arm, 2)); err != nil || n != 2 {
		t.Errorf("number %d, %v", n, err)
	}
	all, err := second.Evaluations(ctx, run)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d evaluations, %v", len(all), err)
	}
	for i, e := range all {
		if e.Number != i || e.SpaceIndex != int64(i) {
			t.Errorf("evaluation %d: %+v", i, e)
		}
	}
	if err := second.FinishRun(ctx, run, Interrupted, "", nil); err != nil {
		t.Fatal(err)
	}
	if r, err := second.LatestUnfinished(ctx, testKey()); err != nil || r.ID != run {
		t.Errorf("interrupted: %v", err)
	}
	if err := second.FinishRun(ctx, run, Done, "none-passed", nil); err != nil {
		t.Fatal(err)
	}
	if err := second.ResumeRun(ctx, run); err == nil {
		t.Error("a run that is done was resumed")
	}
	if err := second.ResumeRun(ctx, 99); !errors.Is(err, ErrNoRun) {
		t.Errorf("run 99: %v", err)
	}
	if err := second.FinishRun(ctx, 99, Done, "", nil); !errors.Is(err, ErrNoRun) {
		t.Errorf("run 99: %v", err)
	}
}

func TestVerdictsAreReused(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "r.db"))
	run, _ := begin(t, s)
	key := VerdictKey{Family: "matmul", FamilyVersion: "1", BuildSHA256: "ab", Config: plugins.Config{"BM": int64(64)},
		Problems: []plugins.Problem{{"m": int64(8)}, {"m": int64(9)}}, DeviceUUID: "01", DriverID: 13, DriverVersion: "22", GuardVersion: "1"}
	if _, ok, err := s.Verdict(ctx, key); ok || err != nil {
		t.Fatal(ok, err)
	}
	want := KnownVerdict{Verdict: plugins.Wrong, Evidence: plugins.Evidence{Message: "bad", First: &plugins.Mismatch{Got: "NaN"}},
		Statistics: []plugins.Statistic{{Name: "Spills", Value: 3}}, Run: run}
	for _, old := range []plugins.Verdict{plugins.OK, plugins.Wrong} {
		v := want
		v.Verdict = old
		if err := s.PutVerdict(ctx, run, key, v); err != nil {
			t.Fatal(err)
		}
	}
	got, ok, err := s.Verdict(ctx, key)
	if d := cmp.Diff(want, got); !ok || err != nil || d != "" {
		t.Errorf("%v %v\n%s", ok, err, d)
	}
	for name, change := range map[string]func(*VerdictKey){
		"family": func(k *VerdictKey) { k.Family = "gemv" }, "family version": func(k *VerdictKey) { k.FamilyVersion = "2" },
		"build": func(k *VerdictKey) { k.BuildSHA256 = "cd" }, "configuration": func(k *VerdictKey) { k.Config = plugins.Config{"BM": int64(32)} },
		"problem": func(k *VerdictKey) { k.Problems = k.Problems[:1] }, "device": func(k *VerdictKey) { k.DeviceUUID = "02" },
		"driver": func(k *VerdictKey) { k.DriverID++ }, "driver version": func(k *VerdictKey) { k.DriverVersion = "23" },
		"arm": func(k *VerdictKey) { k.Settings = map[string]string{"A": "1"} }, "guard": func(k *VerdictKey) { k.GuardVersion = "2" },
	} {
		k := key
		change(&k)
		if _, ok, err := s.Verdict(ctx, k); ok || err != nil {
			t.Errorf("another %s: found %v, %v", name, ok, err)
		}
	}
	key.BuildSHA256 = "crashes"
	if err := s.PutVerdict(ctx, run, key, KnownVerdict{Verdict: plugins.Crash}); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := s.Verdict(ctx, key); ok {
		t.Error("a crash was kept for later runs")
	}
}

func TestDeathsAreCounted(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "r.db"))
	first, _ := begin(t, s)
	second, _ := begin(t, s)
	key := VerdictKey{Family: "matmul", BuildSHA256: "ab", Config: plugins.Config{"BM": int64(64)}, Problems: []plugins.Problem{{"m": int64(8)}}}
	other := key
	other.Settings = map[string]string{"A": "1"}
	for i, run := range []int64{first, second, second} {
		v := plugins.Crash
		if i == 2 {
			v = plugins.Timeout
		}
		if err := s.AppendDeath(ctx, run, key, v, plugins.Evidence{Message: string(rune('a' + i))}); err != nil {
			t.Fatal(err)
		}
	}
	for run, want := range map[int64]int{0: 3, first: 1, second: 2} {
		n, v, e, err := s.Deaths(ctx, run, key)
		if last := map[int64]string{0: "c", first: "a", second: "c"}[run]; n != want || e.Message != last || err != nil {
			t.Errorf("run %d: %d deaths, %s %q, %v; want %d and %q", run, n, v, e.Message, err, want, last)
		}
	}
	if n, _, _, err := s.Deaths(ctx, 0, other); n != 0 || err != nil {
		t.Errorf("another arm: %d deaths, %v", n, err)
	}
}

func TestPriors(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "r.db"))
	old, oldArm := begin(t, s)
	bad := testEvaluation(oldArm, 1)
	bad.Verdict, bad.Comparison = plugins.Wrong, nil
	if _, err := s.AppendEvaluations(ctx, old, testEvaluation(oldArm, 0), bad); err != nil {
		t.Fatal(err)
	}
	updated := testRun()
	updated.Device.DriverVersion = "26"
	run, err := s.BeginRun(ctx, updated)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Priors(ctx, run)
	want := []Prior{{Config: testEvaluation(0, 0).Config, Settings: testArm().Settings, LogRatio: 0.1, Run: old}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
	other := testRun()
	other.Device.UUID = "0999"
	if run, err = s.BeginRun(ctx, other); err != nil {
		t.Fatal(err)
	}
	want[0].Elsewhere = true
	got, err = s.Priors(ctx, run)
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("on another device: %v\n%s", err, d)
	}
	if got, err := s.Priors(ctx, old); err != nil || len(got) != 0 {
		t.Errorf("the first run has priors %v, %v", got, err)
	}
	other = testRun()
	other.Problems = other.Problems[:1]
	if run, err = s.BeginRun(ctx, other); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Priors(ctx, run); err != nil || len(got) != 0 {
		t.Errorf("other problems: %v, %v", got, err)
	}
}
