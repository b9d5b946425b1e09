package plugins

import (
	"context"
	"fmt"
	"time"
)

// A Runner is the process that touches a driver, on one device in one arm. Methods may be
// called from one goroutine at a time, except that cancelling ctx stops a call at the next
// dispatch.
type Runner interface {
	// Devices lists every device that this process's driver offers. It needs no Open.
	Devices(ctx context.Context) ([]Device, error)
	// Open chooses the device and tests its clocks. It is called once, first.
	Open(ctx context.Context, opts OpenOptions) (Opened, error)
	// Compile creates the pipelines of each candidate, in parallel, and keeps them. Results
	// come in the order of completion.
	Compile(ctx context.Context, candidates []Candidate, each func(Compiled)) error
	// Inputs writes the guard's inputs of every build that names no reference Op into the
	// session folder and returns what the family must compute from them before Check. A
	// request whose answers already lie there is not returned.
	Inputs(ctx context.Context, checks []Check) ([]ReferenceRequest, error)
	// Check guards compiled candidates, one after another in the order given.
	Check(ctx context.Context, checks []Check, each func(Checked)) error
	// Race takes samples of compiled candidates in interleaved rounds, each round in a
	// random order drawn from the seed.
	Race(ctx context.Context, race Race, each func(Sample)) error
	// Release frees what Compile keeps for the named candidates.
	Release(ctx context.Context, ids []string) error
}

// OpenOptions choose a device and how it is used.
type OpenOptions struct {
	// Device is an index, a name's substring, a UUID or a driver's name; empty takes the
	// default: discrete, then integrated, CPU last.
	Device string
	// Validate turns the Khronos layer on: any message fails the candidate.
	Validate bool
	// CacheFile holds the pipeline cache of this device, driver and arm; empty keeps none.
	CacheFile string
	// SessionDir is a private folder for files between core, family and runner.
	SessionDir string
	// Seed makes all inputs.
	Seed uint64
	// MeasureCache has Open measure the last-level cache, which cold races need.
	MeasureCache bool
	// CompileDeadline bounds one pipeline; 0 means the runner's default.
	CompileDeadline time.Duration
}

// Opened says which device was opened and what its clocks are worth.
type Opened struct {
	Device Device
	Clock  Clock
	// ClockReason says why Clock is not GPUTimestamp, or by how much the two clocks agreed.
	ClockReason string
	// Overhead is the time of an empty dispatch under Clock.
	Overhead time.Duration
	// CacheBytes is the size of the last-level cache as a working-set sweep shows it; 0 where
	// it was not measured or the sweep shows no edge.
	CacheBytes int64
	// Inert is set for a device that reports success and executes nothing.
	Inert bool
	// Warnings are things that a user should know, such as a driver that stops long loops.
	Warnings []string
}

// A Clock says what a duration means.
type Clock string

const (
	GPUTimestamp Clock = "gpu_timestamp" // between two timestamps on the device
	HostBatch    Clock = "host_batch"    // host wall time around a submit, over its repeats
)

// A Candidate is one configuration on one problem, under an ID that the core chooses.
type Candidate struct {
	ID    string
	Build Build
}

// Compiled is the outcome of compiling one candidate.
type Compiled struct {
	ID       string
	Verdict  Verdict // OK, compile-failed, compile-timeout, out-of-memory, validation
	Evidence Evidence
	Elapsed  time.Duration
	// Statistics are the driver's, per pass in order; empty where it gives none.
	Statistics []Statistic
}

// A Statistic is one number of VK_KHR_pipeline_executable_properties.
type Statistic struct {
	Pass  int     `json:"pass"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// A Check guards one compiled candidate on its own problem and on Cases besides.
type Check struct {
	ID string
	// Problem is the candidate's own; Config is for the family's references.
	Problem Problem
	Config  Config
	// Cases are further problems of the same configuration: tails, a long reduction. They
	// are checked first, the smallest first, so that a wrong candidate dies early.
	Cases []Case
	// Deadline bounds each dispatch; 0 means the runner's default.
	Deadline time.Duration
	// Soak, if positive, asks for endurance instead of proof, of a candidate that has passed:
	// so many rounds, each running every problem once on exact inputs, every output compared
	// by digest with the first round's. Before each round the device idles for Pause, before
	// every tenth for ten times as long.
	Soak  int
	Pause time.Duration
}

// A Case is one further problem for the guard.
type Case struct {
	Problem Problem
	Build   Build
}

// Checked is the guard's verdict on one candidate.
type Checked struct {
	ID       string
	Verdict  Verdict
	Evidence Evidence
	Elapsed  time.Duration
	// Compile is the part of Elapsed that pipelines of further cases took.
	Compile time.Duration
}

// A Race asks for rounds of samples. Entrants index samples; the same candidate may stand
// under several entries (the baseline does: the A/A control).
type Race struct {
	Entrants []string // candidate IDs
	// Rounds to take, the first of them numbered FirstRound.
	Rounds, FirstRound int
	Seed               uint64
	// MinSample is how long one sample should last: repeats are chosen to reach it.
	MinSample time.Duration
	// Deadline bounds one sample; 0 means the runner's default.
	Deadline time.Duration
	// Warmup dispatches each entrant, unrecorded, until two times agree within 5%.
	Warmup bool
	// Mode and Gap say what a sample is to be of; empty means Hot and Dependent.
	Mode Mode
	Gap  Gap
	// Clock, if HostBatch, is used even where GPU timestamps are trusted: samples of two arms
	// compare only under one clock.
	Clock Clock
}

// A Sample is one entrant's time in one round.
type Sample struct {
	Round   int
	Entrant int // index into Race.Entrants
	// Nanoseconds of one launch (all passes), averaged over Repeats launches.
	Nanoseconds float64
	Repeats     int
	Clock       Clock
	Mode        Mode
	Gap         Gap
	// Verdict is OK, or why the sample failed; a failed sample has no Nanoseconds.
	Verdict  Verdict
	Evidence Evidence
}

// A Gap says what stands between the repeats of one sample.
type Gap string

const (
	Dependent Gap = "dependent" // a barrier between repeats, all in one submit: streamed
	Submit    Gap = "submit"    // each launch in a submit of its own, waited for: single-shot
)

// A Mode says what the device's caches hold when a launch begins. Both are true of some use of
// a kernel, and they may differ by a factor of twenty.
type Mode string

const (
	Hot  Mode = "hot"  // every launch uses the same buffers
	Cold Mode = "cold" // launches rotate through more buffers than the last-level cache holds
)

// ParseGap reads a gap's name.
func ParseGap(s string) (Gap, error) {
	if g := Gap(s); g == Dependent || g == Submit {
		return g, nil
	}
	return "", fmt.Errorf("unknown gap %q, expected %s or %s", s, Dependent, Submit)
}

// ParseMode reads a mode's name.
func ParseMode(s string) (Mode, error) {
	if m := Mode(s); m == Hot || m == Cold {
		return m, nil
	}
	return "", fmt.Errorf("unknown mode %q, expected %s or %s", s, Hot, Cold)
}
