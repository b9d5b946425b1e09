package tuner

import (
	"context"
	"time"
)

// attend makes one call on a runner's process and kills the process when it gives no sign of
// life for limit: a driver may hang in a call that no deadline of ours can end. The call then
// returns a death that is ours, and so a timeout, never a crash. A process that does not even
// die leaves its connection open: the call is given up, and the error says that the device is
// wedged.
func attend(ctx context.Context, p Process, limit time.Duration, call func(ctx context.Context, alive func()) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	dog := time.AfterFunc(limit, func() {
		if err := p.Kill(); err != nil {
			cancel(err)
		}
	})
	defer dog.Stop()
	err := call(inner, func() { dog.Reset(limit) })
	if err != nil && ctx.Err() == nil && inner.Err() != nil {
		return context.Cause(inner)
	}
	return err
}

// patience is how long a runner may be silent in a call whose parts have deadlines of their own.
func (s *Session) patience() time.Duration { return s.silence + 4*s.deadline }

// defaultSilence covers what has no deadline: references on the CPU, and a driver's compiler up
// to the runner's own limit.
const defaultSilence = 2 * time.Minute
