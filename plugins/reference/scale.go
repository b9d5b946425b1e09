package reference

import "math"

// A ScaleError is what a common factor between outputs and reference looks like: the least
// squares slope of got over want, less 1, with the standard error that the residuals imply
// (White, A Heteroskedasticity-Consistent Covariance Matrix Estimator, Econometrica 1980).
//
// A bound per element is blind to a factor of 1.01 on every output when the dot products are
// so long that the bound exceeds 1% of a typical output (in f32 from K of about 8,000 on).
// The slope is not: rounding errors of different outputs have no common direction, so over n
// outputs it is √n times sharper.
type ScaleError struct {
	Slope float64
	Sigma float64
	limit float64
}

// NewScaleError compares outputs with their references. What shrinks right results too is
// allowed for: truncation on store (half a unit in the last place on average) and stagnation
// of a narrow accumulator.
// Fewer than 16 outputs, or references that are all zero, show nothing.
func NewScaleError(got, want []float64, b DotBound) ScaleError {
	var gw, ww float64
	for i, w := range want {
		gw += got[i] * w
		ww += w * w
	}
	e := ScaleError{limit: b.growth + b.store/2}
	if len(want) < 16 || ww == 0 {
		return e
	}
	e.Slope = gw/ww - 1
	var v float64
	for i, w := range want {
		r := got[i] - gw/ww*w
		v += r * r * w * w
	}
	e.Sigma = math.Sqrt(v) / ww
	return e
}

// Allowance is the magnitude of slope that a right result may show: roundoff, and eight
// standard errors.
func (e ScaleError) Allowance() float64 { return e.limit + 8*e.Sigma }

// Significant reports a slope beyond the allowance. NaN is one.
func (e ScaleError) Significant() bool { return !(math.Abs(e.Slope) <= e.Allowance()) }
