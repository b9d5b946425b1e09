package reference

import (
	"runtime"
	"sync"
)

// parallel calls f on disjoint ranges that cover [0, n), on every core, and returns when all
// are done. A range that is too small to be worth a goroutine runs on the caller's.
func parallel(n int, f func(lo, hi int)) {
	const grain = 1 << 12
	split(n, min(runtime.GOMAXPROCS(0), (n+grain-1)/grain), f)
}

// parallelRows is parallel for work of which each item is large.
func parallelRows(n int, f func(lo, hi int)) { split(n, min(runtime.GOMAXPROCS(0), n), f) }

func split(n, parts int, f func(lo, hi int)) {
	if parts <= 1 {
		f(0, n)
		return
	}
	var wg sync.WaitGroup
	for p := range parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(n*p/parts, n*(p+1)/parts)
		}()
	}
	wg.Wait()
}
