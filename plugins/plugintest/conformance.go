package plugintest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
)

// ConformanceOptions choose what the suite builds.
type ConformanceOptions struct {
	// Problems to build; empty derives one from the description's defaults and bounds.
	Problems []plugins.Problem
	// Configs to build besides the baseline and its neighbours by one parameter.
	Configs []plugins.Config
}

// A Finding is one thing that a family must do and does not.
type Finding struct {
	Check  string // "describe", "build", "refuse", "cancel", "concurrent", "reference"
	Detail string
}

func (f Finding) String() string { return f.Check + ": " + f.Detail }

// answerWait is what a cancelled call may take.
const answerWait = 5 * time.Second

// Conformance asks a family everything that the core will ask of it, and what it must refuse.
// An empty answer means that it conforms. The suite cannot know whether a kernel is right:
// that is the guard's to say.
func Conformance(ctx context.Context, f plugins.Family, o ConformanceOptions) []Finding {
	s := &suite{ctx: ctx, family: f, configs: o.Configs, problems: o.Problems}
	if !s.describe() {
		return s.findings
	}
	s.build()
	s.refuse()
	s.cancel()
	s.concurrent()
	s.reference()
	return s.findings
}

type suite struct {
	ctx      context.Context
	family   plugins.Family
	info     plugins.Info
	problems []plugins.Problem
	configs  []plugins.Config
	built    []request
	findings []Finding
}

type request struct {
	problem plugins.Problem
	config  plugins.Config
	build   plugins.Build
}

func (s *suite) found(check, format string, args ...any) {
	s.findings = append(s.findings, Finding{check, fmt.Sprintf(format, args...)})
}

func (s *suite) describe() bool {
	info, err := s.family.Describe(s.ctx)
	if err != nil {
		s.found("describe", "%v", err)
		return false
	}
	if err := host.CheckInfo(info); err != nil {
		s.found("describe", "%v", err)
		return false
	}
	again, err := s.family.Describe(s.ctx)
	if err != nil || !reflect.DeepEqual(info, again) {
		s.found("describe", "the second answer differs from the first (error %v), expected equal answers", err)
	}
	s.info = info
	if len(s.problems) == 0 {
		s.problems = []plugins.Problem{ExampleProblem(info)}
	}
	// The baseline, and its neighbours in each parameter.
	s.configs = append([]plugins.Config{info.Baseline}, s.configs...)
	for _, p := range info.Params {
		for _, v := range p.Values {
			if v != info.Baseline[p.Name] {
				s.configs = append(s.configs, with(info.Baseline, p.Name, v))
			}
		}
	}
	return true
}

// ExampleProblem is the smallest problem that a description's defaults and bounds name.
func ExampleProblem(info plugins.Info) plugins.Problem {
	p := plugins.Problem{}
	for _, f := range info.Fields {
		switch {
		case f.Default != nil:
			p[f.Name] = f.Default
		case len(f.Values) > 0:
			p[f.Name] = f.Values[0]
		case f.Type == plugins.Int:
			multiple := max(f.Multiple, 1)
			p[f.Name] = (max(f.Min, 1) + multiple - 1) / multiple * multiple
		default:
			p[f.Name] = map[plugins.ValueType]plugins.Value{plugins.Float: 1.0, plugins.String: "", plugins.Bool: false}[f.Type]
		}
	}
	return p
}

func with[M ~map[string]plugins.Value](m M, name string, v plugins.Value) M {
	out := M{}
	for k, old := range m {
		out[k] = old
	}
	if v == nil {
		delete(out, name)
	} else {
		out[name] = v
	}
	return out
}

func (s *suite) build() {
	for _, problem := range s.problems {
		for i, config := range s.configs {
			build, err := s.family.Build(s.ctx, problem, config)
			var refused *plugins.RequestError
			switch {
			case errors.As(err, &refused) && i > 0:
				continue // a neighbour of the baseline may break a constraint
			case err != nil:
				s.found("build", "%s with %s: %v", problem, config, err)
				continue
			}
			if err := host.CheckBuild(build); err != nil {
				s.found("build", "%s with %s: %v", problem, config, err)
				continue
			}
			again, err := s.family.Build(s.ctx, problem, config)
			if err != nil || !reflect.DeepEqual(build, again) {
				s.found("build", "%s with %s: the second answer differs from the first (error %v), expected equal answers", problem, config, err)
			}
			s.built = append(s.built, request{problem, config, build})
		}
	}
}

// refuse makes one mistake at a time in a request that builds.
func (s *suite) refuse() {
	problem, config := s.problems[0], s.info.Baseline
	expect := func(what string, problem plugins.Problem, config plugins.Config) {
		_, err := s.family.Build(s.ctx, problem, config)
		var refused *plugins.RequestError
		if !errors.As(err, &refused) {
			s.found("refuse", "%s: error %v, expected the request to be refused", what, err)
		} else if refused.Reason == "" {
			s.found("refuse", "%s: refused without a reason", what)
		}
	}
	expect("an unknown field", with(problem, "no_such_field", int64(1)), config)
	expect("an unknown parameter", problem, with(config, "no_such_parameter", int64(1)))
	for _, f := range s.info.Fields {
		expect("field "+f.Name+" missing", with(problem, f.Name, nil), config)
		expect("field "+f.Name+" of a wrong type", with(problem, f.Name, wrongType(f.Type)), config)
		if f.Type == plugins.Int && f.Min > 0 {
			expect("field "+f.Name+" below its minimum", with(problem, f.Name, f.Min-1), config)
		}
	}
	for _, p := range s.info.Params {
		expect("parameter "+p.Name+" missing", problem, with(config, p.Name, nil))
		expect("parameter "+p.Name+" of a wrong type", problem, with(config, p.Name, wrongType(p.Type)))
	}
}

func wrongType(t plugins.ValueType) plugins.Value {
	if t == plugins.String {
		return int64(1)
	}
	return "text"
}

func (s *suite) cancel() {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	begun := time.Now()
	_, _ = s.family.Build(ctx, s.problems[0], s.info.Baseline)
	if took := time.Since(begun); took > answerWait {
		s.found("cancel", "a cancelled call took %v, expected at most %v", took, answerWait)
	}
	if _, err := s.family.Build(s.ctx, s.problems[0], s.info.Baseline); err != nil {
		s.found("cancel", "after a cancelled call: %v", err)
	}
}

func (s *suite) concurrent() {
	const callers = 8
	var mu sync.Mutex
	var wg sync.WaitGroup
	for caller := range callers {
		wg.Go(func() {
			for i := range s.built {
				r := s.built[(i+caller)%len(s.built)]
				build, err := s.family.Build(s.ctx, r.problem, r.config)
				if err != nil || !reflect.DeepEqual(build, r.build) {
					mu.Lock()
					s.found("concurrent", "%s with %s: an answer among %d callers differs from the answer to one (error %v)", r.problem, r.config, callers, err)
					mu.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
}

// reference asks for the references of the first build that names no operation.
func (s *suite) reference() {
	for _, r := range s.built {
		if r.build.Reference.Op != "" {
			continue
		}
		family, ok := s.family.(plugins.FamilyWithReference)
		if !ok {
			s.found("reference", "%s with %s names no operation, but the family computes no references", r.problem, r.config)
			return
		}
		if err := s.answer(family, r); err != nil {
			s.found("reference", "%s with %s: %v", r.problem, r.config, err)
		}
		return
	}
}

func (s *suite) answer(family plugins.FamilyWithReference, r request) error {
	dir, err := os.MkdirTemp("", "krisptune-conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	req, err := writeInputs(dir, "conformance", 1, r.problem, r.config, r.build)
	if err != nil {
		return err
	}
	if err := family.Reference(s.ctx, req); err != nil {
		return err
	}
	return checkAnswers(req, r.build)
}
