package plugintest

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/krisptune/krisptune/plugins"
)

// A FakeRunner is a runner on no device: it knows each candidate's true time and fate, and
// draws samples around them without waiting. It keeps the contract of plugins.Runner, so what
// is tested with it holds for a real one. Knobs are set before the first call.
type FakeRunner struct {
	// Device is what it shows; the zero Device is FakeDevice().
	Device plugins.Device
	// Behave says what becomes of a build; nil makes every build right and take 10 µs. It runs
	// in the runner's process and may look at the environment: that is how a driver setting acts.
	Behave func(plugins.Build) Behaviour
	Noise  Noise

	opened   bool
	lost     bool
	weather  weather
	options  plugins.OpenOptions
	compiled map[string]plugins.Build
}

// A Behaviour is the truth about one build.
type Behaviour struct {
	// Time of one launch.
	Time time.Duration
	// Verdict, if not OK, or Fault shows at stage At; the stages before it pass.
	Verdict plugins.Verdict
	Fault   Fault
	At      Stage
}

// A Stage is one of the calls on a candidate.
type Stage int

const (
	AtCompile Stage = iota
	AtCheck
	AtRace
	AtSoak
)

// A Fault is what a runner cannot answer about. Each needs a process of its own.
type Fault int

const (
	NoFault Fault = iota
	Crash         // the process ends by SIGSEGV
	Hang          // the call never ends and does not heed its context
)

// FakeDevice has the limits that Vulkan guarantees, or little more.
func FakeDevice() plugins.Device {
	return plugins.Device{Name: "Fake Device", Vendor: "krisptune", DriverName: "fake", DriverVersion: "1.0",
		APIVersion: "1.1.0", Type: "other", UUID: "66616b65-0000-0000-0000-000000000000",
		Limits: plugins.Limits{SharedMemory: 32 << 10, MaxInvocations: 1024, MaxWorkgroupSize: [3]uint32{1024, 1024, 64},
			MaxWorkgroupCount: [3]uint32{65535, 65535, 65535}, PushConstantBytes: 128, BufferAlignment: 16,
			MaxBufferRange: 1 << 27, MaxAllocation: 1 << 30, SubgroupSize: 32, SubgroupMin: 32, SubgroupMax: 32,
			TimestampBits: 64, TimestampPeriod: 1},
		Memory: plugins.Memory{Unified: true, Heaps: []plugins.Heap{{Size: 8 << 30, DeviceLocal: true}}}}
}

var _ plugins.Runner = (*FakeRunner)(nil)

func (r *FakeRunner) device() plugins.Device {
	if r.Device.Name == "" {
		return FakeDevice()
	}
	return r.Device
}

func (r *FakeRunner) Devices(context.Context) ([]plugins.Device, error) {
	return []plugins.Device{r.device()}, nil
}

func (r *FakeRunner) Open(_ context.Context, opts plugins.OpenOptions) (plugins.Opened, error) {
	if r.opened {
		return plugins.Opened{}, &plugins.RequestError{Reason: "Open was called before, expected once"}
	}
	r.opened, r.options, r.compiled = true, opts, map[string]plugins.Build{}
	return plugins.Opened{Device: r.device(), Clock: plugins.GPUTimestamp, ClockReason: "fake clocks agree",
		Overhead: time.Microsecond}, nil
}

// behave is what becomes of b at stage; faults do not return.
func (r *FakeRunner) behave(b plugins.Build, stage Stage) (Behaviour, plugins.Verdict, plugins.Evidence) {
	behaviour := Behaviour{Time: 10 * time.Microsecond}
	if r.Behave != nil {
		behaviour = r.Behave(b)
	}
	verdict := plugins.OK
	if behaviour.At == stage {
		fault(behaviour.Fault)
		if behaviour.Verdict != "" {
			verdict = behaviour.Verdict
		}
	}
	// A lost device does nothing more for this process.
	r.lost = r.lost || verdict == plugins.DeviceLost
	if r.lost {
		verdict = plugins.DeviceLost
	}
	if verdict == plugins.OK {
		return behaviour, verdict, plugins.Evidence{}
	}
	return behaviour, verdict, plugins.Evidence{Message: fmt.Sprintf("the fake device was told to answer %s", verdict)}
}

func fault(f Fault) {
	switch f {
	case Crash:
		fmt.Fprintln(os.Stderr, "fake driver: segmentation fault")
		_ = unix.Kill(os.Getpid(), unix.SIGSEGV)
		select {}
	case Hang:
		select {}
	}
}

func (r *FakeRunner) find(id string) (plugins.Build, error) {
	b, ok := r.compiled[id]
	if !ok {
		return plugins.Build{}, &plugins.RequestError{Reason: fmt.Sprintf("candidate %q is not compiled", id)}
	}
	return b, nil
}

func (r *FakeRunner) Compile(ctx context.Context, candidates []plugins.Candidate, each func(plugins.Compiled)) error {
	if !r.opened {
		return &plugins.RequestError{Reason: "no device is open, expected Open first"}
	}
	for _, c := range candidates {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, verdict, evidence := r.behave(c.Build, AtCompile)
		if verdict == plugins.OK {
			r.compiled[c.ID] = c.Build
		}
		each(plugins.Compiled{ID: c.ID, Verdict: verdict, Evidence: evidence, Elapsed: time.Millisecond})
	}
	return nil
}

// references lists a check's builds that name no operation, with their inputs written.
func (r *FakeRunner) references(c plugins.Check) ([]plugins.ReferenceRequest, []plugins.Build, error) {
	own, err := r.find(c.ID)
	if err != nil {
		return nil, nil, err
	}
	cases := append([]plugins.Case{{Problem: c.Problem, Build: own}}, c.Cases...)
	var requests []plugins.ReferenceRequest
	var builds []plugins.Build
	for i, one := range cases {
		if one.Build.Reference.Op != "" {
			continue
		}
		name := fmt.Sprintf("%s-%d", c.ID, i)
		req, err := writeInputs(r.options.SessionDir, name, r.options.Seed, one.Problem, c.Config, one.Build)
		if err != nil {
			return nil, nil, err
		}
		requests, builds = append(requests, req), append(builds, one.Build)
	}
	return requests, builds, nil
}

func (r *FakeRunner) Inputs(ctx context.Context, checks []plugins.Check) ([]plugins.ReferenceRequest, error) {
	var wanted []plugins.ReferenceRequest
	for _, c := range checks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		requests, builds, err := r.references(c)
		if err != nil {
			return nil, err
		}
		for i, req := range requests {
			if checkAnswers(req, builds[i]) != nil {
				wanted = append(wanted, req)
			}
		}
	}
	return wanted, nil
}

func (r *FakeRunner) Check(ctx context.Context, checks []plugins.Check, each func(plugins.Checked)) error {
	for _, c := range checks {
		if err := ctx.Err(); err != nil {
			return err
		}
		requests, builds, err := r.references(c)
		if err != nil {
			return err
		}
		for i, req := range requests {
			if err := checkAnswers(req, builds[i]); err != nil {
				return &plugins.RequestError{Reason: fmt.Sprintf("candidate %s: %v", c.ID, err)}
			}
		}
		stage, runs := AtCheck, 2*(1+len(c.Cases))
		if c.Soak > 0 {
			stage, runs = AtSoak, c.Soak*(1+len(c.Cases))
		}
		behaviour, verdict, evidence := r.behave(r.compiled[c.ID], stage)
		if verdict == plugins.OK && c.Deadline > 0 && behaviour.Time > c.Deadline {
			verdict, evidence = late(behaviour.Time, c.Deadline)
		}
		if verdict == plugins.OK {
			evidence.Cases, evidence.Runs = 1+len(c.Cases), runs
		}
		each(plugins.Checked{ID: c.ID, Verdict: verdict, Evidence: evidence, Elapsed: time.Millisecond})
	}
	return nil
}

func late(took, deadline time.Duration) (plugins.Verdict, plugins.Evidence) {
	return plugins.Timeout, plugins.Evidence{Message: fmt.Sprintf("took %v, deadline %v", took, deadline)}
}

func (r *FakeRunner) Race(ctx context.Context, race plugins.Race, each func(plugins.Sample)) error {
	for _, id := range race.Entrants {
		if _, err := r.find(id); err != nil {
			return err
		}
	}
	for round := race.FirstRound; round < race.FirstRound+race.Rounds; round++ {
		order := rand.New(rand.NewPCG(race.Seed, uint64(round))).Perm(len(race.Entrants))
		for _, entrant := range order {
			if err := ctx.Err(); err != nil {
				return err
			}
			each(r.sample(race, round, entrant))
		}
	}
	return nil
}

func (r *FakeRunner) sample(race plugins.Race, round, entrant int) plugins.Sample {
	id := race.Entrants[entrant]
	behaviour, verdict, evidence := r.behave(r.compiled[id], AtRace)
	s := plugins.Sample{Round: round, Entrant: entrant, Clock: plugins.GPUTimestamp,
		Mode: cmp.Or(race.Mode, plugins.Hot), Gap: cmp.Or(race.Gap, plugins.Dependent)}
	if verdict == plugins.OK && race.Deadline > 0 && behaviour.Time > race.Deadline {
		verdict, evidence = late(behaviour.Time, race.Deadline)
	}
	s.Verdict, s.Evidence = verdict, evidence
	if verdict != plugins.OK {
		return s
	}
	s.Repeats = 1
	if behaviour.Time > 0 {
		s.Repeats = max(1, int(math.Ceil(float64(race.MinSample)/float64(behaviour.Time))))
	}
	// Every sample has its own stream, so that what else races does not change it.
	h := fnv.New64a()
	fmt.Fprint(h, race.Seed, round, entrant, id)
	s.Nanoseconds = float64(behaviour.Time) * r.Noise.factor(rand.New(rand.NewPCG(r.options.Seed, h.Sum64())), round) *
		r.weather.next(r.Noise, r.options.Seed)
	if r.Noise.Second > 0 && slices.Contains(race.Entrants[:entrant], id) {
		s.Nanoseconds *= r.Noise.Second
	}
	return s
}

func (r *FakeRunner) Release(_ context.Context, ids []string) error {
	for _, id := range ids {
		delete(r.compiled, id)
	}
	return nil
}
