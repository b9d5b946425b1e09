package store

import (
	"encoding/json"
	"io"
)

// exportJSONL writes one object a line, each with its type: run, arm, evaluation, race, sample,
// emission. The names are those of the tables' columns; rows name each other by id.
func exportJSONL(w io.Writer, r *record) error {
	e := json.NewEncoder(w)
	line := func(kind string, o object) error {
		o["type"] = kind
		return e.Encode(o)
	}
	if err := line("run", r.run.object()); err != nil {
		return err
	}
	for _, a := range r.arms {
		if err := line("arm", a.object()); err != nil {
			return err
		}
	}
	for _, v := range r.evaluations {
		if err := line("evaluation", v.object()); err != nil {
			return err
		}
	}
	for _, race := range r.races {
		if err := line("race", race.object()); err != nil {
			return err
		}
		samples, err := r.samples(race.ID)
		if err != nil {
			return err
		}
		for _, s := range samples {
			if err := line("sample", s.object(race.ID)); err != nil {
				return err
			}
		}
	}
	for _, m := range r.emissions {
		if err := line("emission", m.object()); err != nil {
			return err
		}
	}
	return nil
}
