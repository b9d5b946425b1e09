// Package emit writes what a tuning run found: one file for each output format.
package emit

import (
	"fmt"

	"github.com/krisptune/krisptune/plugins"
)

// A Result is the outcome of one tuning run with its evidence. Its JSON is the document that
// `krisptune tune --json` prints and best.json holds. Durations ending in _ns are nanoseconds,
// those in wall_s seconds. A ratio is baseline time over winner time: above 1 is faster.
type Result struct {
	Kernel  string  `json:"kernel" toml:"kernel"`
	Family  string  `json:"family" toml:"family"`
	Outcome Outcome `json:"outcome" toml:"outcome"`
	Device  Device  `json:"device" toml:"device"`
	// Winner equals Baseline when the baseline stands and is nil when nothing passed.
	Winner *Candidate `json:"winner" toml:"winner"`
	// Baseline is nil where there is none: it failed the guard, or the user wanted none.
	Baseline *Candidate `json:"baseline" toml:"baseline"`
	Problems []Problem  `json:"problems" toml:"problems"`
	// Confidence is that of every ratio's interval.
	Confidence float64 `json:"confidence" toml:"confidence"`
	// Pareto is the set of time and memory, the fastest first; empty where memory is no objective.
	Pareto []Tradeoff `json:"pareto" toml:"pareto"`
	// AARatio compares the baseline with itself in the same race: what noise alone does.
	AARatio         *float64    `json:"aa_ratio" toml:"aa_ratio"`
	AARatioInterval *[2]float64 `json:"aa_ratio_interval" toml:"aa_ratio_interval"`
	// Verdicts counts the candidates by the guard's verdict.
	Verdicts    map[plugins.Verdict]int `json:"verdicts" toml:"verdicts"`
	Evaluations int                     `json:"evaluations" toml:"evaluations"`
	// VerdictsReused of them rest on an earlier run's guard.
	VerdictsReused int `json:"verdicts_reused" toml:"verdicts_reused"`
	// Stopped says why the search ended: "budget", "exhausted", "interrupted", ...
	Stopped string        `json:"stopped" toml:"stopped"`
	WallS   Wall          `json:"wall_s" toml:"wall_s"`
	Clock   plugins.Clock `json:"clock" toml:"clock"`
	// Mode and Gap say what a sample was of, OverheadNS how long an empty dispatch takes.
	Mode       plugins.Mode `json:"mode" toml:"mode"`
	Gap        plugins.Gap  `json:"gap" toml:"gap"`
	OverheadNS float64      `json:"overhead_ns" toml:"overhead_ns"`
	Strategy   string       `json:"strategy" toml:"strategy"`
	Seed       uint64       `json:"seed" toml:"seed"`
	Tool       Tool         `json:"tool" toml:"tool"`
	Warnings   []string     `json:"warnings" toml:"warnings"`
	Files      []string     `json:"files" toml:"files"`
}

// An Outcome says what the run may claim.
type Outcome string

const (
	Better         Outcome = "better"          // the gain is outside the noise
	BaselineStands Outcome = "baseline-stands" // nothing beats the baseline
	NoBaseline     Outcome = "no-baseline"     // the baseline failed the guard: the fastest that passed, without a ratio
	NonePassed     Outcome = "none-passed"     // no candidate passed the guard
)

// A Device is what makes times comparable: they hold for this device under this driver only.
type Device struct {
	Name          string `json:"name" toml:"name"`
	Type          string `json:"type" toml:"type"`
	UUID          string `json:"uuid" toml:"uuid"`
	VendorID      uint32 `json:"vendor_id" toml:"vendor_id"`
	DriverID      uint32 `json:"driver_id" toml:"driver_id"`
	DriverName    string `json:"driver_name" toml:"driver_name"`
	DriverInfo    string `json:"driver_info" toml:"driver_info"`
	DriverVersion string `json:"driver_version" toml:"driver_version"`
	APIVersion    string `json:"api_version" toml:"api_version"`
}

// DeviceOf takes what a result keeps from a device's description.
func DeviceOf(d plugins.Device) Device {
	return Device{d.Name, d.Type, d.UUID, d.VendorID, d.DriverID, d.DriverName, d.DriverInfo, d.DriverVersion, d.APIVersion}
}

// A Candidate is one configuration in one arm with its times, over all problems by weight.
type Candidate struct {
	Config   Values            `json:"config" toml:"config"`
	Settings map[string]string `json:"settings" toml:"settings"` // driver variables set; empty is the stock driver
	MedianNS float64           `json:"median_ns" toml:"median_ns"`
	// IntervalNS holds the median with the race's confidence.
	IntervalNS [2]float64 `json:"interval_ns" toml:"interval_ns"`
	Samples    int        `json:"samples" toml:"samples"`
	// Ratio comes from the confirmation race; nil without a baseline.
	Ratio         *float64    `json:"ratio" toml:"ratio"`
	RatioInterval *[2]float64 `json:"ratio_interval" toml:"ratio_interval"`
	Modules       []Module    `json:"modules" toml:"modules"`
	// Soak is nil where the candidate was not soaked: only the leader of the final race is.
	Soak *Soak `json:"soak" toml:"soak"`
}

// A Tradeoff is a configuration that no other one matches in time and in memory. Its ratio to the
// baseline comes from the race in which it was evaluated and is not confirmed.
type Tradeoff struct {
	Config        Values            `json:"config" toml:"config"`
	Settings      map[string]string `json:"settings" toml:"settings"`
	Ratio         float64           `json:"ratio" toml:"ratio"`
	RatioInterval [2]float64        `json:"ratio_interval" toml:"ratio_interval"`
	MemoryBytes   int64             `json:"memory_bytes" toml:"memory_bytes"`
}

// A Soak says how often the candidate was run again before it was believed, all outputs compared.
type Soak struct {
	Rounds   int   `json:"rounds" toml:"rounds"`
	PauseMS  int64 `json:"pause_ms" toml:"pause_ms"` // before each round; ten times that before each tenth
	Problems int   `json:"problems" toml:"problems"` // in each round
	Runs     int   `json:"runs" toml:"runs"`
}

// A Module names the exact SPIR-V that was measured.
type Module struct {
	Name   string `json:"name" toml:"name"`
	SHA256 string `json:"spirv_sha256" toml:"spirv_sha256"`
}

// A Problem is one problem of the objective with the winner's time and gain on it.
type Problem struct {
	Problem  Values   `json:"problem" toml:"problem"`
	Weight   float64  `json:"weight" toml:"weight"`
	MedianNS float64  `json:"median_ns" toml:"median_ns"`
	Ratio    *float64 `json:"ratio" toml:"ratio"`
}

// Wall splits the run's wall time, in seconds.
type Wall struct {
	Compile float64 `json:"compile" toml:"compile"`
	Guard   float64 `json:"guard" toml:"guard"`
	Race    float64 `json:"race" toml:"race"`
	Other   float64 `json:"other" toml:"other"`
}

// A Tool says which krisptune ran and how it was called.
type Tool struct {
	Version string   `json:"version" toml:"version"`
	Command []string `json:"command" toml:"command"`
}

// check refuses a result whose parts contradict each other: an emitted file is believed.
func (r Result) check() error {
	switch r.Outcome {
	case Better, BaselineStands:
		if r.Winner == nil || r.Baseline == nil {
			return fmt.Errorf("outcome %s without a winner and a baseline", r.Outcome)
		}
	case NoBaseline:
		if r.Winner == nil || r.Baseline != nil {
			return fmt.Errorf("outcome %s needs a winner and no baseline", r.Outcome)
		}
	case NonePassed:
		if r.Winner != nil {
			return fmt.Errorf("outcome %s with a winner", r.Outcome)
		}
	default:
		return fmt.Errorf("unknown outcome %q", r.Outcome)
	}
	return nil
}
