package tuner

import (
	"fmt"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/spec"
	"github.com/krisptune/krisptune/tuner/stats"
)

// However long a run is, few candidates stay: the fastest, and those that others are measured
// by. What is counted is counted of all.
func TestRetire(t *testing.T) {
	s := &Session{bound: &spec.Bound{}, baseline: &candidate{id: "baseline", index: -1, verdict: plugins.OK}}
	s.reference = s.baseline
	const n = 3000
	var slow *candidate
	for i := range n {
		c := &candidate{id: fmt.Sprint(i), index: i, verdict: plugins.OK, config: plugins.Config{"X": int64(i)}, recalled: i%3 == 0}
		ratio := float64((i*7919)%n) / n
		switch {
		case i%10 == 1:
			c.reject(plugins.Wrong, plugins.Evidence{Message: "bad"})
		case i%10 == 2:
			c.beaten = true
			fallthrough
		default:
			c.estimate = &stats.Comparison{LogRatio: ratio, Lo: ratio - 0.01, Hi: ratio + 0.01, N: 20}
		}
		if i == 5 {
			slow, s.incumbent = c, c
		}
		s.evaluated = append(s.evaluated, c)
		s.retire()
		if len(s.evaluated) > 4*keepBest {
			t.Fatalf("%d candidates stay after %d", len(s.evaluated), i+1)
		}
	}
	if v := s.verdicts(); s.Evaluated() != n || v[plugins.Wrong] != n/10 || v[plugins.OK] != n-n/10 {
		t.Errorf("%d evaluated, %v", s.Evaluated(), v)
	}
	if s.reused() > n/3 || s.reused() < n/4 {
		t.Errorf("%d reused", s.reused())
	}
	if why := s.Rejected()[plugins.Wrong]; why != "X=1: bad" {
		t.Errorf("reason %q, want the first", why)
	}
	// The ten fastest that may win are all there, and so is the incumbent, slow as it is.
	stays := map[*candidate]bool{}
	fastest := 0
	for _, c := range s.evaluated {
		stays[c] = true
		if !c.rejected() && c.speed() >= float64(n-10)/n {
			fastest++
		}
	}
	rejected := 0
	for i := range n {
		if (i*7919)%n >= n-10 && i%10 == 1 {
			rejected++
		}
	}
	if fastest != 10-rejected || !stays[slow] {
		t.Errorf("%d of the 10 fastest stay, incumbent %v", fastest, stays[slow])
	}
	// Those within reach of a leader at 0.5 are counted although they are gone.
	if got := s.retired.open(0.5); got < n/2*7/10 || got > n/2 {
		t.Errorf("%d retired may be as fast as 0.5", got)
	}
}
