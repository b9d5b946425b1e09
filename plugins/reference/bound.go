package reference

import (
	"math"

	"github.com/krisptune/krisptune/plugins"
)

// A DotBound bounds the error of a dot product of length K that is accumulated in one
// floating-point type, in any order, and stored in another.
//
// Write c = Σ a_k·b_k and S = Σ |a_k·b_k|. In a sum of K rounded products, each term passes
// at most K roundings (its product's and at most K-1 additions, fewer with fused
// multiply-adds), whatever the order, so the computed sum is Σ a_k·b_k·(1+θ_k) with
// 1+θ_k a product of at most K factors 1+δ, |δ| ≤ u. Hence
//
//	|computed - c| ≤ g·S,   g = (1+u)^K - 1
//
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sections 3.1 and 4.2.
// There g is bounded further by γ_K = K·u/(1-K·u), which needs K·u < 1; f16 accumulators pass
// that at K = 2048, where g is still a bound.) Storing rounds once more: by up to 2u' of the
// stored type, whichever neighbour the device takes, since Vulkan leaves the direction of a
// conversion open. A type as wide as the accumulator does not round again. Each operation may
// lose up to the smallest normal number where the device flushes subnormals. The float64
// reference has an error of its own, bounded alike with u = 2^-53.
//
// The bound is certain, not typical: rounding errors mostly cancel and lie far inside. What
// scales every output alike may hide in it when K·u is large; see ScaleError.
type DotBound struct {
	growth    float64 // g, the reference's own error added
	store     float64 // 2u' of the stored type, 0 if it does not round
	underflow float64 // absolute
}

// NewDotBound is for dot products of length k.
func NewDotBound(k int64, accumulator, store plugins.ElementType) (DotBound, error) {
	acc, err := formatOf(accumulator)
	if err != nil {
		return DotBound{}, err
	}
	out, err := formatOf(store)
	if err != nil {
		return DotBound{}, err
	}
	b := DotBound{
		growth:    growth(k, acc.roundoff()) + growth(k, 0x1p-53),
		underflow: 2 * float64(k) * acc.minNormal,
	}
	if out.precision < acc.precision || out.minNormal > acc.minNormal {
		b.store = 2 * out.roundoff()
		b.underflow += out.minNormal
	}
	return b, nil
}

// growth is (1+u)^k - 1 without cancellation.
func growth(k int64, u float64) float64 { return math.Expm1(float64(k) * math.Log1p(u)) }

// Of is the bound for one element: want is c, abs is S.
func (b DotBound) Of(want, abs float64) float64 {
	accumulated := b.growth*abs + b.underflow*(1+b.growth)
	return accumulated + b.store*(math.Abs(want)+accumulated)
}
