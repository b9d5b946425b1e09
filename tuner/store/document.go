package store

import (
	"context"
	"encoding/json"
	"io"

	"github.com/krisptune/krisptune/plugins"
)

// WriteRuns writes every run as a JSON array, the oldest first: what `krisptune runs --json`
// prints.
func (s *Store) WriteRuns(ctx context.Context, w io.Writer) error {
	runs, err := s.Runs(ctx)
	if err != nil {
		return err
	}
	all := make([]object, len(runs))
	for i, r := range runs {
		all[i] = r.object()
		// A list is for choosing from; the texts are what `show` is for.
		delete(all[i], "spec")
		delete(all[i], "result")
	}
	return indented(w, all)
}

// WriteRun writes all that is known of a run but its samples as one JSON object: what
// `krisptune show --json` prints.
func (s *Store) WriteRun(ctx context.Context, w io.Writer, run int64) error {
	r, err := s.record(ctx, run)
	if err != nil {
		return err
	}
	doc := object{"run": r.run.object(), "arms": list(r.arms, Arm.object), "evaluations": list(r.evaluations, Evaluation.object),
		"races": list(r.races, Race.object), "emissions": list(r.emissions, Emission.object)}
	return indented(w, doc)
}

func list[T any](all []T, form func(T) object) []object {
	out := make([]object, len(all))
	for i, x := range all {
		out[i] = form(x)
	}
	return out
}

func indented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// An object is a row as JSON. The names are those of the tables' columns.
type object map[string]any

func (r Run) object() object {
	problems := make([]any, len(r.Problems))
	for i, p := range r.Problems {
		problems[i] = object{"problem": values(p.Problem), "weight": p.Weight}
	}
	o := object{"id": r.ID, "spec": r.Spec, "spec_hash": r.SpecHash, "kernel": r.Kernel,
		"family": r.Family, "family_version": r.FamilyVersion, "problems": problems, "seed": r.Seed,
		"strategy": r.Strategy, "mode": r.Mode, "gap": r.Gap, "device": r.Device, "tool_version": r.ToolVersion, "command_line": r.CommandLine,
		"state": r.State, "outcome": r.Outcome, "started": stamp(r.Started)}
	if !r.Ended.IsZero() {
		o["ended"] = stamp(r.Ended)
	}
	if r.Result != nil {
		o["result"] = r.Result
	}
	return o
}

func (a Arm) object() object {
	settings := a.Settings
	if settings == nil {
		settings = map[string]string{}
	}
	return object{"id": a.ID, "settings": settings, "environment": a.Environment, "removed": a.Removed,
		"device": a.Opened.Device, "clock": a.Opened.Clock, "clock_reason": a.Opened.ClockReason, "overhead_ns": int64(a.Opened.Overhead),
		"cache_bytes": a.Opened.CacheBytes}
}

func (v Evaluation) object() object {
	o := object{"number": v.Number, "arm": v.Arm, "config": values(v.Config), "space_index": v.SpaceIndex,
		"verdict": v.Verdict, "evidence": v.Evidence, "statistics": v.Statistics, "spirv_sha256": v.SPIRVSHA256,
		"guard_version": v.GuardVersion, "compile_ns": int64(v.Compile), "guard_ns": int64(v.Guard), "finished": stamp(v.Finished)}
	if v.Race != 0 {
		o["race"], o["entrant"] = v.Race, v.Entrant
	}
	if v.MedianNS != nil {
		o["median_ns"] = *v.MedianNS
	}
	if c := v.Comparison; c != nil {
		o["log_ratio"], o["log_ratio_lo"], o["log_ratio_hi"] = number(c.LogRatio), number(c.Lo), number(c.Hi)
		o["confidence"], o["rounds"] = c.Confidence, c.N
	}
	return o
}

func (r Race) object() object {
	entrants := make([]any, len(r.Entrants))
	for i, x := range r.Entrants {
		entrants[i] = object{"role": x.Role, "arm": x.Arm, "config": values(x.Config)}
	}
	o := object{"id": r.ID, "kind": r.Kind, "seed": r.Seed, "entrants": entrants,
		"rounds": r.Rounds, "declared": r.Declared, "warnings": r.Warnings, "started": stamp(r.Started)}
	if !r.Ended.IsZero() {
		o["ended"] = stamp(r.Ended)
	}
	return o
}

func (s Sample) object(race int64) object {
	o := object{"race": race, "round": s.Round, "entrant": s.Entrant, "problem": s.Problem,
		"repeats": s.Repeats, "clock": s.Clock, "mode": s.Mode, "gap": s.Gap, "verdict": s.Verdict}
	if s.Verdict == plugins.OK {
		o["ns"] = s.Nanoseconds
	}
	return o
}

func (e Emission) object() object {
	return object{"format": e.Format, "path": e.Path, "sha256": e.SHA256, "emitted": stamp(e.Emitted)}
}

// values keeps the points of floats: see encodeValues.
type values map[string]plugins.Value

func (v values) MarshalJSON() ([]byte, error) {
	text, err := encodeValues(v)
	return []byte(text), err
}
