package tuner

import (
	"context"
	"errors"
	"sync"

	"github.com/krisptune/krisptune/plugins"
)

// A familyKeeper keeps one family process running. It is safe for concurrent use.
type familyKeeper struct {
	start func(ctx context.Context) (FamilyProcess, error)

	mu      sync.Mutex
	process FamilyProcess
}

// familyTries is how often a request is put to a family that dies of it.
const familyTries = 2

// ask puts one request to the family. A process that dies is replaced, and the request put once
// more: its death may be another request's doing. One that does not answer within the session's
// patience is replaced, too, and the request is lost.
func (s *Session) ask(ctx context.Context, request func(ctx context.Context, f plugins.Family) error) error {
	var err error
	for range familyTries {
		p := s.family.current()
		limited, cancel := context.WithTimeout(ctx, s.silence)
		err = request(limited, p.Family())
		silent := limited.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !silent && !died(err):
			return err
		}
		if replaced := s.family.replace(ctx, p); replaced != nil {
			return errors.Join(err, replaced)
		}
		if silent {
			return err
		}
	}
	return err
}

func (k *familyKeeper) current() FamilyProcess {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.process
}

// replace starts a fresh process in the place of dead, unless another request already did.
func (k *familyKeeper) replace(ctx context.Context, dead FamilyProcess) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.process != dead {
		return nil
	}
	if err := dead.Kill(); err != nil {
		return err
	}
	p, err := k.start(ctx)
	if err != nil {
		return err
	}
	k.process = p
	return nil
}
