package tuner

import (
	"time"
)

// A watchdog kills a runner that has been silent for too long: a driver may hang in a call that
// no deadline of ours can end. The call in flight then returns the death, which is ours and so
// a timeout, never a crash.
type watchdog struct {
	timer *time.Timer
	limit time.Duration
}

// watch starts a watchdog over a runner. Call alive at each sign of life and stop at the end.
func watch(r *warmRunner, limit time.Duration) *watchdog {
	return &watchdog{time.AfterFunc(limit, func() { _ = r.process.Kill() }), limit}
}

func (w *watchdog) alive() { w.timer.Reset(w.limit) }
func (w *watchdog) stop()  { w.timer.Stop() }

// patience is how long a runner may be silent in a call whose parts have deadlines of their own.
func (s *Session) patience() time.Duration { return s.silence + 4*s.deadline }

// defaultSilence covers what has no deadline: references on the CPU, and a driver's compiler up
// to the runner's own limit.
const defaultSilence = 2 * time.Minute
