package replay

import (
	"fmt"
	"math"
)

// failures are the words of Kernel Tuner for a configuration without a time, in the guard's words.
var failures = map[string]string{
	"CompilationFailedConfig": "compile-failed",
	"RuntimeFailedConfig":     "crash",
	"InvalidConfig":           "invalid",
}

// cacheEntry reads one configuration of a cachefile, a flat object of parameters and measurements.
func (t *table) cacheEntry(_ string, at int) error {
	r := row{at: at, time: math.NaN()}
	timed := false
	err := t.object(false, func(name string, at int) error {
		if _, ok := t.column[name]; ok {
			v, err := t.value(name)
			t.set(&r, name, v)
			return err
		}
		switch name {
		case "time":
			timed = true
			return t.time(&r)
		case "__error__":
			timed = true
			text, err := t.string()
			r.verdict = verdictOf(text)
			return err
		}
		return t.skip(0)
	})
	if err != nil {
		return err
	}
	if !timed {
		return t.fail(at, "the configuration has no time", `"time" or "__error__"`)
	}
	t.rows = append(t.rows, r)
	return nil
}

func (t *table) value(name string) (any, error) {
	at := t.pos
	v, err := t.scalar()
	if err == nil && v == nil {
		err = t.fail(at, fmt.Sprintf("%s is null", name), "a number, a string, true or false")
	}
	if f, ok := v.(float64); ok && f != f {
		err = t.fail(at, fmt.Sprintf("%s is NaN", name), "a number")
	}
	return v, err
}

func verdictOf(text string) string {
	if v, ok := failures[text]; ok {
		return v
	}
	return "crash"
}

// failedTime and above is how old tuners wrote a failure.
const failedTime = 1e20

// time reads a duration or the word for a failure.
func (t *table) time(r *row) error {
	at := t.pos
	v, err := t.scalar()
	if err != nil {
		return err
	}
	if i, ok := v.(int64); ok {
		v = float64(i)
	}
	switch v := v.(type) {
	case string:
		r.verdict = verdictOf(v)
	case float64:
		switch {
		case math.IsNaN(v) || v >= failedTime:
			r.verdict = "crash"
		case v <= 0:
			return t.fail(at, fmt.Sprintf("the time is %v", v), "a positive number")
		case r.verdict == "": // an __error__ beside a time is a failure
			r.time, r.verdict = v, "ok"
		}
	default:
		return t.fail(at, fmt.Sprintf("the time is %v", v), "a number, or the name of a failure")
	}
	return nil
}
