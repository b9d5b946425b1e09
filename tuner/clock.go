package tuner

import "time"

// A Phase is a part of the wall time of a run.
type Phase string

const (
	PhaseCompile Phase = "compile" // the drivers' compilers, for the guard's further problems too
	PhaseGuard   Phase = "guard"   // checks before timing
	PhaseRace    Phase = "race"    // samples
	PhaseOther   Phase = "other"   // everything else: our own overhead
)

// A stopwatch splits the wall time of a run over its phases. It belongs to one goroutine.
type stopwatch struct {
	phase  Phase
	since  time.Time
	totals map[Phase]time.Duration
}

func newStopwatch() *stopwatch {
	return &stopwatch{phase: PhaseOther, since: time.Now(), totals: map[Phase]time.Duration{}}
}

// enter begins a phase and returns the function that goes back to the one before.
func (s *stopwatch) enter(p Phase) (leave func()) {
	before := s.phase
	s.turn(p)
	return func() { s.turn(before) }
}

func (s *stopwatch) turn(p Phase) {
	now := time.Now()
	s.totals[s.phase] += now.Sub(s.since)
	s.phase, s.since = p, now
}

// shift books d of one phase's time on another: a call may do both.
func (s *stopwatch) shift(from, to Phase, d time.Duration) {
	s.totals[from] -= d
	s.totals[to] += d
}

// total is the time spent in p so far.
func (s *stopwatch) total(p Phase) time.Duration {
	s.turn(s.phase)
	return s.totals[p]
}
