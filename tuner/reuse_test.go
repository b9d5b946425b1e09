package tuner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner/emit"
	"github.com/krisptune/krisptune/tuner/store"
)

// The second run's runner refuses everything that it is asked to check: only verdicts of the
// first let candidates pass.
func TestVerdictsAreReusedAcrossRuns(t *testing.T) {
	db := filepath.Join(t.TempDir(), "results.db")
	if _, _, err := tune(t, t.Context(), "one-fast", fakeSpec, &quiet{}, TuneOptions{}, db); err != nil {
		t.Fatal(err)
	}
	_, r, err := tune(t, t.Context(), "all-wrong", fakeSpec, &quiet{}, TuneOptions{}, db)
	if err != nil || r.Verdicts[plugins.OK] != 15 || r.VerdictsReused != 15 {
		t.Errorf("%+v, %v; want 15 verdicts of the first run", r, err)
	}
	_, r, err = tune(t, t.Context(), "all-wrong", fakeSpec, &quiet{}, TuneOptions{Fresh: true}, db)
	if !errors.Is(err, ErrNothingPassed) || r.VerdictsReused != 0 || r.Verdicts[plugins.Unwritten] != 15 {
		t.Errorf("with Fresh: %+v, %v; want nothing to pass", r, err)
	}
	// The newest verdict holds.
	_, r, err = tune(t, t.Context(), "one-fast", fakeSpec, &quiet{}, TuneOptions{}, db)
	if !errors.Is(err, ErrNothingPassed) || r.VerdictsReused != 15 {
		t.Errorf("after Fresh: %+v, %v; want 15 rejections of the third run", r, err)
	}
	// Another problem is another matter.
	other := strings.Replace(fakeSpec, "n = 1000", "n = 1001", 1)
	_, r, err = tune(t, t.Context(), "one-fast", other, &quiet{}, TuneOptions{}, db)
	if err != nil || r.VerdictsReused != 0 || r.Verdicts[plugins.OK] != 15 {
		t.Errorf("another problem: %+v, %v", r, err)
	}
}

// The Khronos layer objects to more than the guard does: verdicts with and without it do not
// stand for each other.
func TestValidationVerdictsStayApart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.db")
	for i, truth := range []string{"one-fast", "all-wrong", "one-fast"} {
		s, db := session(t, t.Context(), truth, fakeSpec, &quiet{}, path)
		s.validate = i == 1
		r, err := s.Tune(t.Context(), db, TuneOptions{SpecText: fakeSpec, Out: t.TempDir()})
		if s.validate && (!errors.Is(err, ErrNothingPassed) || r.VerdictsReused != 0) || !s.validate && (err != nil || r.Verdicts[plugins.OK] != 15) {
			t.Errorf("run %d: %+v, %v", i+1, r, err)
		}
	}
}

// What passed the guard and failed when it was timed does not pass in the next run.
func TestFailuresWhenTimedAreRemembered(t *testing.T) {
	db := filepath.Join(t.TempDir(), "results.db")
	_, r, err := tune(t, t.Context(), "wrong-when-timed", fakeSpec, &quiet{}, TuneOptions{}, db)
	if err != nil || r.Verdicts[plugins.Wrong] != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	_, r, err = tune(t, t.Context(), "all-equal", fakeSpec, &quiet{}, TuneOptions{}, db)
	if err != nil || r.Verdicts[plugins.Wrong] != 1 || r.VerdictsReused != 15 {
		t.Errorf("%+v, %v; want the rejection of the first run", r, err)
	}
}

func TestKillersAreNotTriedAThirdTime(t *testing.T) {
	tally := filepath.Join(t.TempDir(), "tally")
	t.Setenv("FAKE_TALLY", tally)
	victims := func() int {
		data, err := os.ReadFile(tally)
		if err != nil {
			t.Fatal(err)
		}
		pids := strings.Fields(string(data))
		slices.Sort(pids)
		return len(slices.Compact(pids))
	}
	db := filepath.Join(t.TempDir(), "results.db")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stop := &quiet{after: func(n int) {
		if n == 8 {
			cancel()
		}
	}}
	if _, _, err := tune(t, ctx, "killer", fakeSpec, stop, TuneOptions{}, db); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	before := victims()
	if before > 2 {
		t.Fatalf("%d processes saw the killer in the first run", before)
	}
	for _, opts := range []TuneOptions{{Resume: true}, {}, {}} {
		_, r, err := tune(t, t.Context(), "killer", fakeSpec, &quiet{}, opts, db)
		if err != nil || r.Verdicts[plugins.Crash] != 1 || r.Verdicts[plugins.OK] != 14 {
			t.Fatalf("%+v, %v", r, err)
		}
		if n := victims(); n != 2 {
			t.Errorf("resume %v: %d processes saw the killer so far, want 2", opts.Resume, n)
		}
	}
}

// One death before the process was killed and one after are two.
func TestDeathsSurviveTheProcess(t *testing.T) {
	t.Setenv("FAKE_TALLY", filepath.Join(t.TempDir(), "tally"))
	path := filepath.Join(t.TempDir(), "results.db")
	s, db := session(t, t.Context(), "killer", fakeSpec, &quiet{}, path)
	s.store = db
	if err := s.newRun(t.Context(), fakeSpec, "auto", nil); err != nil {
		t.Fatal(err)
	}
	c := &candidate{id: "killer", config: plugins.Config{"BLOCK": int64(32), "UNROLL": int64(2)}}
	if err := s.build(t.Context(), []*candidate{c}); err != nil {
		t.Fatal(err)
	}
	if err := s.recall(t.Context(), []*candidate{c}); err != nil || c.rejected() {
		t.Fatal(c.verdict, err)
	}
	for range 2 {
		if err := s.bury(t.Context(), c, errors.New("it died"), "guard", false); err != nil {
			t.Fatal(err)
		}
	}
	again := &candidate{id: "again", config: c.config}
	if err := s.prove(t.Context(), []*candidate{again}); err != nil || again.verdict != plugins.Crash {
		t.Errorf("verdict %q, %v; want crash without a try", again.verdict, err)
	}
	if _, err := os.Stat(os.Getenv("FAKE_TALLY")); err == nil {
		t.Error("it was tried again")
	}
}

// An earlier run's best comes first; what the strategy asks for is not disturbed.
func TestPriorsComeFirst(t *testing.T) {
	db := filepath.Join(t.TempDir(), "results.db")
	if _, _, err := tune(t, t.Context(), "one-fast", fakeSpec, &quiet{}, TuneOptions{}, db); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(fakeSpec, `budget = "100"`, `budget = "8"`, 1)
	s, results := session(t, t.Context(), "one-fast", text, &quiet{}, db)
	s.store = results
	if err := s.newRun(t.Context(), text, "auto", nil); err != nil {
		t.Fatal(err)
	}
	suggested, err := s.priors(t.Context())
	if err != nil || len(suggested) != batchSize || plugins.Config(s.space.Named(suggested[0])).String() != "BLOCK=128,UNROLL=4" {
		t.Fatalf("suggested %v, %v", suggested, err)
	}
	strategy := search.NewAuto(s.space, 1)
	if _, err := s.warmStart(t.Context(), strategy); err != nil {
		t.Fatal(err)
	}
	if got := strategy.Ask(batchSize); !slices.Equal(got, suggested) {
		t.Errorf("auto asks for %v first, want what earlier runs suggest, %v", got, suggested)
	}
	q := &quiet{}
	_, r, err := tune(t, t.Context(), "one-fast", text, q, TuneOptions{}, db)
	if err != nil || r.Evaluations != 8 || q.evaluated[0].Config.String() != "BLOCK=128,UNROLL=4" {
		t.Errorf("%v, %v; want the earlier winner first", q.evaluated[0].Config, err)
	}
}

func TestWarmStart(t *testing.T) {
	space, err := search.NewSpace([]search.Param{{Name: "x", Values: []search.Value{int64(0), int64(1), int64(2), int64(3), int64(4), int64(5)}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	inner := &recorder{Strategy: search.NewExhaustive(space)}
	w := newWarmStart(inner, []int{4, 1, 3}, []search.Outcome{{Index: 1, Cost: 10}})
	if got := w.Ask(8); !slices.Equal(got, []int{4, 3}) {
		t.Fatalf("first %v, want the hints that are not known", got)
	}
	w.Tell([]search.Outcome{{Index: 4, Cost: 40}, {Index: 3, Cost: 30}})
	if len(inner.told) != 0 {
		t.Errorf("the strategy was told %v, which it has not asked for", inner.told)
	}
	if got := w.Ask(3); !slices.Equal(got, []int{0, 2, 5}) {
		t.Errorf("then %v, want what is not known", got)
	}
	if !slices.Equal(inner.told, []int{1, 3, 4}) || w.Done() != inner.Done() {
		t.Errorf("the strategy was told %v", inner.told)
	}
}

// A recorder notes what a strategy is told.
type recorder struct {
	search.Strategy
	told []int
}

func (r *recorder) Tell(outcomes []search.Outcome) {
	for _, o := range outcomes {
		r.told = append(r.told, o.Index)
	}
	r.Strategy.Tell(outcomes)
}

// Mode and gap are what was asked for, in every sample and in the result; each arm's own runner
// says what its environment is.
func TestModeAndGapAreStored(t *testing.T) {
	text := fakeSpec + "[measure]\nmode = \"cold\"\ngap = \"submit\"\n[driver.settings]\nFAKE_MODE = [\"slow\", \"fast\"]\n"
	path := filepath.Join(t.TempDir(), "results.db")
	s, r, err := tune(t, t.Context(), "setting", text, &quiet{}, TuneOptions{}, path)
	if err != nil {
		t.Fatal(err)
	}
	if r.Mode != plugins.Cold || r.Gap != plugins.Submit || r.OverheadNS != 1000 || r.Outcome != emit.Better {
		t.Errorf("%+v", r)
	}
	races, err := s.store.Races(t.Context(), s.Run())
	if err != nil {
		t.Fatal(err)
	}
	for _, race := range races {
		samples, err := s.store.Samples(t.Context(), race.ID)
		if err != nil || len(samples) == 0 {
			t.Fatal(len(samples), err)
		}
		for _, p := range samples {
			if p.Mode != plugins.Cold || p.Gap != plugins.Submit {
				t.Fatalf("%+v", p)
			}
		}
	}
	arms, err := s.store.Arms(t.Context(), s.Run())
	if err != nil || len(arms) != 3 {
		t.Fatalf("%d arms, %v", len(arms), err)
	}
	for _, a := range arms {
		want := "FAKE_MODE=" + a.Settings["FAKE_MODE"]
		if got := slices.Contains(a.Environment, want); got != (len(a.Settings) > 0) || a.Opened.Clock != plugins.GPUTimestamp {
			t.Errorf("arm %s: environment %v, clock %q", store.SettingsText(a.Settings), a.Environment, a.Opened.Clock)
		}
	}
}
