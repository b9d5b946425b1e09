// Package guard proves a compiled candidate right before anything is timed.
//
// It trusts no success code: outputs, scratch and shared memory are poisoned before each run,
// buffers stand between guard bands, inputs are looked at afterwards, and every value is held
// against a reference that the CPU computed. One check is one file. The cheap checks come
// first, and the small problems before the large one, so that a wrong candidate dies early.
//
// The checks of one case, in order:
//
//  1. Exact inputs, run once with descriptors that end with the buffers, and once from another
//     poison with descriptors that reach over the guard bands. After each run: the marker of the
//     runner's own kernel (a device that executes nothing), the guard bands (they are what an
//     out-of-bounds store hits first, and after one nothing else can be trusted), the inputs.
//  2. Poison left in an output after both runs: unwritten. It needs no reference. A third run,
//     from a finite poison, tells an element that nobody wrote from one that hands poison on.
//  3. The two runs' outputs differ: nondeterministic, or, if a run with exact descriptors agrees
//     with the first, a read beyond a buffer. It needs no reference either.
//  4. NaN and infinity, in every element: a reference may look at samples only.
//  5. The exact reference, bit by bit. It is the first check that may wait for the CPU.
//  6. Rounded inputs, one run from a fill of ordinary numbers, for kernels in which a NaN that
//     was read vanishes (in a maximum): marker, guard bands, inputs, NaN, and the bound of each
//     element. They come last because what they find, checks 1 to 5 mostly found with no
//     tolerance.
//
// Outputs of the rounded run are remembered by digest, and what timed launches leave is held
// against them (Timed). A leader of a race is run again and again on exact inputs after idle
// pauses (Soak).
//
// All runs are on a device without robust buffer access, as a decoder's are: robustness would
// drop a store beyond a buffer before a guard band could show it, and reads beyond one would
// give zeros that hide the error. Where a driver drops such stores all the same, the wide
// descriptors of the second run let them land.
package guard

import (
	"context"
	"fmt"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
	"github.com/krisptune/krisptune/plugins/runner/launch"
)

// A Machine executes one case's launch on a device. It is bound to the case's pipelines.
type Machine interface {
	// Run loads the inputs, fills everything else with the pattern, dispatches all passes
	// and reads every buffer back.
	Run(ctx context.Context, run Run) (*Memory, error)
	// Distrust says that buffers of other cases may have been written: their inputs are
	// loaded again.
	Distrust()
}

// A Run is what a Machine is asked to do once.
type Run struct {
	// Key names the inputs: those that lie on the device under the same key are not
	// written again.
	Key    string
	Inputs map[string][]byte // by buffer name, every input and inout buffer
	Fill   launch.Fill
	// Wide lets descriptors reach over the guard band behind each buffer, where a driver
	// would otherwise drop stores beyond the end rather than let them be seen.
	Wide bool
	// Light poisons the shared memory of a few workgroups only: it has been poisoned in full
	// for the same launch.
	Light bool
	// Rest is how long the device idles between the fill and the launch.
	Rest     time.Duration
	Deadline time.Duration
}

// Memory is what a run left, valid until the machine's next run.
type Memory struct {
	// Executed is whether our own kernel, dispatched in the same submit, left its marker.
	Executed bool
	// Reused is whether the inputs were left from an earlier run.
	Reused bool
	// Buffers are in the order of Build.Buffers.
	Buffers []launch.Contents
}

// A Case is one problem on which a candidate is checked.
type Case struct {
	Name    string // the problem's canonical spelling
	Build   plugins.Build
	Config  plugins.Config // whose values may explain a pattern
	Trials  *TrialSet
	Machine Machine
	// Deadline bounds each run.
	Deadline time.Duration
}

// A finding is what a check has against a candidate.
type finding struct {
	verdict  plugins.Verdict
	evidence plugins.Evidence
	shape    string // of the bad elements, for a check that words the finding anew
}

// found makes a finding with a message.
func found(v plugins.Verdict, check, buffer, format string, args ...any) *finding {
	return &finding{verdict: v, evidence: plugins.Evidence{Check: check, Buffer: buffer, Message: fmt.Sprintf(format, args...)}}
}

// A Result is the outcome of one case.
type Result struct {
	Verdict  plugins.Verdict
	Evidence plugins.Evidence
	// Digest is of the outputs of the rounded run, for comparison with those of timed runs.
	Digest uint64
}

// Check runs the checks of one case. Evidence of a verdict other than OK says what was seen.
// An error of the device or the system, too, comes with the problem and the number of runs.
func Check(ctx context.Context, c Case) (Result, error) {
	s := &session{Case: c, sound: make(map[string]bool)}
	f, err := s.check(ctx)
	if err != nil {
		return Result{Evidence: plugins.Evidence{Runs: s.runs, Problem: c.Name}}, err
	}
	if f == nil {
		return Result{Verdict: plugins.OK, Evidence: plugins.Evidence{Runs: s.runs}, Digest: s.digest}, nil
	}
	if f.verdict == plugins.OutOfBounds || f.verdict == plugins.InputModified {
		c.Machine.Distrust()
	}
	f.evidence.Problem, f.evidence.Runs = c.Name, s.runs
	return Result{Verdict: f.verdict, Evidence: f.evidence}, nil
}

// A session is the checking of one case.
type session struct {
	Case
	runs   int
	rest   time.Duration // before the next launch
	light  bool          // shared memory was poisoned in full for this case
	digest uint64
	sound  map[string]bool // inputs that were found unchanged after a run of this case
}

func (s *session) check(ctx context.Context) (*finding, error) {
	for i, trial := range s.Trials.Exact {
		if f, err := s.exact(ctx, fmt.Sprintf("%s exact %d", s.Trials.Key, i), trial); f != nil || err != nil {
			return f, err
		}
	}
	return s.rounded(ctx)
}

// exact runs one set of exact inputs twice, from different poison: the outputs must be the
// reference's bit by bit, and so the same.
func (s *session) exact(ctx context.Context, key string, trial reference.Trial) (*finding, error) {
	inputs := s.toBuffers(trial.Inputs())
	memory, f, err := s.run(ctx, key, inputs, launch.Fills[0], exactRange)
	if f != nil || err != nil {
		return f, err
	}
	first := s.keepOutputs(memory)
	if memory, f, err = s.run(ctx, key, inputs, launch.Fills[1], wideRange); f != nil || err != nil {
		return f, err
	}
	second := s.keepOutputs(memory)
	if f := s.unwritten(first, second); f != nil {
		if f.verdict != plugins.Unwritten {
			return f, nil
		}
		return s.confirmUnwritten(ctx, key, inputs, f)
	}
	if f := s.repeated(first, second); f != nil {
		return s.explainRepeated(ctx, key, inputs, first, f)
	}
	if f := s.finite("exact", second); f != nil {
		return f, nil
	}
	return s.values("exact", trial, second)
}

// rounded runs random normals once, against the bound of each element, from a fill in which
// nothing is NaN.
func (s *session) rounded(ctx context.Context) (*finding, error) {
	trial := s.Trials.Rounded
	memory, f, err := s.run(ctx, s.Trials.Key+" rounded", s.toBuffers(trial.Inputs()), launch.Ordinary, wideRange)
	if f != nil || err != nil {
		return f, err
	}
	outputs := s.outputs(memory)
	if f := s.finite("rounded", outputs); f != nil {
		return f, nil
	}
	s.digest = Digest(outputs)
	return s.values("rounded", trial, outputs)
}

// The values of Run.Wide.
const (
	exactRange = false
	wideRange  = true
)

// run executes once and makes the checks that need no reference.
func (s *session) run(ctx context.Context, key string, inputs map[string][]byte, fill launch.Fill, wide bool) (*Memory, *finding, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	memory, err := s.Machine.Run(ctx, Run{Key: key, Inputs: inputs, Fill: fill, Wide: wide, Light: s.light, Rest: s.rest, Deadline: s.Deadline})
	if err != nil {
		return nil, nil, err
	}
	s.runs++
	if !memory.Executed {
		return nil, found(plugins.Unwritten, "marker", "", "the device reported success and executed nothing: "+
			"the marker of the runner's own kernel in the same submit was not written"), nil
	}
	if f := s.canaries(memory, fill); f != nil {
		return nil, f, nil
	}
	f := s.inputs(memory, inputs)
	if f != nil && memory.Reused && !s.sound[key] {
		// The inputs have lain there since an earlier candidate, which may have written
		// them unseen: this one is judged on inputs of its own.
		s.Machine.Distrust()
		s.sound[key] = true
		return s.run(ctx, key, inputs, fill, wide)
	}
	s.sound[key] = true
	return memory, f, nil
}
