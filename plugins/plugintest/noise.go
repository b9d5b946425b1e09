package plugintest

import (
	"math"
	"math/rand/v2"
)

// A Noise is what stands between a true time and a sample. The zero Noise is none.
type Noise struct {
	// Each sample by itself.
	Sigma   float64 // standard deviation of the logarithm of each sample
	Outlier float64 // probability that a sample takes three times as long
	// Second makes samples of a candidate's second label that many times as long: a
	// disturbance that only the A/A control can show.
	Second float64
	// Drift is the amplitude of a slow wave that all samples of a round share, as a fraction.
	Drift float64

	// The device over its samples, in the order taken in one process.
	StepAt int     // from this sample on, if positive, all take Step times as long
	Step   float64 // 2 for half the speed
	Stay   int     // if positive, the clock changes at random between two states after so many samples on average
	Slow   float64 // how many times as long the slow state takes: 2.03 for 0.65 and 0.32 TFLOPS
	Period int     // if positive, every so many samples a fifth of them take Pulse times as long
	Pulse  float64
}

// factor is what Noise makes of one sample, itself and its round considered.
func (n Noise) factor(r *rand.Rand, round int) float64 {
	f := math.Exp(n.Sigma*r.NormFloat64()) * (1 + n.Drift*math.Sin(float64(round)/5))
	if r.Float64() < n.Outlier {
		f *= 3
	}
	return f
}

// A weather is the state of a device between samples.
type weather struct {
	taken int
	slow  bool
	rng   *rand.Rand
}

// next is what the state makes of the next sample.
func (w *weather) next(n Noise, seed uint64) float64 {
	if w.rng == nil {
		w.rng = rand.New(rand.NewPCG(seed, 0xc10c))
	}
	at := w.taken
	w.taken++
	f := 1.0
	if n.StepAt > 0 && at >= n.StepAt {
		f *= n.Step
	}
	if n.Stay > 0 {
		if w.rng.IntN(n.Stay) == 0 {
			w.slow = !w.slow
		}
		if w.slow {
			f *= n.Slow
		}
	}
	if n.Period > 0 && at%n.Period < max(n.Period/5, 1) {
		f *= n.Pulse
	}
	return f
}
