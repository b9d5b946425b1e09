package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// field makes entrants with given true times: baseline, control, then candidates.
func field(n int) []Entrant {
	e := []Entrant{{"baseline", Baseline}, {"control", Control}}
	for i := 0; i < n; i++ {
		e = append(e, Entrant{"candidate", Candidate})
	}
	return e
}

// run drives a race of entrants with true times under lognormal noise.
func run(t *testing.T, r *Race, truth []float64, sigma float64, rng *rand.Rand) {
	t.Helper()
	for !r.Done() {
		times := make([]float64, len(truth))
		for _, i := range r.Live() {
			times[i] = truth[i] * math.Exp(sigma*rng.NormFloat64())
		}
		if err := r.Round(times); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRaceDeclaresTheFastest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	r, err := NewRace(Batch, field(8), Options{MinRounds: 15, MaxRounds: 100})
	if err != nil {
		t.Fatal(err)
	}
	run(t, r, []float64{100, 100, 110, 95, 120, 200, 104, 96.9, 101, 100}, 0.005, rng)
	s := r.Standing()
	if s.Leader != 3 || !s.Declared || len(s.Rivals) != 0 {
		t.Fatalf("standing %+v after %d rounds, expected entrant 3 declared", s, r.Rounds())
	}
	if st, by := r.Status(5); st != Beaten || by < 0 {
		t.Errorf("entrant 5 is %v by %d, expected beaten", st, by)
	}
	if st, _ := r.Status(0); st != Live {
		t.Errorf("the baseline is %v, expected live", st)
	}
	c := r.Comparison(3)
	if lo, hi := c.RatioInterval(); !(lo > 1 && lo < 100./95 && hi > 100./95 && math.Abs(c.Ratio()-100./95) < 0.01) {
		t.Errorf("ratio %v in [%v, %v], expected about %v", c.Ratio(), lo, hi, 100./95)
	}
	if e := r.Estimate(3); e.LogRatio != c.LogRatio || e.N != c.N || e.Hi-e.Lo >= c.Hi-c.Lo {
		t.Errorf("estimate %+v beside comparison %+v, expected a narrower interval", e, c)
	}
	if aa := r.AA(); math.Abs(aa.Ratio()-1) > 0.01 {
		t.Errorf("A/A ratio %v", aa.Ratio())
	}
}

func TestRaceBaselineMayLead(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	r, err := NewRace(Final, field(3), Options{})
	if err != nil {
		t.Fatal(err)
	}
	run(t, r, []float64{100, 100, 105, 120, 103}, 0.005, rng)
	if s := r.Standing(); s.Leader != 0 || !s.Declared {
		t.Errorf("standing %+v, expected the baseline declared", s)
	}
	// With nobody live but the baselines the race is done.
	if !r.Done() {
		t.Error("not done")
	}
}

func TestRaceUndecidedEndsAtMaxRounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	r, _ := NewRace(Batch, field(4), Options{MaxRounds: 12})
	run(t, r, []float64{100, 100, 100, 100, 100, 100}, 0.05, rng)
	if s := r.Standing(); s.Declared || len(s.Rivals) == 0 || r.Rounds() != 12 {
		t.Errorf("standing %+v after %d rounds", s, r.Rounds())
	}
	if err := r.Round(make([]float64, 6)); err == nil {
		t.Error("a round after the end was taken")
	}
}

func TestRaceDisturbedDeclaresNobody(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	r, _ := NewRace(Final, field(2), Options{MaxRounds: 60})
	run(t, r, []float64{100, 103, 90, 95}, 0.002, rng)
	if s := r.Standing(); s.Declared {
		t.Errorf("standing %+v although the A/A control differs by 3%%", s)
	}
	if w := strings.Join(r.Warnings(), "\n"); !strings.Contains(w, "disturbs") {
		t.Errorf("warnings %q", w)
	}
}

func TestRaceWithdraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	truth := []float64{100, 100, 80, 90}
	r, _ := NewRace(Final, field(2), Options{})
	for i := 0; i < 9; i++ {
		times := make([]float64, 4)
		for j := range times {
			times[j] = truth[j] * math.Exp(0.01*rng.NormFloat64())
		}
		if err := r.Round(times); err != nil {
			t.Fatal(err)
		}
	}
	r.Withdraw(2)
	run(t, r, truth, 0.01, rng)
	if s := r.Standing(); s.Leader != 3 || !s.Declared {
		t.Errorf("standing %+v, expected entrant 3 once 2 was withdrawn", s)
	}
	r.Withdraw(1)
	if s := r.Standing(); s.Declared || !r.Done() {
		t.Errorf("declared %v, done %v without a control", s.Declared, r.Done())
	}
}

func TestRoundRefusesBadTimes(t *testing.T) {
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		r, _ := NewRace(Batch, field(1), Options{})
		if err := r.Round([]float64{1, 1, bad}); err == nil || r.Rounds() != 0 {
			t.Errorf("time %v: error %v, %d rounds", bad, err, r.Rounds())
		}
	}
	r, _ := NewRace(Batch, field(1), Options{})
	if err := r.Round([]float64{1, 1}); err == nil {
		t.Error("a short round was taken")
	}
}

func TestNewRaceRefuses(t *testing.T) {
	b, c, x := Entrant{"b", Baseline}, Entrant{"c", Control}, Entrant{"x", Candidate}
	for name, e := range map[string][]Entrant{
		"no baseline": {c, x}, "no control": {b, x}, "two baselines": {b, b, c, x},
		"no candidate": {b, c}, "unknown role": {b, c, x, {"y", "guest"}},
	} {
		if _, err := NewRace(Batch, e, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := NewRace(Confirmation, []Entrant{b, c, x, x}, Options{}); err == nil {
		t.Error("two candidates in a confirmation: no error")
	}
	if _, err := NewRace("sprint", []Entrant{b, c, x}, Options{}); err == nil {
		t.Error("unknown kind: no error")
	}
}

func TestConfirmation(t *testing.T) {
	for _, c := range []struct {
		name   string
		truth  []float64
		better bool
	}{
		{"faster", []float64{100, 100, 95}, true},
		{"same", []float64{100, 100, 100}, false},
		{"slower", []float64{100, 100, 103}, false},
		{"within the A/A noise", []float64{100, 95, 97}, false},
	} {
		rng := rand.New(rand.NewPCG(15, 16))
		r, err := NewRace(Confirmation, field(1), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Confirmed(); err == nil {
			t.Error("a result before the first round")
		}
		run(t, r, c.truth, 0.005, rng)
		got, err := r.Confirmed()
		if err != nil {
			t.Fatal(err)
		}
		if got.Better != c.better || got.Winner.N != 40 || got.Winner.Confidence < 0.99 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestConfirmationRestartsAfterAStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	r, _ := NewRace(Confirmation, field(1), Options{MaxRounds: 30})
	for n := 0; !r.Done(); n++ {
		clock := 1.0
		if n >= 15 {
			clock = 0.5
		}
		times := []float64{100, 100, 90}
		for i := range times {
			times[i] *= math.Exp(0.005*rng.NormFloat64()) / clock
		}
		if err := r.Round(times); err != nil {
			t.Fatal(err)
		}
		if n > 59 {
			t.Fatalf("still not done after %d rounds", n)
		}
	}
	got, err := r.Confirmed()
	if err != nil || got.Winner.N != 30 || !got.Better || len(got.Warnings) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A final that ends on another device than it began on is begun again, once; its warning says
// so. A change that goes on cannot hold it up for ever.
func TestFinalRestartsAfterDrift(t *testing.T) {
	for name, clock := range map[string]func(n int) float64{
		"step":      func(n int) float64 { return map[bool]float64{false: 1, true: 0.5}[n >= 12] },
		"slope":     func(n int) float64 { return math.Exp(-0.01 * float64(min(n, 30))) },
		"for ever":  func(n int) float64 { return math.Exp(-0.01 * float64(n)) },
		"no change": func(int) float64 { return 1 },
	} {
		rng := rand.New(rand.NewPCG(19, 20))
		r, err := NewRace(Final, field(2), Options{MinRounds: 30, MaxRounds: 60})
		if err != nil {
			t.Fatal(err)
		}
		n, beaten := 0, false
		for ; !r.Done(); n++ {
			times := []float64{100, 100, 90, 130}
			for i := range times {
				times[i] *= math.Exp(0.003*rng.NormFloat64()) / clock(n)
			}
			if err := r.Round(times); err != nil {
				t.Fatal(err)
			}
			s, _ := r.Status(3)
			if beaten = beaten || s == Beaten; n > 200 {
				t.Fatalf("%s: still not done", name)
			}
		}
		warned := strings.Contains(strings.Join(r.Warnings(), "\n"), "the final race was started again because the baseline became")
		if restarted := n > r.Rounds(); restarted != (name != "no change") || warned != restarted {
			t.Errorf("%s: %d rounds taken, %d count, warnings %q", name, n, r.Rounds(), r.Warnings())
		}
		if s := r.Standing(); s.Leader != 2 || !s.Declared {
			t.Errorf("%s: standing %+v", name, s)
		}
		if c := r.Comparison(3); !beaten || c.N > r.Rounds() || c.Hi >= 0 {
			t.Errorf("%s: the slow one: %+v", name, c)
		}
	}
}

func TestFinalists(t *testing.T) {
	cs := []Comparison{
		{LogRatio: 0.1, Lo: 0.05, Hi: 0.15, N: 9}, {N: 0, LogRatio: math.NaN()},
		{LogRatio: 0.3, Lo: 0.2, Hi: 0.4, N: 9}, {LogRatio: 0.2, Lo: 0.1, Hi: 0.25, N: 9},
	}
	best, open := Finalists(cs, 1)
	if len(best) != 1 || best[0] != 2 || open != 1 {
		t.Errorf("best %v, %d left open", best, open)
	}
	if best, open = Finalists(cs, 8); len(best) != 3 || open != 0 {
		t.Errorf("best %v, %d left open", best, open)
	}
}

// The hardest case for a declaration: one entrant is the best, and all others trail it by a
// hair more than the indifference. At an alpha large enough to see, false winners stay below it
// and do occur.
func TestFalseWinnersAtTheEdge(t *testing.T) {
	const alpha, races = 0.2, 1000
	rng := rand.New(rand.NewPCG(27, 28))
	declared, wrong := 0, 0
	for i := 0; i < races; i++ {
		r, err := NewRace(Final, field(4), Options{Alpha: alpha, MaxRounds: 300})
		if err != nil {
			t.Fatal(err)
		}
		run(t, r, []float64{101.01, 101.01, 101.01, 100, 101.01, 101.01}, 0.02, rng)
		if s := r.Standing(); s.Declared {
			declared++
			if s.Leader != 3 {
				wrong++
			}
		}
	}
	t.Logf("%d of %d races declared, %d wrongly", declared, races, wrong)
	if wrong > alpha*races {
		t.Errorf("%d of %d races declared a false winner, expected at most %v", wrong, races, alpha*races)
	}
	if declared < races/4 || wrong == 0 {
		t.Errorf("%d declared, %d wrongly: the rule wastes its alpha", declared, wrong)
	}
}
