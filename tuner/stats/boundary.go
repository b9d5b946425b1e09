package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// A boundary holds the critical counts of the sign test that may be looked at after every
// round: with counts[n] or more of n signs one way, the hypothesis that this way has at most
// an even chance is rejected. Over all n together the rejection is false with probability at
// most exp(-threshold). Rule has the derivation.
type boundary struct {
	threshold float64 // log(1/alpha)
	counts    []int   // counts[n] is n+1 where n signs cannot reject
}

func newBoundary(alpha float64) *boundary {
	return &boundary{threshold: -math.Log(alpha), counts: []int{1}}
}

// critical returns the least count out of n that rejects, n+1 if none does.
func (b *boundary) critical(n int) int {
	for len(b.counts) <= n {
		m := len(b.counts)
		// One more round moves the critical count by at most one, and never down.
		k := b.counts[m-1]
		for k <= m && logWealth(k, m) < b.threshold {
			k++
		}
		b.counts = append(b.counts, k)
	}
	return b.counts[n]
}

// logWealth is the logarithm of the bettor's wealth after k of n signs went its way:
//
//	log ∫ (2p)^k (2-2p)^(n-k) dπ(p),  π = Beta(1/2, 1/2) truncated to (1/2, 1].
func logWealth(k, n int) float64 {
	a, b := float64(k)+0.5, float64(n-k)+0.5
	// The truncation halves π's mass (hence the log 2) and keeps of the Beta integral the part
	// above one half, which by symmetry is I_{1/2}(b, a).
	above := mathext.RegIncBeta(b, a, 0.5)
	return float64(n)*math.Ln2 + mathext.Lbeta(a, b) + math.Log(above) - math.Log(math.Pi) + math.Ln2
}
