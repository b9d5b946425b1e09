package host

import (
	"errors"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// termWait is what processes get between SIGTERM and SIGKILL.
const termWait = 500 * time.Millisecond

// live holds every child of this process that is not yet gone.
var live registry

type registry struct {
	mu       sync.Mutex
	children map[*child]struct{}
}

func (r *registry) add(c *child) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.children == nil {
		r.children = map[*child]struct{}{}
	}
	r.children[c] = struct{}{}
}

func (r *registry) remove(c *child) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.children, c)
}

func (r *registry) all() []*child {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []*child
	for c := range r.children {
		all = append(all, c)
	}
	return all
}

// KillAll ends every process that this package started, in parallel: SIGTERM to each group,
// SIGKILL after 500 ms. It returns when all are gone; the error joins a *WedgedError for each
// that is still there after 30 s.
func KillAll() error {
	children := live.all()
	errs := make([]error, len(children))
	var wg sync.WaitGroup
	for i, c := range children {
		wg.Go(func() {
			c.signal(unix.SIGTERM)
			if !c.endsWithin(termWait) {
				errs[i] = c.kill()
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
