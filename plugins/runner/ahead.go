package runner

import (
	"context"
	"runtime"
	"sync"

	"github.com/krisptune/krisptune/plugins"
)

// compileAhead creates the pipelines of the checks' further cases on idle cores, in the order
// in which the checks will need them, so that the device does not wait for the compiler at
// each candidate. Verdicts are left to the check that meets the pipeline. The returned function
// stops and waits for pipelines that are under way: timing needs a quiet machine.
func (r *Runner) compileAhead(checks []plugins.Check) (stop func()) {
	type job struct {
		build plugins.Build
		pass  plugins.Pass
	}
	feed, cancel := context.WithCancel(context.Background())
	jobs := make(chan job)
	var group sync.WaitGroup
	var mu sync.Mutex
	var taken []*pipeline
	// One core is left to the references and the device's own work.
	for range max(1, runtime.GOMAXPROCS(0)-1) {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := range jobs {
				p, _ := r.pipelines.take(context.Background(), j.build, j.pass)
				mu.Lock()
				taken = append(taken, p)
				mu.Unlock()
			}
		}()
	}
	group.Add(1)
	go func() {
		defer group.Done()
		defer close(jobs)
		for _, check := range checks {
			for _, c := range check.Cases {
				if verdict, _ := admit(r.caps, c.Build); verdict != plugins.OK {
					continue
				}
				for _, pass := range c.Build.Passes {
					select {
					case jobs <- job{c.Build, pass}:
					case <-feed.Done():
						return
					}
				}
			}
		}
	}()
	return func() {
		cancel()
		if r.why != nil {
			return // nobody will use this process again
		}
		group.Wait()
		for _, p := range taken {
			r.pipelines.drop(p)
		}
	}
}
