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
			return t.object(false, func(name string, _ int) error {
				v, err := t.value(name)
				t.set(&r, name, v)
				return err
			})
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
	if r.verdict == "" {
		return t.fail(r.at, "the result has no time", `a measurement named "time"`)
	}
	t.rows = append(t.rows, r)
	return nil
}

func (t *table) measurement(r *row) error {
	name := ""
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
	return err
}
