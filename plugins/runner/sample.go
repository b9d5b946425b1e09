package runner

import (
	"fmt"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/guard"
)

// An entrant is a candidate made ready for a race: bound to buffers that hold rounded inputs.
// What the guard refused is never timed.
type entrant struct {
	candidate *candidate
	trials    *guard.TrialSet
	slots     []slot
	inputs    map[string][]byte
	inout     bool
	how       measuring
	deadline  time.Duration
	ready     bool
	failed    plugins.Verdict // OK while it races
	evidence  plugins.Evidence
}

func (r *Runner) newEntrant(c *candidate, deadline time.Duration, how measuring) (*entrant, error) {
	e := &entrant{candidate: c, deadline: deadline, how: how, failed: plugins.OK}
	if v := c.guarded.Verdict; v != "" && v != plugins.OK {
		e.failed, e.evidence = v, c.guarded.Evidence
		return e, nil
	}
	if r.inert {
		e.failed, e.evidence = plugins.Unwritten, plugins.Evidence{Check: "marker", Message: "the device reports success and executes nothing"}
		return e, nil
	}
	for _, b := range c.build.Buffers {
		e.inout = e.inout || b.Role == plugins.InOut
	}
	var err error
	if e.trials, err = r.trials.Set(c.problem, c.build); err != nil {
		return nil, err
	}
	e.inputs = e.trials.RoundedInputs()
	e.slots = make([]slot, r.slots(c.build.Buffers, how.mode))
	if err = r.fillSlots(e, 1); err != nil && !r.fail(e, err) {
		return nil, err
	}
	return e, nil
}

func (e *entrant) close() {
	for _, s := range e.slots {
		if s.launch != nil {
			s.launch.Close()
		}
	}
}

// fail gives the entrant the verdict that err means; false if it is not the candidate's.
func (r *Runner) fail(e *entrant, err error) bool {
	verdict, ok := r.failure(err)
	if ok {
		e.failed, e.evidence = verdict, plugins.Evidence{Check: "race", Message: err.Error()}
	}
	return ok
}

// sample times one sample and returns the nanoseconds of one launch, or gives the entrant a
// verdict. Outputs are poisoned before every sample, outside the interval, so that what is
// checked was left by the timed launches, and so that all samples are alike.
func (r *Runner) sample(e *entrant, check bool) float64 {
	defer func() { r.lastSample = time.Now() }()
	repeats := e.candidate.repeats
	used := min(repeats, len(e.slots))
	if err := r.fillSlots(e, used); err != nil {
		r.reject(e, err)
		return 0
	}
	t, err := r.launches(e, used, repeats)
	if err != nil {
		r.reject(e, err)
		return 0
	}
	if verdict, evidence := r.validation(); verdict != plugins.OK {
		e.failed, e.evidence = verdict, evidence
		return 0
	}
	elapsed, doubt := r.believe(t)
	if doubt != "" {
		e.failed, e.evidence = plugins.Implausible, plugins.Evidence{Check: "clock", Message: doubt}
		return 0
	}
	if check {
		doubt, err := r.doubt(e, t, elapsed/time.Duration(repeats), repeats)
		if err != nil {
			r.reject(e, err)
			return 0
		}
		if doubt != "" {
			e.failed, e.evidence = plugins.Implausible, plugins.Evidence{Check: "rate", Message: doubt}
			return 0
		}
	}
	if check && r.verifyNow(e) {
		r.verifyTimed(e, repeats)
	}
	return float64(elapsed) / float64(repeats)
}

// reject gives the entrant a verdict for any error; one that is nobody's is a lost device, for
// nothing can be trusted after it.
func (r *Runner) reject(e *entrant, err error) {
	if !r.fail(e, err) {
		e.failed, e.evidence = plugins.DeviceLost, plugins.Evidence{Check: "race", Message: err.Error()}
		r.spend(err)
	}
}

// believe picks the clock's time, or says why it is not one: a duration that is not positive,
// or longer than the host saw the whole submit take.
func (r *Runner) believe(t timing) (elapsed time.Duration, doubt string) {
	if r.clock == plugins.HostBatch {
		return max(t.host, 1), ""
	}
	switch {
	case t.gpuErr != nil:
		return 0, fmt.Sprintf("the timestamps cannot be read: %v", t.gpuErr)
	case t.gpu <= 0:
		return 0, fmt.Sprintf("the timestamps are %d ns apart, expected a positive time", t.gpu.Nanoseconds())
	case float64(t.gpu) > (1+agreement)*float64(t.host)+float64(time.Millisecond):
		return 0, fmt.Sprintf("the timestamps are %v apart, but the whole submit took %v by the host's clock", t.gpu, t.host)
	}
	return t.gpu, ""
}

// cheapOutputs is how many bytes of outputs are read back after every sample. Larger ones are
// read after a candidate's 1st, 2nd, 4th, 8th, ... sample: across a bus they take longer than
// the sample does.
const cheapOutputs = 1 << 20

func (r *Runner) verifyNow(e *entrant) bool {
	e.candidate.samples++
	var bytes int64
	for _, b := range e.candidate.build.Buffers {
		if b.Role == plugins.Output || b.Role == plugins.InOut {
			bytes += b.Size()
		}
	}
	n := e.candidate.samples
	return bytes <= cheapOutputs || n&(n-1) == 0
}

// verifyTimed holds what the timed launches left against the guard's run, by digest, and where
// that differs (a kernel may sum in another order each time) against the reference. The
// accumulation of several launches in an inout buffer has no reference: one launch more, from
// the initial values, stands for them.
func (r *Runner) verifyTimed(e *entrant, repeats int) {
	c, last := e.candidate, e.slots[(repeats-1)%len(e.slots)]
	if e.inout && repeats > 1 {
		err := last.set.Load(e.trials.RoundedKey(), e.inputs)
		if err == nil {
			err = r.submit(e.deadline, func() { last.launch.Record(r.recorder) })
		}
		if err != nil {
			r.reject(e, err)
			return
		}
	}
	outputs := make([][]byte, len(c.build.Buffers))
	byName := make(map[string][]byte)
	for i, b := range c.build.Buffers {
		if b.Role != plugins.Output && b.Role != plugins.InOut {
			continue
		}
		contents, err := last.set.Contents(i)
		if err != nil {
			r.reject(e, err)
			return
		}
		outputs[i], byName[b.Name] = contents.Data, contents.Data
	}
	digest := guard.Digest(outputs)
	if c.proved && digest == c.digest {
		return
	}
	if c.build.Reference.Op == "" && !c.proved {
		return // its family was never asked for a reference here
	}
	verdict, evidence, err := guard.Timed(e.trials, c.build, byName)
	if err != nil {
		r.reject(e, err)
		return
	}
	if verdict != plugins.OK {
		e.failed, e.evidence = verdict, evidence
		return
	}
	c.digest, c.proved = digest, true
}
