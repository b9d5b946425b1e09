package stats

import (
	"fmt"
	"math"
	"sort"
)

// A Race is the bookkeeping of one race, without a device: the caller samples the Live entrants
// in a random order, hands the round over, and asks whether to go on.
//
//	for !race.Done() {
//		times := sample(race.Live())   // the caller's
//		if err := race.Round(times); err != nil { ... }
//	}
//	race.Standing()
//
// # Why the leader can be believed
//
// Every pair of entrants has its own sign bets (see Rule) on the log-ratios of the rounds that
// both ran, one-sided, each at Alpha over the number of rivals. An entrant is beaten when the
// leader's bet against it at zero pays; the leader is declared when each rival is beaten or
// the bet that the leader trails it by more than the indifference has been refuted. Suppose a
// declaration is wrong: the leader is slower than the truly best entrant b by more than the
// indifference. Then b was beaten, or the bet about the pair (leader, b) failed; either is a
// false payment in a pair with b, and there are no more such pairs than b has rivals. The
// union bound over them gives Alpha, although the leader is chosen by looking at the data
// (the action elimination of Even-Dar, Mannor and Mansour, J. Mach. Learn. Res. 7, 2006,
// 1079-1105, with the sequential test of Howard and Ramdas 2022).
//
// A race whose baseline drifts is begun again: see restartAfterDrift. One whose two baselines
// are told apart is disturbed, and declares nobody.
//
// What is protected is the best entrant. Where several are equally fast, one of them may be
// beaten by another by chance more often than Alpha says; that costs nothing, for the leader is
// then as fast.
type Race struct {
	kind              Kind
	entrants          []Entrant
	opts              Options
	baseline, control int
	status            []Status
	beatenBy          []int
	logs              [][]float64 // per entrant, a log time per round, NaN when not sampled
	deviations        [][]float64 // per entrant, sorted distances from the middle of each round
	pairs             *boundary
	indifferent       float64
	sequences         []*Sequence // against the baseline
	aa                *Sequence
	disturbed         bool
	rounds            int
	restarts          int
	restarted         Drift // why, if restarts is not 0
	standing          Standing
}

// A Standing is what a race can say at one moment.
type Standing struct {
	// Leader is the entrant that seems fastest, -1 before the first round.
	Leader int
	// Declared means that no entrant is faster than the leader by more than the indifference,
	// wrongly so with probability at most Alpha.
	Declared bool
	// Rivals are the entrants that may yet be faster than the leader by more than that.
	Rivals []int
}

// NewRace starts a race. There must be one Baseline and one Control; a Confirmation has one
// entrant besides them.
func NewRace(kind Kind, entrants []Entrant, opts Options) (*Race, error) {
	opts, err := opts.withDefaults(kind, entrants)
	if err != nil {
		return nil, err
	}
	r := &Race{kind: kind, entrants: entrants, opts: opts, indifferent: math.Log1p(opts.Indifference)}
	if r.baseline, r.control, err = checkRoles(kind, entrants); err != nil {
		return nil, err
	}
	r.status = make([]Status, len(entrants))
	r.beatenBy = make([]int, len(entrants))
	for i := range entrants {
		r.status[i], r.beatenBy[i] = Live, -1
	}
	r.reset()
	return r, nil
}

func (r *Race) reset() {
	// The control is one comparison more.
	alpha := r.opts.Alpha / float64(attempts(r.kind))
	rule := NewRule(alpha, r.opts.Comparisons+1, r.opts.Indifference)
	rivals := max(r.opts.Comparisons, len(r.entrants)-2) // the control is nobody's rival
	r.pairs = newBoundary(alpha / float64(rivals))
	r.aa = rule.Sequence()
	r.logs = make([][]float64, len(r.entrants))
	r.deviations = make([][]float64, len(r.entrants))
	r.sequences = make([]*Sequence, len(r.entrants))
	for i := range r.entrants {
		r.sequences[i] = rule.Sequence()
	}
	r.disturbed, r.rounds = false, 0
	r.standing = Standing{Leader: -1}
}

// Live lists the entrants to sample in the next round.
func (r *Race) Live() []int {
	var live []int
	for i, s := range r.status {
		if s == Live {
			live = append(live, i)
		}
	}
	return live
}

// Round adds one round: times[i] is entrant i's time, in one unit for all; those of entrants
// that are not live are ignored. The race is unchanged if it returns an error.
func (r *Race) Round(times []float64) error {
	if r.Done() {
		return fmt.Errorf("the race is over after %d rounds", r.rounds)
	}
	if len(times) != len(r.entrants) {
		return fmt.Errorf("%d times, expected one for each of %d entrants", len(times), len(r.entrants))
	}
	live := r.Live()
	for _, i := range live {
		if err := checkTime(times[i]); err != nil {
			return fmt.Errorf("round %d, %s: %w", r.rounds, r.entrants[i].Name, err)
		}
	}
	for i := range r.logs {
		r.logs[i] = append(r.logs[i], math.NaN())
	}
	middle := make([]float64, 0, len(live))
	for _, i := range live {
		r.logs[i][r.rounds] = math.Log(times[i])
		middle = append(middle, r.logs[i][r.rounds])
	}
	sort.Float64s(middle)
	base, centre := r.logs[r.baseline][r.rounds], median(middle)
	for _, i := range live {
		r.deviations[i] = insert(r.deviations[i], r.logs[i][r.rounds]-centre)
		r.sequences[i].Observe(base - r.logs[i][r.rounds])
	}
	r.aa.Observe(base - r.logs[r.control][r.rounds])
	r.rounds++
	if r.kind != Confirmation {
		r.judge()
	}
	r.restartAfterDrift()
	return nil
}

// Withdraw takes an entrant out, for the reason that a sample of it failed. Withdrawing the
// baseline or its control ends the race without a declaration.
func (r *Race) Withdraw(entrant int) {
	r.status[entrant] = Withdrawn
	if r.standing.Leader == entrant {
		r.standing = Standing{Leader: -1}
	}
	// Whoever an entrant beat that should not have run was not beaten.
	for i, by := range r.beatenBy {
		if by == entrant && r.status[i] == Beaten {
			r.status[i], r.beatenBy[i] = Live, -1
		}
	}
	if r.kind != Confirmation && r.rounds > 0 {
		r.judge()
	}
}

// Done says that no further round is wanted.
func (r *Race) Done() bool {
	if r.status[r.baseline] != Live || r.status[r.control] != Live || r.rounds >= r.opts.MaxRounds {
		return true
	}
	rest := 0
	for i, s := range r.status {
		if s == Live && i != r.baseline && i != r.control {
			rest++
		}
	}
	// With nobody left to compare, there is nothing to find out.
	return rest == 0 || r.kind != Confirmation && r.standing.Declared
}

// Rounds is the number of rounds that count; a restarted race begins at 0 again.
func (r *Race) Rounds() int { return r.rounds }

// Status says whether an entrant is live, and who beat it if it is Beaten (else -1).
func (r *Race) Status(entrant int) (s Status, beatenBy int) {
	return r.status[entrant], r.beatenBy[entrant]
}

// Standing is who leads and whether that is more than a guess. In a confirmation nobody leads.
func (r *Race) Standing() Standing {
	s := r.standing
	s.Declared = s.Declared && r.status[r.baseline] == Live && r.status[r.control] == Live
	return s
}

// Comparison is an entrant against the baseline, over the rounds that it ran. The intervals of
// a batch or final hold for all entrants together at any time; a confirmation's is for its
// fixed number of rounds.
func (r *Race) Comparison(entrant int) Comparison {
	s := r.sequences[entrant]
	if entrant == r.control {
		s = r.aa
	}
	if r.kind == Confirmation {
		return compareLogs(s.sorted, 1-r.opts.Alpha)
	}
	return s.Comparison()
}

// Estimate is an entrant against the baseline with a plain 95% interval, as if the number of
// rounds had been fixed and nobody else compared. It tells a strategy how noisy a point is,
// and is finite from 6 rounds on; nothing may be claimed from it.
func (r *Race) Estimate(entrant int) Comparison {
	return compareLogs(r.sequences[entrant].sorted, 0.95)
}

// AA is the control against the baseline: the same kernel twice, so the truth is zero.
func (r *Race) AA() Comparison { return r.Comparison(r.control) }

// Warnings are doubts about the race as a whole, in words for a user.
func (r *Race) Warnings() []string {
	var w []string
	if r.disturbed {
		w = append(w, fmt.Sprintf("the baseline's two labels differ by a factor of %.4f: something disturbs the device, no winner is declared", r.AA().Ratio()))
	}
	if r.restarts > 0 {
		w = append(w, fmt.Sprintf("the %s race was started again because %s", r.kind, r.restarted))
	}
	if d := r.Drift(); d != nil {
		w = append(w, d.String())
	}
	return w
}

// Drift is what the baseline's times show, nil if nothing.
func (r *Race) Drift() *Drift {
	times := make([]float64, 0, r.rounds)
	for _, l := range r.logs[r.baseline] {
		times = append(times, math.Exp(l))
	}
	return DetectDrift(times)
}
