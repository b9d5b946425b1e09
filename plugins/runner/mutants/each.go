package mutants

import (
	"runtime"
	"sync"
)

// each calls f for all of list, on all cores, and returns the first error in list order.
func each[T any](list []T, f func(T) error) error {
	errs := make([]error, len(list))
	slots := make(chan struct{}, workers())
	var group sync.WaitGroup
	for i, x := range list {
		group.Add(1)
		slots <- struct{}{}
		go func() {
			defer group.Done()
			errs[i] = f(x)
			<-slots
		}()
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func workers() int { return runtime.GOMAXPROCS(0) }

func indices[T any](list []T) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out
}
