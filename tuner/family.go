package tuner

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// A familyKeeper keeps one family process running. It is safe for concurrent use.
type familyKeeper struct {
	start func(ctx context.Context) (FamilyProcess, error)

	// alone is held for writing by a request that is put again: who dies then is to blame.
	alone sync.RWMutex

	mu      sync.Mutex
	process FamilyProcess
}

// familyTries is how often a request is put to a family that dies of it.
const familyTries = 2

// ask puts one request to the family. A process that dies is replaced, and the request put once
// more, alone: the death may have been another request's doing. One that does not answer within
// the session's patience is replaced, too, and the request is lost.
func (s *Session) ask(ctx context.Context, request func(ctx context.Context, f plugins.Family) error) error {
	var err error
	for try := range familyTries {
		again, asked := s.family.put(ctx, s.silence, try > 0, request)
		if err = asked; !again {
			break
		}
	}
	return err
}

// put puts a request once. again says that the process died of it, or of another beside it, and
// was replaced.
func (k *familyKeeper) put(ctx context.Context, patience time.Duration, alone bool, request func(ctx context.Context, f plugins.Family) error) (again bool, err error) {
	if alone {
		k.alone.Lock()
		defer k.alone.Unlock()
	} else {
		k.alone.RLock()
		defer k.alone.RUnlock()
	}
	p := k.current()
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = request(limited, p.Family())
	silent := limited.Err() != nil
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case !silent && !died(err):
		return false, err
	}
	if replaced := k.replace(ctx, p); replaced != nil {
		return false, errors.Join(err, replaced)
	}
	return !silent, err
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
