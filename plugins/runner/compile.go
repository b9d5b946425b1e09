package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/launch"
)

// Compile implements plugins.Runner. After a compile-timeout the runner is spent: candidates
// that were not begun have no answer.
func (r *Runner) Compile(ctx context.Context, candidates []plugins.Candidate, each func(plugins.Compiled)) error {
	end, err := r.begin()
	if err != nil {
		return err
	}
	defer end()
	workers := min(runtime.GOMAXPROCS(0), len(candidates))
	if r.validates {
		workers = 1 // else a message could not be laid at a candidate's door
		r.instance.Messages()
	}
	// Candidates that are compiling when another times out keep their own deadlines.
	feed, stop := context.WithCancel(ctx)
	defer stop()

	work := make(chan plugins.Candidate)
	results := make(chan compiled)
	var group sync.WaitGroup
	for range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for c := range work {
				results <- r.compile(ctx, c)
			}
		}()
	}
	go func() {
		defer func() { close(work); group.Wait(); close(results) }()
		for _, c := range candidates {
			select {
			case work <- c:
			case <-feed.Done():
				return
			}
		}
	}()
	for done := range results {
		if done.answer.Verdict == plugins.OK && r.why == nil {
			r.finish(&done.answer, done.candidate)
		}
		r.release(done.answer.ID) // a candidate compiled again replaces the first
		if done.answer.Verdict == plugins.OK {
			r.candidates[done.answer.ID] = done.candidate
		} else {
			for _, p := range done.candidate.pipelines {
				r.pipelines.drop(p)
			}
			if ctx.Err() != nil {
				continue // the verdict may be about our not waiting
			}
		}
		each(done.answer)
		if spends(done.answer.Verdict) {
			r.spend(errors.New(done.answer.Evidence.Message))
			stop()
		}
	}
	if r.why != nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.device.SaveCache()
}

type compiled struct {
	answer    plugins.Compiled
	candidate *candidate
}

// compile checks one candidate against the device's limits and creates its pipelines. It runs
// beside others and touches nothing of the runner but the pipelines.
func (r *Runner) compile(ctx context.Context, c plugins.Candidate) compiled {
	start := time.Now()
	out := compiled{answer: plugins.Compiled{ID: c.ID}, candidate: &candidate{id: c.ID, build: c.Build}}
	out.answer.Verdict, out.answer.Evidence = r.pipelinesOf(ctx, out.candidate, c.Build, &out.candidate.passes)
	for i, p := range out.candidate.passes {
		statistics, err := p.pipeline.Statistics()
		if err != nil {
			out.answer.Evidence.Log = append(out.answer.Evidence.Log, "statistics: "+err.Error())
		}
		for _, s := range statistics {
			out.answer.Statistics = append(out.answer.Statistics, plugins.Statistic{Pass: i, Name: s.Name, Value: s.Value})
		}
	}
	if v, e := r.validation(); v != plugins.OK && out.answer.Verdict == plugins.OK {
		out.answer.Verdict, out.answer.Evidence = v, e
	}
	out.answer.Elapsed = time.Since(start)
	return out
}

// finish settles a compiled candidate's pipelines.
func (r *Runner) finish(answer *plugins.Compiled, c *candidate) {
	start := time.Now()
	if err := r.settle(c.passes); err != nil {
		answer.Verdict = compileVerdict(err)
		answer.Evidence = plugins.Evidence{Check: "compile", Message: err.Error()}
	}
	answer.Elapsed += time.Since(start)
}

// pipelinesOf takes the pipelines of a build for a candidate, in the order of its passes.
// Nothing beyond the device's limits reaches the driver.
func (r *Runner) pipelinesOf(ctx context.Context, c *candidate, b plugins.Build, passes *[]*pipeline) (plugins.Verdict, plugins.Evidence) {
	if v, e := admit(r.caps, b); v != plugins.OK {
		return v, e
	}
	for i, pass := range b.Passes {
		p, err := r.pipelines.take(ctx, b, pass)
		c.pipelines = append(c.pipelines, p)
		if err != nil {
			return compileVerdict(err), plugins.Evidence{Check: "compile",
				Message: fmt.Sprintf("pass %d, module %s: %v", i, b.Modules[pass.Module].Name, err)}
		}
		*passes = append(*passes, p)
	}
	return plugins.OK, plugins.Evidence{}
}

func compileVerdict(err error) plugins.Verdict {
	if errors.Is(err, errCompileTimeout) {
		return plugins.CompileTimeout
	}
	if verdict, ok := launch.Verdict(err); ok {
		return verdict
	}
	return plugins.CompileFailed
}

// validation takes the layer's messages since the last call. Any of them is a verdict.
func (r *Runner) validation() (plugins.Verdict, plugins.Evidence) {
	if !r.validates {
		return plugins.OK, plugins.Evidence{}
	}
	messages := r.instance.Messages()
	if len(messages) == 0 {
		return plugins.OK, plugins.Evidence{}
	}
	e := plugins.Evidence{Check: "validation",
		Message: fmt.Sprintf("the Khronos layer reports %s: %s", messages[0].ID, messages[0].Text)}
	for _, m := range messages {
		e.Log = append(e.Log, fmt.Sprintf("%s: %s: %s", m.Severity, m.ID, m.Text))
	}
	return plugins.Validation, e
}
