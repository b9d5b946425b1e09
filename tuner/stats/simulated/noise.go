// Package simulated proves the rules of package stats on devices whose true times are known.
//
// A Device gives times under a noise model; Tune runs batches, final and confirmation on it as
// the tuner does; Check does so thousands of times and counts the false claims.
package simulated

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"time"
)

// A Noise makes the disturbance of one device: a function that gives the factor on a true time
// at a moment, in the order of moments. The moment is in units of the baseline's true time.
type Noise struct {
	Name string
	Doc  string
	New  func(rng *rand.Rand) func(moment float64) float64
}

// Noises are the noise models. Where a model has a scale in time it is drawn anew for each
// device, so that no scale is favoured.
var Noises = []Noise{
	{"normal", "every sample by itself, sigma 1%", func(rng *rand.Rand) func(float64) float64 {
		return func(float64) float64 { return math.Exp(0.01 * rng.NormFloat64()) }
	}},
	{"heavy-tailed", "Student's t with 2 degrees of freedom, scale 1%, and one sample in 20 up to 10 times slower", func(rng *rand.Rand) func(float64) float64 {
		return func(float64) float64 {
			t := rng.NormFloat64() / math.Sqrt(rng.ExpFloat64()) // chi-squared(2)/2 is exponential(1)
			slow := 0.0
			if rng.IntN(20) == 0 {
				slow = rng.Float64() * math.Log(10)
			}
			return math.Exp(0.01*t + slow)
		}
	}},
	{"drifting", "30% slower over 200 to 20,000 samples, a random walk of 0.1% steps, sigma 1%", func(rng *rand.Rand) func(float64) float64 {
		length := 200 * math.Pow(100, rng.Float64())
		walk := 0.0
		return func(moment float64) float64 {
			walk += 0.001 * rng.NormFloat64()
			return math.Exp(math.Log(1.3)*math.Min(1, moment/length) + walk + 0.01*rng.NormFloat64())
		}
	}},
	{"two-state clock", "0.65 and 0.32 TFLOPS, mean stay of 1 to 1,000 samples, sigma 1%", func(rng *rand.Rand) func(float64) float64 {
		stay := math.Pow(1000, rng.Float64())
		slow := rng.IntN(2) == 0
		next := 0.0
		return func(moment float64) float64 {
			for moment >= next {
				slow = !slow
				next += stay * rng.ExpFloat64()
			}
			f := math.Exp(0.01 * rng.NormFloat64())
			if slow {
				f *= 0.65 / 0.32
			}
			return f
		}
	}},
	{"periodic", "30% slower for a fifth of a period of 2 to 200 samples, sigma 1%", func(rng *rand.Rand) func(float64) float64 {
		period := 2 * math.Pow(100, rng.Float64())
		phase := rng.Float64()
		return func(moment float64) float64 {
			f := math.Exp(0.01 * rng.NormFloat64())
			if _, at := math.Modf(moment/period + phase); at < 0.2 {
				f *= 1.3
			}
			return f
		}
	}},
	{"recorded", "one GEMM on an RTX A4000, 32,000 samples in the order taken, from a random place", recorded},
}

// The record is one configuration benchmarked 1,000 times, 32 runs each: an A/A ground truth.
// It is a Kernel Tuner cache file by Floris-Jan Willemsen, unchanged (MIT, testdata/LICENSE).
//
//go:embed testdata/gemm_opencl_rtx_a4000.json.gz
var record []byte

// Record returns the recorded times in the order taken, in milliseconds.
func Record() ([]float64, error) {
	z, err := gzip.NewReader(bytes.NewReader(record))
	if err != nil {
		return nil, err
	}
	var file struct {
		Cache map[string]struct {
			Times     []float64 `json:"times"`
			Timestamp string    `json:"timestamp"`
		} `json:"cache"`
	}
	if err := json.NewDecoder(z).Decode(&file); err != nil {
		return nil, fmt.Errorf("noise record: %w", err)
	}
	type benchmark struct {
		at    time.Time
		times []float64
	}
	var all []benchmark
	for _, c := range file.Cache {
		at, err := time.Parse("2006-01-02 15:04:05.999999-07:00", c.Timestamp)
		if err != nil {
			return nil, fmt.Errorf("noise record: %w", err)
		}
		all = append(all, benchmark{at, c.Times})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].at.Before(all[j].at) })
	var times []float64
	for _, b := range all {
		times = append(times, b.times...)
	}
	return times, nil
}

var recordedTimes = func() []float64 {
	times, err := Record()
	if err != nil {
		panic(err) // the file is embedded
	}
	return times
}()

func recorded(rng *rand.Rand) func(float64) float64 {
	at := rng.IntN(len(recordedTimes))
	return func(float64) float64 {
		at = (at + 1) % len(recordedTimes)
		return recordedTimes[at] / recordedTimes[0]
	}
}

// A Device gives times of kernels whose true times are known.
type Device struct {
	factor func(float64) float64
	moment float64
	// Samples counts what was spent.
	Samples int
}

// NewDevice makes a device; devices from equal generators give equal times.
func NewDevice(n Noise, rng *rand.Rand) *Device { return &Device{factor: n.New(rng)} }

// Sample is one time of a kernel with the given true time.
func (d *Device) Sample(truth float64) float64 {
	t := truth * d.factor(d.moment)
	d.moment += t
	d.Samples++
	return t
}
