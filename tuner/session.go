package tuner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/krisptune/krisptune/configs"
	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner/arm"
	"github.com/krisptune/krisptune/tuner/device"
	"github.com/krisptune/krisptune/tuner/spec"
	"github.com/krisptune/krisptune/tuner/store"
)

// Options say what a session works on beyond its spec.
type Options struct {
	// Device is what --device names; empty takes the default.
	Device string
	// Settings are fixed in every arm (--set).
	Settings map[string]string
	// AllowSettings and Unsafe are spec.Options'.
	AllowSettings []string
	Unsafe        bool
	// Validate turns the Khronos layer on.
	Validate bool
	// Mode and Gap say what samples are of; empty takes the spec's, else Hot and Dependent.
	Mode plugins.Mode
	Gap  plugins.Gap
	// MinSample is how long one sample should last; 0 means 5 ms.
	MinSample time.Duration
	// Silence is how long a runner may give no sign of life before it is killed; 0 means two
	// minutes, and four deadlines of a dispatch are added.
	Silence time.Duration
	// CompileDeadline bounds one pipeline; 0 means the runner's minute.
	CompileDeadline time.Duration
	// Deadline bounds a dispatch while the baseline's time is not known; 0 means 30 s.
	Deadline time.Duration
}

// minSample is the default length of a sample: long against the clock's quantum and the cost of
// a submit.
const minSample = 5 * time.Millisecond

// firstDeadline bounds a dispatch while the baseline's time is not known yet.
const firstDeadline = 30 * time.Second

// A Session is a bound spec, a running family and a device with its warm runners. It belongs to
// one goroutine.
type Session struct {
	machine  Machine
	spec     *spec.Spec
	bound    *spec.Bound
	info     plugins.Info
	family   *familyKeeper
	problems []plugins.Problem
	weights  []float64 // shares, summing to 1
	arms     []arm.Arm // the baseline's first

	found   device.Found
	fleet   *fleet
	envs    map[int]Environment
	lock    DeviceLock
	held    lockMode
	opened  plugins.Opened // the baseline arm's
	space   *search.Space
	tileOf  func(source string, p plugins.Problem, c plugins.Config) (int64, error)
	modules moduleCache
	folder  string // private to this session

	mode      plugins.Mode
	gap       plugins.Gap
	clock     plugins.Clock // of every race; host_batch as soon as one arm has nothing better
	minSample time.Duration
	deadline  time.Duration // of one dispatch
	silence   time.Duration // of a runner, before it is killed
	seed      uint64

	watch    *stopwatch
	observer Observer
	warnings []string

	// What follows belongs to a tuning run.
	store     *store.Store
	run       int64
	armRows   map[int]int64
	races     int
	fresh     bool               // nothing of an earlier run is believed
	validate  bool               // the Khronos layer is on: its verdicts are of another kind, and stay with this run
	known     []store.Evaluation // of a resumed run, in the order told
	baseline  *candidate
	reference *candidate // the baseline, or what stands in for it
	incumbent *candidate
	evaluated []*candidate // those that did not retire
	retired   retired
	holding   []*candidate // those of evaluated that keep builds or pipelines
	declared  bool
	leftOpen  int
	drift     driftLog // of the batch races
}

// Open binds a spec to its family and to a device, and builds the space. The session's runner
// for the baseline's arm is open afterwards. Close it.
func Open(ctx context.Context, m Machine, sp *spec.Spec, opts Options, observer Observer) (s *Session, err error) {
	s = &Session{machine: m, spec: sp, watch: newStopwatch(), observer: observer, envs: map[int]Environment{},
		armRows: map[int]int64{}, minSample: cmp.Or(opts.MinSample, minSample), deadline: cmp.Or(opts.Deadline, firstDeadline),
		validate: opts.Validate, silence: cmp.Or(opts.Silence, defaultSilence)}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
			s = nil
		}
	}()
	if s.folder, err = os.MkdirTemp("", "krisptune-session-"); err != nil {
		return s, err
	}
	if err := s.startFamily(ctx); err != nil {
		return s, err
	}
	if s.bound, err = sp.Bind(s.info, spec.Options{AllowSettings: opts.AllowSettings, Unsafe: opts.Unsafe}); err != nil {
		return s, err
	}
	for _, w := range s.bound.Warnings {
		s.warn(w)
	}
	s.seed = s.bound.Search.Seed
	s.mode = cmp.Or(opts.Mode, s.bound.Measure.Mode, plugins.Hot)
	s.gap = cmp.Or(opts.Gap, s.bound.Measure.Gap, plugins.Dependent)
	total := 0.0
	for _, p := range s.bound.Problems {
		s.problems = append(s.problems, p.Problem)
		s.weights = append(s.weights, p.Weight)
		total += p.Weight
	}
	for i := range s.weights {
		s.weights[i] /= total
	}
	for _, name := range slices.Sorted(maps.Keys(opts.Settings)) {
		if !slices.Contains(configs.KnobNames(), name) && !slices.Contains(opts.AllowSettings, name) {
			s.warn(fmt.Sprintf("--set %s: no knob table lists this variable, and drivers ignore unknown ones silently", name))
		}
	}
	for _, setting := range s.bound.Settings {
		if _, fixed := opts.Settings[setting.Name]; fixed {
			return s, setting.At.Errorf("either", "%s is both fixed by --set and a setting to try", setting.Name)
		}
	}
	if s.arms, err = arm.Product(s.bound.Settings, s.bound.BaselineSettings); err != nil {
		return s, err
	}
	for i, a := range s.arms {
		if len(opts.Settings) > 0 {
			set := maps.Clone(a.Set)
			maps.Copy(set, opts.Settings)
			s.arms[i] = arm.New(set, append(a.Unset, slices.Collect(maps.Keys(set))...))
		}
	}
	return s, s.openDevice(ctx, opts)
}

// startFamily starts the family that the spec names.
func (s *Session) startFamily(ctx context.Context) error {
	p, err := s.machine.Family(ctx, s.spec.Kernel.Family)
	if err != nil {
		if _, dead := deathOf(err); dead || ctx.Err() != nil {
			return err
		}
		return s.spec.Kernel.FamilyAt.Errorf("", "%v", err)
	}
	s.info = p.Info()
	s.family = &familyKeeper{process: p, start: func(ctx context.Context) (FamilyProcess, error) {
		return s.machine.Family(ctx, s.spec.Kernel.Family)
	}}
	return nil
}

// openDevice chooses the device, opens the baseline arm's runner and builds the space.
func (s *Session) openDevice(ctx context.Context, opts Options) error {
	found, failures := s.machine.Devices(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, f := range failures {
		s.warn(fmt.Sprintf("driver %s could not be asked: %v", f.Driver, f.Err))
	}
	var err error
	if s.found, err = device.Select(found, opts.Device); err != nil {
		return err
	}
	if s.lock, err = s.machine.Lock(s.found.UUID); err != nil {
		return err
	}
	s.fleet = newFleet(s.startRunner, func(a int) plugins.OpenOptions {
		return plugins.OpenOptions{Device: s.found.UUID, Validate: opts.Validate, SessionDir: s.folder, Seed: s.seed,
			CacheFile: s.envs[a].cacheFile(), MeasureCache: s.mode == plugins.Cold, CompileDeadline: opts.CompileDeadline}
	})
	s.fleet.started = s.armStarted
	s.fleet.opening = func(ctx context.Context, open func() error) error {
		// The clocks are tested against each other: nobody else may measure or be measured.
		release, err := s.hold(ctx, exclusive)
		if err != nil {
			return err
		}
		defer release()
		return open()
	}
	r, err := s.fleet.get(ctx, 0)
	if err != nil {
		return err
	}
	s.opened = r.opened
	s.observer.Opened(s.opened)
	for _, w := range s.opened.Warnings {
		s.warn(w)
	}
	if s.mode == plugins.Cold && s.opened.CacheBytes == 0 {
		s.warn("the size of the last-level cache is not known: cold launches rotate through 256 MiB")
	}
	if d, ok := configs.Drivers()[s.spec.Driver.Profile]; ok && d.DriverID != s.device().DriverID {
		s.warn(fmt.Sprintf("profile %s is for driver id %d, the device's driver has id %d: its settings may do nothing here",
			s.spec.Driver.Profile, d.DriverID, s.device().DriverID))
	}
	s.tileOf = evaluator(s.bound, s.info, s.device())
	s.space, err = NewSpace(s.bound, s.info, s.device(), s.arms)
	return err
}

// startRunner starts the runner of one arm.
func (s *Session) startRunner(ctx context.Context, a int) (Process, error) {
	p, env, err := s.machine.Runner(ctx, s.found, s.arms[a])
	if err != nil {
		return nil, err
	}
	s.envs[a] = env
	return p, nil
}

// Close ends every process of the session and removes its private folder.
func (s *Session) Close() error {
	var errs []error
	if s.lock != nil {
		s.lock.Unlock()
	}
	if s.fleet != nil {
		errs = append(errs, s.fleet.close())
	}
	if s.family != nil {
		errs = append(errs, s.family.current().Kill())
	}
	if s.folder != "" {
		errs = append(errs, os.RemoveAll(s.folder))
	}
	return errors.Join(errs...)
}

// Info is the family's description, Space the configurations to choose from.
func (s *Session) Info() plugins.Info   { return s.info }
func (s *Session) Space() *search.Space { return s.space }

// Bound is the spec with the family's types.
func (s *Session) Bound() *spec.Bound { return s.bound }

// device is the baseline arm's device.
func (s *Session) device() plugins.Device { return s.opened.Device }

// tile is the extent that one workgroup covers in a field.
func (s *Session) tile(f plugins.Field, p plugins.Problem, c plugins.Config) (int64, error) {
	return s.tileOf(f.Tile, p, c)
}

// warn tells a doubt once, to the user and in the result.
func (s *Session) warn(text string) {
	if slices.Contains(s.warnings, text) {
		return
	}
	s.warnings = append(s.warnings, text)
	s.observer.Warn(text)
}
