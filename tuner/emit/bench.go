package emit

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"

	"github.com/krisptune/krisptune/plugins"
)

// A Bench is a comparison of named configurations: the document of `krisptune bench --json`.
// Durations are nanoseconds. A ratio is the baseline's time over the configuration's: above 1
// is faster; its interval holds for all configurations together, whenever the race ended.
type Bench struct {
	Kernel string `json:"kernel"`
	Family string `json:"family"`
	Device Device `json:"device"`
	Run    int64  `json:"run"` // its number in the result database
	// Entrants are the baseline, then the configurations in the order given.
	Entrants []Entrant `json:"entrants"`
	// Fastest is the index of the entrant that no other is faster than by more than the
	// indifference; nil if the race did not tell.
	Fastest *int `json:"fastest"`
	// AARatio compares the reference with itself.
	AARatio         *float64      `json:"aa_ratio"`
	AARatioInterval *Limits       `json:"aa_ratio_interval"`
	Rounds          int           `json:"rounds"`
	Clock           plugins.Clock `json:"clock"`
	Mode            plugins.Mode  `json:"mode"`
	Gap             plugins.Gap   `json:"gap"`
	OverheadNS      float64       `json:"overhead_ns"`
	Warnings        []string      `json:"warnings"`
}

// An Entrant is one configuration of a comparison. What was not timed has no numbers; without a
// baseline that passed there are no ratios.
type Entrant struct {
	Config        Values            `json:"config"`
	Settings      map[string]string `json:"settings"`
	Verdict       plugins.Verdict   `json:"verdict"`
	Message       string            `json:"message"`
	MedianNS      *float64          `json:"median_ns"`
	IntervalNS    *Limits           `json:"interval_ns"`
	Samples       int               `json:"samples"`
	Ratio         *float64          `json:"ratio"`
	RatioInterval *Limits           `json:"ratio_interval"`
}

// Limits are the two ends of an interval. An end that too few samples leave open is infinite,
// and null in JSON.
type Limits [2]float64

// Interval makes Limits.
func Interval(lo, hi float64) *Limits { return &Limits{lo, hi} }

// MarshalJSON writes an open end as null.
func (l Limits) MarshalJSON() ([]byte, error) {
	var ends [2]*float64
	for i, x := range l {
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			ends[i] = &l[i]
		}
	}
	return json.Marshal(ends)
}

// JSON is the document, indented, with a final newline.
func (b Bench) JSON() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	if err := e.Encode(cleanValue(reflect.ValueOf(b)).Interface()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
