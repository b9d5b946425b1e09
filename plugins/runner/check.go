package runner

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/guard"
)

// Inputs implements plugins.Runner.
func (r *Runner) Inputs(ctx context.Context, checks []plugins.Check) ([]plugins.ReferenceRequest, error) {
	end, err := r.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	var out []plugins.ReferenceRequest
	asked := make(map[string]bool)
	for _, check := range checks {
		cases, err := r.casesOf(check)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			requests, err := r.trials.Requests(c.Problem, check.Config, c.Build)
			if err != nil {
				return nil, fmt.Errorf("inputs of %v: %w", c.Problem, err)
			}
			for _, req := range requests {
				if key := fmt.Sprint(req.Outputs); !asked[key] {
					asked[key] = true
					out = append(out, req)
				}
			}
		}
	}
	return out, nil
}

// Check implements plugins.Runner. After a timeout or a lost device the runner is spent:
// checks behind that one have no answer.
func (r *Runner) Check(ctx context.Context, checks []plugins.Check, each func(plugins.Checked)) error {
	end, err := r.begin()
	if err != nil {
		return err
	}
	defer end()
	if !r.validates { // else a message could not be laid at a candidate's door
		defer r.compileAhead(checks)()
	}
	for _, check := range checks {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := time.Now()
		r.compiling = 0
		prove := r.check
		if check.Soak > 0 {
			prove = r.soak
		}
		verdict, evidence, err := prove(ctx, check)
		if err != nil {
			return fmt.Errorf("candidate %s: %w", check.ID, err)
		}
		checked := plugins.Checked{ID: check.ID, Verdict: verdict, Evidence: evidence, Elapsed: time.Since(start), Compile: r.compiling}
		r.candidates[check.ID].guarded = checked
		each(checked)
		if r.why != nil {
			return nil
		}
	}
	return nil
}

func (r *Runner) check(ctx context.Context, check plugins.Check) (plugins.Verdict, plugins.Evidence, error) {
	cases, sets, verdict, evidence, err := r.trialsOf(check)
	if err != nil || verdict != plugins.OK {
		return verdict, evidence, err
	}
	candidate := r.candidates[check.ID]
	candidate.problem, candidate.proved = check.Problem, false
	total := plugins.Evidence{}
	for i, c := range cases {
		result, err := r.checkCase(ctx, check, c, sets[i])
		if err != nil {
			return "", plugins.Evidence{}, err
		}
		total.Cases++
		total.Runs += result.Evidence.Runs
		if result.Verdict != plugins.OK {
			result.Evidence.Cases, result.Evidence.Runs = total.Cases, total.Runs
			return result.Verdict, result.Evidence, nil
		}
		candidate.digest = result.Digest // the last case is the candidate's own problem
	}
	candidate.proved = true
	return plugins.OK, total, nil
}

// trialsOf gives the cases of a check with their inputs, and has idle cores compute the
// references.
func (r *Runner) trialsOf(check plugins.Check) ([]plugins.Case, []*guard.TrialSet, plugins.Verdict, plugins.Evidence, error) {
	if r.validates {
		r.instance.Messages() // of whatever ran before
	}
	cases, err := r.casesOf(check)
	if err != nil {
		return nil, nil, "", plugins.Evidence{}, err
	}
	sets := make([]*guard.TrialSet, len(cases))
	for i, c := range cases {
		if sets[i], err = r.trials.Set(c.Problem, c.Build); err != nil {
			return nil, nil, plugins.PluginError, plugins.Evidence{Check: "reference", Problem: c.Problem.String(), Message: err.Error()}, nil
		}
	}
	r.trials.Prefetch(sets)
	return cases, sets, plugins.OK, plugins.Evidence{}, nil
}

// checkCase compiles what the case needs and guards it.
func (r *Runner) checkCase(ctx context.Context, check plugins.Check, c plugins.Case, set *guard.TrialSet) (guard.Result, error) {
	one, verdict, evidence, err := r.prepare(ctx, check, c, set)
	if err != nil || verdict != plugins.OK {
		return guard.Result{Verdict: verdict, Evidence: evidence}, err
	}
	result, err := guard.Check(ctx, one)
	return r.judge(ctx, c, result, err)
}

// prepare compiles what a case needs.
func (r *Runner) prepare(ctx context.Context, check plugins.Check, c plugins.Case, set *guard.TrialSet) (guard.Case, plugins.Verdict, plugins.Evidence, error) {
	start := time.Now()
	defer func() { r.compiling += time.Since(start) }()
	passes := &[]*pipeline{}
	verdict, evidence := r.pipelinesOf(ctx, r.candidates[check.ID], c.Build, passes)
	if verdict == plugins.OK {
		if err := r.settle(*passes); err != nil {
			verdict, evidence = compileVerdict(err), plugins.Evidence{Check: "compile", Message: err.Error()}
		}
	}
	if verdict != plugins.OK {
		if err := ctx.Err(); err != nil {
			return guard.Case{}, "", plugins.Evidence{}, err
		}
		evidence.Problem = c.Problem.String()
		if spends(verdict) {
			r.spend(fmt.Errorf("candidate %s: %s", check.ID, evidence.Message))
		}
		return guard.Case{}, verdict, evidence, nil
	}
	deadline := check.Deadline
	if deadline <= 0 {
		deadline = r.dispatchDeadline
	}
	return guard.Case{Name: c.Problem.String(), Build: c.Build, Config: check.Config,
		Trials: set, Machine: &machine{r, c.Build, *passes}, Deadline: deadline}, plugins.OK, plugins.Evidence{}, nil
}

// judge turns an error of the device or the family into a verdict, and has the validation layer
// heard.
func (r *Runner) judge(ctx context.Context, c plugins.Case, result guard.Result, err error) (guard.Result, error) {
	if err != nil {
		if ctx.Err() != nil {
			return result, ctx.Err()
		}
		check := "run"
		verdict, ok := r.failure(err)
		if reference := (*guard.ReferenceError)(nil); errors.As(err, &reference) {
			verdict, check, ok = plugins.PluginError, "reference", true
		}
		if !ok {
			return result, err
		}
		result.Verdict, result.Evidence.Check, result.Evidence.Message = verdict, check, err.Error()
		result.Evidence.Problem = c.Problem.String()
	}
	if verdict, evidence := r.validation(); verdict != plugins.OK && r.why == nil {
		evidence.Problem, evidence.Runs = c.Problem.String(), result.Evidence.Runs
		result.Verdict, result.Evidence = verdict, evidence
	}
	return result, nil
}

// casesOf are the problems of a check, the smallest first and the candidate's own last.
func (r *Runner) casesOf(check plugins.Check) ([]plugins.Case, error) {
	c, ok := r.candidates[check.ID]
	if !ok {
		return nil, fmt.Errorf("candidate %q is not compiled here", check.ID)
	}
	cases := append([]plugins.Case(nil), check.Cases...)
	sort.SliceStable(cases, func(i, j int) bool { return weight(cases[i].Build) < weight(cases[j].Build) })
	return append(cases, plugins.Case{Problem: check.Problem, Build: c.build}), nil
}

// weight orders problems by what checking them costs.
func weight(b plugins.Build) float64 {
	w := b.Flops
	for _, buf := range b.Buffers {
		w += float64(buf.Size())
	}
	return w
}
