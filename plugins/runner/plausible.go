package runner

import (
	"fmt"
	"slices"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt/spirv"
)

// A time is doubted if it implies more than the device's measured rate by this factor. Our own
// kernels are simple, and clocks and neighbours change from one moment to the next.
const rateMargin = 2.0

// Capabilities of SPIR-V under which arithmetic has units of its own, so that a rate of plain
// multiply-adds bounds nothing: DotProductKHR, CooperativeMatrixNV, CooperativeMatrixKHR.
var ownUnits = []spirv.Capability{6019, 5357, 6022}

// float16 doubles what plain multiply-adds may reach: two halves share a register.
const float16 spirv.Capability = 9

// plausible says why the time of one launch cannot be true, by the work that the launch must
// do: its compulsory bytes against the copy rate (beyond the caches where cold, within one
// otherwise) and its operations against the arithmetic rate.
func plausible(b plugins.Build, known rates, cold bool, launch time.Duration) (doubt string) {
	seconds := launch.Seconds()
	rate, where := known.CachedCopy, "a copy within its caches"
	if cold {
		rate, where = known.Copy, "a copy beyond its caches"
	}
	if implied := b.Bytes / seconds; rate > 0 && implied > rateMargin*rate {
		return fmt.Sprintf("%v for %.4g compulsory bytes is %.4g GB/s; the device reached %.4g GB/s in %s",
			launch, b.Bytes, implied/1e9, rate/1e9, where)
	}
	if implied, peak := b.Flops/seconds, known.Flops*arithmeticFactor(b); peak > 0 && implied > rateMargin*peak {
		return fmt.Sprintf("%v for %.4g operations is %.4g Gflop/s; the device reached %.4g Gflop/s in plain multiply-adds",
			launch, b.Flops, implied/1e9, peak/1e9)
	}
	return ""
}

// arithmeticFactor is how many times the rate of plain f32 a build's modules may compute at; 0
// where no bound is known.
func arithmeticFactor(b plugins.Build) float64 {
	factor := 1.0
	for _, m := range b.Modules {
		reflected, err := spirv.Reflect(m.SPIRV)
		if err != nil {
			return 0
		}
		for _, c := range reflected.Capabilities {
			switch {
			case slices.Contains(ownUnits, c):
				return 0
			case c == float16:
				factor = 2
			}
		}
	}
	return factor
}

// doubt holds a sample against what the device can do. A first suspicion has the rates measured
// again, for they may have been taken on a busy device; where it stands, the host's clock has
// the last word: a time that is impossible by that clock, too, is no fault of the timestamps.
func (r *Runner) doubt(e *entrant, t timing, launch time.Duration, repeats int) (string, error) {
	b := e.candidate.build
	known, err := r.knownRates()
	if err != nil || plausible(b, known, e.how.mode == plugins.Cold, launch) == "" {
		return "", err
	}
	if known, err = r.measureRates(); err != nil {
		return "", err
	}
	doubt := plausible(b, known, e.how.mode == plugins.Cold, launch)
	if doubt == "" {
		return "", nil
	}
	host := t.host / time.Duration(repeats)
	if plausible(b, known, e.how.mode == plugins.Cold, host) != "" {
		return doubt + "; it is no less by the host's clock: the kernel does less than its family says, or its work is not done", nil
	}
	return fmt.Sprintf("%s; by the host's clock it took %v, which is possible: the timestamps do not cover the work", doubt, host), nil
}
