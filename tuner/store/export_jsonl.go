package store

import (
	"encoding/json"
	"io"

	"github.com/krisptune/krisptune/plugins"
)

// exportJSONL writes one object a line, each with its type: run, arm, evaluation, race, sample,
// emission. The names are those of the tables' columns; rows name each other by id.
func exportJSONL(w io.Writer, r *record) error {
	e := json.NewEncoder(w)
	problems := make([]any, len(r.run.Problems))
	for i, p := range r.run.Problems {
		problems[i] = object{"problem": values(p.Problem), "weight": p.Weight}
	}
	line := object{"type": "run", "id": r.run.ID, "spec": r.run.Spec, "spec_hash": r.run.SpecHash, "kernel": r.run.Kernel,
		"family": r.run.Family, "family_version": r.run.FamilyVersion, "problems": problems, "seed": r.run.Seed,
		"strategy": r.run.Strategy, "device": r.run.Device, "tool_version": r.run.ToolVersion, "command_line": r.run.CommandLine,
		"state": r.run.State, "outcome": r.run.Outcome, "started": stamp(r.run.Started)}
	if !r.run.Ended.IsZero() {
		line["ended"] = stamp(r.run.Ended)
	}
	if r.run.Result != nil {
		line["result"] = r.run.Result
	}
	if err := e.Encode(line); err != nil {
		return err
	}
	for _, a := range r.arms {
		if err := e.Encode(object{"type": "arm", "id": a.ID, "settings": a.Settings, "environment": a.Environment, "removed": a.Removed,
			"device": a.Opened.Device, "clock": a.Opened.Clock, "clock_reason": a.Opened.ClockReason, "overhead_ns": int64(a.Opened.Overhead)}); err != nil {
			return err
		}
	}
	for _, v := range r.evaluations {
		line := object{"type": "evaluation", "number": v.Number, "arm": v.Arm, "config": values(v.Config), "space_index": v.SpaceIndex,
			"verdict": v.Verdict, "evidence": v.Evidence, "statistics": v.Statistics, "spirv_sha256": v.SPIRVSHA256,
			"guard_version": v.GuardVersion, "compile_ns": int64(v.Compile), "guard_ns": int64(v.Guard), "finished": stamp(v.Finished)}
		if v.Race != 0 {
			line["race"], line["entrant"] = v.Race, v.Entrant
		}
		if v.MedianNS != nil {
			line["median_ns"] = *v.MedianNS
		}
		if c := v.Comparison; c != nil {
			line["log_ratio"], line["log_ratio_lo"], line["log_ratio_hi"] = number(c.LogRatio), number(c.Lo), number(c.Hi)
			line["confidence"], line["rounds"] = c.Confidence, c.N
		}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	for _, race := range r.races {
		if err := jsonRace(e, r, race); err != nil {
			return err
		}
	}
	for _, m := range r.emissions {
		if err := e.Encode(object{"type": "emission", "format": m.Format, "path": m.Path, "sha256": m.SHA256, "emitted": stamp(m.Emitted)}); err != nil {
			return err
		}
	}
	return nil
}

func jsonRace(e *json.Encoder, r *record, race Race) error {
	entrants := make([]any, len(race.Entrants))
	for i, x := range race.Entrants {
		entrants[i] = object{"role": x.Role, "arm": x.Arm, "config": values(x.Config)}
	}
	line := object{"type": "race", "id": race.ID, "kind": race.Kind, "seed": race.Seed, "entrants": entrants,
		"rounds": race.Rounds, "declared": race.Declared, "warnings": race.Warnings, "started": stamp(race.Started)}
	if !race.Ended.IsZero() {
		line["ended"] = stamp(race.Ended)
	}
	if err := e.Encode(line); err != nil {
		return err
	}
	samples, err := r.samples(race.ID)
	if err != nil {
		return err
	}
	for _, s := range samples {
		line := object{"type": "sample", "race": race.ID, "round": s.Round, "entrant": s.Entrant, "problem": s.Problem,
			"repeats": s.Repeats, "clock": s.Clock, "gap": s.Gap, "verdict": s.Verdict}
		if s.Verdict == plugins.OK {
			line["ns"] = s.Nanoseconds
		}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

type object map[string]any

// values keeps the points of floats: see encodeValues.
type values map[string]plugins.Value

func (v values) MarshalJSON() ([]byte, error) {
	text, err := encodeValues(v)
	return []byte(text), err
}
