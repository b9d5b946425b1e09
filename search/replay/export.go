package replay

import (
	"fmt"
	"math"
)

// setting is the prefix of driver settings among the parameters of our own exports.
const setting = "setting."

// unset is the value of a driver setting that an arm does not have.
const unset = "(unset)"

// lines reads our own export in JSON lines after its first line, the run's. Evaluations and arms count; races and samples do not.
func (t *table) lines() error {
	arms := map[int64]map[string]string{}
	var of []int64 // arm of each row
	for t.peek() != 0 || t.pos < len(t.data) {
		kind, r, id, arm := "", row{at: t.pos, time: math.NaN()}, int64(-1), int64(-1)
		var settings map[string]string
		err := t.object(false, func(key string, at int) error {
			var err error
			switch key {
			case "type":
				kind, err = t.string()
			case "id":
				id, err = t.integer()
			case "arm":
				arm, err = t.integer()
			case "settings":
				settings, err = t.strings()
			case "config":
				err = t.configuration(&r)
			case "verdict":
				r.verdict, err = t.string()
			case "median_ns":
				timed := row{}
				if err = t.time(&timed); err == nil {
					r.time = timed.time / 1e6
				}
			default:
				err = t.skip(0)
			}
			return err
		})
		if err != nil {
			return err
		}
		switch kind {
		case "arm":
			arms[id] = settings
		case "evaluation":
			if r.verdict == "" {
				return t.fail(r.at, "the evaluation has no verdict", `"verdict"`)
			}
			if r.verdict == "ok" && math.IsNaN(r.time) {
				continue // it passed the guard and was never timed
			}
			if r.verdict != "ok" {
				r.time = math.NaN()
			}
			t.rows, of = append(t.rows, r), append(of, arm)
		case "":
			return t.fail(r.at, "the line has no type", `"type"`)
		}
	}
	return t.settings(arms, of)
}

// settings adds the driver settings in which arms differ to the rows.
func (t *table) settings(arms map[int64]map[string]string, of []int64) error {
	for i := range t.rows {
		settings, ok := arms[of[i]]
		if !ok {
			return t.fail(t.rows[i].at, fmt.Sprintf("the evaluation's arm %d is not in the file", of[i]), "a line of that arm before")
		}
		for _, all := range arms {
			for name := range all {
				if v, ok := settings[name]; ok {
					t.set(&t.rows[i], setting+name, v)
				} else {
					t.set(&t.rows[i], setting+name, unset)
				}
			}
		}
	}
	return nil
}

// configuration reads an object of parameters; a driver setting may be null.
func (t *table) configuration(r *row) error {
	return t.object(false, func(name string, _ int) error {
		if len(name) > len(setting) && name[:len(setting)] == setting && t.word("null") {
			t.set(r, name, unset)
			return nil
		}
		v, err := t.value(name)
		t.set(r, name, v)
		return err
	})
}

// word reads a word if it is next.
func (t *table) word(w string) bool {
	t.peek()
	if end := t.pos + len(w); end <= len(t.data) && string(t.data[t.pos:end]) == w {
		t.pos = end
		return true
	}
	return false
}

func (t *table) integer() (int64, error) {
	t.peek()
	at := t.pos
	v, err := t.scalar()
	if err != nil {
		return 0, err
	}
	if i, ok := v.(int64); ok {
		return i, nil
	}
	return 0, t.fail(at, fmt.Sprintf("%v", v), "a whole number")
}

// strings reads an object of strings.
func (t *table) strings() (map[string]string, error) {
	all := map[string]string{}
	return all, t.object(false, func(name string, _ int) error {
		v, err := t.string()
		all[name] = v
		return err
	})
}
