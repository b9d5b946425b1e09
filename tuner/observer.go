package tuner

import (
	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
)

// An Observer is told what a session does, for people to see. Its methods are called from one
// goroutine and must not block.
type Observer interface {
	// Opened is called once the baseline arm's device is open and its clock tested.
	Opened(o plugins.Opened)
	// Planned says how many evaluations the run will make at most and out of how many.
	Planned(evaluations, space int)
	// Evaluated is called after each evaluation is stored.
	Evaluated(e Evaluation)
	// Stage names what a longer wait is for: "final race", "confirmation race".
	Stage(name string)
	// Warn is called with things that make a result worth less.
	Warn(text string)
}

// An Evaluation is one candidate's way through guard and race.
type Evaluation struct {
	Config   plugins.Config
	Arm      string
	Verdict  plugins.Verdict
	Evidence plugins.Evidence
	// Ratio is the baseline's time over the candidate's, from the candidate's batch race;
	// nil where nothing was timed.
	Ratio *stats.Comparison
	// Best is the best ratio so far.
	Best float64
}
