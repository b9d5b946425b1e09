package replay

import (
	"fmt"
	"math"
)

// invalidities are T4's words for a configuration without a time, in the guard's words.
var invalidities = map[string]string{
	"timeout":     "timeout",
	"compile":     "compile-failed",
	"runtime":     "crash",
	"correctness": "wrong",
	"constraints": "invalid",
}

// result reads one element of a T4 file's results.
func (t *table) result() error {
	t.peek()
	r := row{at: t.pos, time: math.NaN()}
	configured := false
	invalidity := "correct"
	err := t.object(false, func(name string, at int) error {
		switch name {
		case "configuration":
			configured = true
			return t.configuration(&r)
		case "invalidity":
			text, err := t.string()
			if err == nil && text != "correct" && invalidities[text] == "" {
				err = t.fail(at, fmt.Sprintf("the invalidity %q is unknown", text), "timeout, compile, runtime, correctness, constraints or correct")
			}
			invalidity = text
			return err
		case "measurements":
			return t.array(false, func() error { return t.measurement(&r) })
		}
		return t.skip(0)
	})
	if err != nil {
		return err
	}
	if !configured {
		return t.fail(r.at, "the result has no configuration", `"configuration"`)
	}
	if v, ok := invalidities[invalidity]; ok {
		r.time, r.verdict = math.NaN(), v
	}
	if r.guard != "" && r.verdict != "ok" {
		r.verdict = r.guard // says more than the schema's words
	}
	if r.verdict == "" && r.guard == "ok" {
		return nil // our own export of what passed the guard and was never timed
	}
	if r.verdict == "" {
		return t.fail(r.at, "the result has no time", `a measurement named "time"`)
	}
	t.rows = append(t.rows, r)
	return nil
}

func (t *table) measurement(r *row) error {
	name, guard := "", ""
	var one row
	timed := false
	err := t.object(false, func(key string, _ int) error {
		switch key {
		case "name":
			var err error
			name, err = t.string()
			return err
		case "value":
			// Only a time must be one; other measurements have other types.
			if c := t.peek(); c == '{' || c == '[' {
				return t.skip(0)
			}
			at := t.pos
			if v, err := t.scalar(); err == nil {
				guard, _ = v.(string)
			}
			t.pos = at
			if err := t.time(&one); err != nil {
				t.pos = at
				return t.skip(0)
			}
			timed = true
			return nil
		}
		return t.skip(0)
	})
	if err == nil && name == "time" && timed {
		r.time, r.verdict = one.time, one.verdict
		if r.verdict != "ok" {
			r.time = math.NaN()
		}
	}
	if name == "verdict" {
		r.guard = guard
	}
	return err
}
