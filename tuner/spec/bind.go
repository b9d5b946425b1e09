package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

// A Bound spec has its family's types: nothing in it is unknown to the family.
type Bound struct {
	Kernel   Kernel
	Problems []Problem
	// Params are the family's in its order, each with the domain to search.
	Params []plugins.Param
	// Constraints are the family's, then the spec's.
	Constraints      []Constraint
	Baseline         plugins.Config
	Settings         []Setting
	BaselineSettings map[string]string
	Search           Search
	Measure          Measure
	// Warnings are doubts that stop nothing, such as a variable that stock drivers ignore.
	Warnings []string
}

// A Problem is one problem of the objective.
type Problem struct {
	plugins.Problem
	// Weight is the share in the objective, above 0; shares need not sum to 1.
	Weight float64
}

// Options are what the command line allows beyond the spec.
type Options struct {
	// AllowSettings names driver variables that no knob table lists (--allow-setting).
	AllowSettings []string
	// Unsafe permits variables that are known to hang a device (--unsafe).
	Unsafe bool
}

// Bind checks the spec against its family's description. Faults are *Error.
func (s *Spec) Bind(info plugins.Info, opts Options) (*Bound, error) {
	b := &Bound{Kernel: s.Kernel, Settings: s.Driver.Settings, BaselineSettings: s.BaselineSettings, Search: s.Search,
		Measure: s.Measure}
	for i, c := range info.Constraints {
		at := Position{File: fmt.Sprintf("<constraints of family %s>", info.Name), Line: i + 1, Column: 1}
		b.Constraints = append(b.Constraints, Constraint{Text: Text{String: c, start: at}, Family: true})
	}
	b.Constraints = append(b.Constraints, s.constraints...)
	for _, bind := range []func(plugins.Info, *Bound) error{s.bindProblems, s.bindParams, s.bindBaseline} {
		if err := bind(info, b); err != nil {
			return nil, err
		}
	}
	warnings, err := s.checkSettings(opts)
	if err != nil {
		return nil, err
	}
	b.Warnings = warnings
	return b, nil
}

func (s *Spec) bindProblems(info plugins.Info, b *Bound) error {
	names := make([]string, len(info.Fields))
	for i, f := range info.Fields {
		names[i] = f.Name
	}
	seen := map[string]Position{}
	for _, p := range s.problems {
		out := plugins.Problem{}
		for _, v := range p.fields {
			i := slices.Index(names, v.name)
			if i < 0 {
				return v.keyAt.Errorf(oneOf(names), "family %s has no problem field %s%s", info.Name, quote(v.name),
					suggest(v.name, names))
			}
			value, err := v.as(info.Fields[i].Type)
			if err != nil {
				return err
			}
			if err := allowed(info.Fields[i], value, v.at); err != nil {
				return err
			}
			out[v.name] = value
		}
		for _, f := range info.Fields {
			if _, ok := out[f.Name]; ok {
				continue
			}
			if f.Default == nil {
				return p.at.Errorf(fmt.Sprintf("%s = %s", f.Name, article(f.Type)), "the problem has no field %q", f.Name)
			}
			out[f.Name] = f.Default
		}
		if first, ok := seen[out.String()]; ok {
			return p.at.Errorf("different problems, or one with a weight", "the problem is the one at line %d again", first.Line)
		}
		seen[out.String()] = p.at
		b.Problems = append(b.Problems, Problem{out, p.weight})
	}
	return nil
}

// allowed checks a value against the bounds of its field.
func allowed(f plugins.Field, value plugins.Value, at Position) error {
	if len(f.Values) > 0 && !slices.Contains(f.Values, value) {
		return at.Errorf(values(f.Values), "%s = %s is not supported", f.Name, show(value))
	}
	n, ok := value.(int64)
	if !ok {
		return nil
	}
	if n < f.Min {
		return at.Errorf(fmt.Sprintf("at least %d", f.Min), "%s = %d is too small", f.Name, n)
	}
	if f.Multiple > 1 && n%f.Multiple != 0 {
		return at.Errorf(fmt.Sprintf("a multiple of %d", f.Multiple), "%s = %d does not fit", f.Name, n)
	}
	return nil
}

// find returns the family's parameter that v names.
func find(info plugins.Info, name string, at Position) (plugins.Param, error) {
	names := make([]string, len(info.Params))
	for i, p := range info.Params {
		if p.Name == name {
			return p, nil
		}
		names[i] = p.Name
	}
	return plugins.Param{}, at.Errorf(oneOf(names), "family %s has no parameter %s%s", info.Name, quote(name), suggest(name, names))
}

func (s *Spec) bindParams(info plugins.Info, b *Bound) error {
	narrowed := map[string][]plugins.Value{}
	for _, d := range s.params {
		p, err := find(info, d.name, d.keyAt)
		if err != nil {
			return err
		}
		for _, v := range d.values {
			value, err := v.as(p.Type)
			if err != nil {
				return err
			}
			if len(p.Values) > 0 && !slices.Contains(p.Values, value) {
				return v.at.Errorf(values(p.Values), "%s = %s is outside the family's domain", p.Name, show(value))
			}
			if slices.Contains(narrowed[p.Name], value) {
				return v.at.Errorf("each value once", "%s = %s stands twice", p.Name, show(value))
			}
			narrowed[p.Name] = append(narrowed[p.Name], value)
		}
	}
	for _, p := range info.Params {
		if v, ok := narrowed[p.Name]; ok {
			p.Values = v
		}
		if len(p.Values) == 0 {
			return s.root.Errorf("a list in [params]", "parameter %s has no values in family %s or in the spec", p.Name, info.Name)
		}
		b.Params = append(b.Params, p)
	}
	return nil
}

func (s *Spec) bindBaseline(info plugins.Info, b *Bound) error {
	b.Baseline = plugins.Config{}
	at, whose := s.baselineAt, "[baseline]"
	for _, v := range s.baseline {
		p, err := find(info, v.name, v.keyAt)
		if err != nil {
			return err
		}
		if b.Baseline[p.Name], err = v.as(p.Type); err != nil {
			return err
		}
	}
	if len(s.baseline) == 0 {
		at, whose = s.root, "the baseline of family "+info.Name
		for k, v := range info.Baseline {
			b.Baseline[k] = v
		}
	}
	var missing []string
	for _, p := range info.Params {
		if _, ok := b.Baseline[p.Name]; !ok {
			missing = append(missing, p.Name)
		}
	}
	if len(missing) > 0 {
		return at.Errorf("[baseline] with a value for every parameter", "%s has no %s", whose, strings.Join(missing, ", "))
	}
	return nil
}

// as returns v in a family's type. Only an integer where a float is due is converted.
func (v named) as(t plugins.ValueType) (plugins.Value, error) {
	if n, ok := v.value.(int64); ok && t == plugins.Float {
		return float64(n), nil
	}
	if plugins.TypeOf(v.value) != t {
		return nil, v.at.Errorf(article(t), "%s = %s is %s", v.name, show(v.value), form(v.value))
	}
	return v.value, nil
}

func article(t plugins.ValueType) string {
	switch t {
	case plugins.Int:
		return "an integer"
	case plugins.Float:
		return "a number"
	case plugins.Bool:
		return "true or false"
	}
	return "a string"
}

// show spells a value as TOML does.
func show(v plugins.Value) string {
	if s, ok := v.(string); ok {
		return quote(s)
	}
	return plugins.FormatValue(v)
}

func values(list []plugins.Value) string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = show(v)
	}
	return oneOf(names)
}
