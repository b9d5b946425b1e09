package tuner

import (
	"errors"
	"fmt"
	"strings"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner/arm"
	"github.com/krisptune/krisptune/tuner/constraint"
	"github.com/krisptune/krisptune/tuner/spec"
)

// settingsParam is the parameter that chooses the arm where a spec has driver settings. No
// family can have a parameter of this name: it is no identifier.
const settingsParam = "driver.settings"

// NewSpace builds the space of a spec on a device: the parameters' domains and the arms, cut by
// the family's constraints and the spec's, which must hold on every problem. Faults in a
// constraint, and constraints that leave nothing, are *spec.Error.
func NewSpace(b *spec.Bound, info plugins.Info, d plugins.Device, arms []arm.Arm) (*search.Space, error) {
	params, env := domains(b, info, d)
	if len(arms) > 1 {
		var names []search.Value
		for _, a := range arms {
			names = append(names, a.Name)
		}
		params = append(params, search.Param{Name: settingsParam, Values: names})
	}
	constraints, err := bindConstraints(b, env, d)
	if err != nil {
		return nil, err
	}
	list := make([]search.Constraint, len(constraints))
	for i, c := range constraints {
		list[i] = c
	}
	space, err := search.NewSpace(params, list)
	if err != nil {
		return nil, placeSpaceError(err, b, constraints)
	}
	return space, nil
}

// domains gives the search parameters and the kind of every name that a constraint may use.
func domains(b *spec.Bound, info plugins.Info, d plugins.Device) ([]search.Param, constraint.Env) {
	env := constraint.Env{}
	var params []search.Param
	for _, p := range b.Params {
		params = append(params, search.Param{Name: p.Name, Values: p.Values})
		env[p.Name] = kind(p.Type)
	}
	for _, f := range info.Fields {
		env[f.Name] = kind(f.Type)
	}
	for name, v := range d.LimitValues() {
		env[name] = constraint.KindOf(v)
	}
	return params, env
}

func kind(t plugins.ValueType) constraint.Kind {
	switch t {
	case plugins.Int:
		return constraint.Int
	case plugins.Float:
		return constraint.Float
	case plugins.Bool:
		return constraint.Bool
	case plugins.String:
		return constraint.String
	}
	return constraint.Invalid
}

// A placed constraint knows where its text stands.
type placed struct {
	*constraint.Expr
	text spec.Constraint
}

// bindConstraints types every constraint and fixes the device's limits and, once for each
// problem, the problem's fields.
func bindConstraints(b *spec.Bound, env constraint.Env, d plugins.Device) ([]placed, error) {
	var out []placed
	for _, c := range b.Constraints {
		e, err := constraint.CompileBool(c.String, env)
		if err != nil {
			return nil, placeError(c, err)
		}
		if e, err = e.With(d.LimitValues()); err != nil {
			return nil, placeError(c, err)
		}
		for i, p := range b.Problems {
			one, err := e.With(p.Problem)
			if err != nil {
				return nil, placeError(c, err)
			}
			if i > 0 && len(one.Vars()) == len(e.Vars()) {
				break // it reads no field: one problem stands for all
			}
			out = append(out, placed{one, c})
		}
	}
	return out, nil
}

// placeError gives an error in a constraint its place in the file.
func placeError(c spec.Constraint, err error) error {
	var fault *constraint.Error
	if errors.As(err, &fault) {
		return c.At(offset(c.String, fault.Col)).Errorf(fault.Expected, "%s", fault.Problem)
	}
	var point *constraint.PointError
	if errors.As(err, &point) {
		return c.At(offset(c.String, point.Col)).Errorf("a constraint that has a value at every point, such as one guarded by `and`",
			"%s at %s", point.Problem, point.Point)
	}
	return c.At(0).Errorf("", "%v", err)
}

// offset is the byte offset of a 1-based column of characters.
func offset(s string, col int) int {
	n := 1
	for i := range s {
		if n == col {
			return i
		}
		n++
	}
	return len(s)
}

// placeSpaceError turns a failed construction into an error of the spec.
func placeSpaceError(err error, b *spec.Bound, constraints []placed) error {
	var empty *search.EmptyError
	if errors.As(err, &empty) && empty.Param == "" {
		var counts []string
		for _, r := range empty.Removed {
			if r.Points.Sign() > 0 {
				counts = append(counts, fmt.Sprintf("%q removed %v", r.Constraint, r.Points))
			}
		}
		for _, c := range constraints {
			if c.Expr.String() == empty.Last {
				return c.text.At(0).Errorf("constraints that some point of the domains meets",
					"the constraints leave no configuration: %s", strings.Join(counts, ", "))
			}
		}
	}
	var point *constraint.PointError
	if errors.As(err, &point) {
		for _, c := range constraints {
			if c.Expr.String() == point.Source {
				return placeError(c.text, err)
			}
		}
	}
	return b.Kernel.FamilyAt.Errorf("", "%v", err)
}

// evaluator returns the function that evaluates an integer expression of the family's (a tile)
// for one problem and configuration.
func evaluator(b *spec.Bound, info plugins.Info, d plugins.Device) func(source string, p plugins.Problem, c plugins.Config) (int64, error) {
	_, env := domains(b, info, d)
	return func(source string, p plugins.Problem, c plugins.Config) (int64, error) {
		e, err := constraint.CompileInt(source, env)
		if err != nil {
			return 0, err
		}
		names := d.LimitValues()
		for k, v := range p {
			names[k] = v
		}
		for k, v := range c {
			names[k] = v
		}
		return e.EvalInt(names)
	}
}
