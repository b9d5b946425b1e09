package spec

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

func (s *Spec) readConstraints(n node) error {
	if n.absent() {
		return nil
	}
	const expected = "a list of boolean expressions"
	list, err := n.list(expected)
	if err != nil {
		return err
	}
	for _, e := range list {
		text, err := e.text("a string that holds a boolean expression")
		if err != nil {
			return err
		}
		if strings.TrimSpace(text) == "" {
			return e.at().Errorf("a boolean expression", "%s is empty", e.label)
		}
		s.constraints = append(s.constraints, Constraint{Text: e.x.text(e.path, text)})
	}
	return nil
}

var (
	kernelName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	// A family's name becomes part of a program's name, so it must not look like an option or
	// a hidden file.
	familyName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`)
)

func (s *Spec) readKernel(n node) error {
	if n.absent() {
		return s.root.Errorf("[kernel] with family and name", "[kernel] is missing")
	}
	keys, err := n.table("[kernel] with family and name", []string{"family", "name"}, []string{"plugin"})
	if err != nil {
		return err
	}
	for _, k := range []struct {
		key, expected string
		form          *regexp.Regexp
		to            *string
	}{
		{"family", "a family's name such as matmul", familyName, &s.Kernel.Family},
		{"name", "1 to 64 of A-Z a-z 0-9 _ . -", kernelName, &s.Kernel.Name},
	} {
		v, ok := keys[k.key]
		if !ok {
			return n.keyAt().Errorf(k.expected, "kernel.%s is missing", k.key)
		}
		if *k.to, err = v.text(k.expected); err != nil {
			return err
		}
		if !k.form.MatchString(*k.to) {
			return v.at().Errorf(k.expected, "kernel.%s is %s", k.key, quote(*k.to))
		}
	}
	s.Kernel.FamilyAt = keys["family"].at()
	return nil
}

func (s *Spec) readProblems(n node) error {
	const expected = "one or more [[problem]]"
	if n.absent() {
		return s.root.Errorf(expected, "[[problem]] is missing")
	}
	list, err := n.list(expected)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return n.at().Errorf(expected, "problem is empty")
	}
	for _, e := range list {
		p := problem{weight: 1, at: e.keyAt()}
		fields, err := e.entries("a table of the problem's fields")
		if err != nil {
			return err
		}
		for _, f := range fields {
			v, err := f.scalar()
			if err != nil {
				return err
			}
			if f.name != "weight" {
				p.fields = append(p.fields, v)
				continue
			}
			switch w := v.value.(type) {
			case int64:
				p.weight = float64(w)
			case float64:
				p.weight = w
			default:
				return f.mistyped("a number above 0")
			}
			// A subnormal share would vanish from the objective.
			if !(p.weight >= math.SmallestNonzeroFloat32) {
				return f.at().Errorf("a number above 0", "%s is %v", f.label, v.value)
			}
		}
		s.problems = append(s.problems, p)
	}
	return nil
}

func (s *Spec) readParams(n node) error {
	if n.absent() {
		return nil
	}
	entries, err := n.entries("[params] with a list of values for each parameter")
	if err != nil {
		return err
	}
	for _, e := range entries {
		values, err := e.domain()
		if err != nil {
			return err
		}
		s.params = append(s.params, domain{e.name, values, e.keyAt()})
	}
	return nil
}

// sortOf is a value's type where integers and floats mix: a float parameter takes [1, 0.5].
func sortOf(v any) string {
	switch v.(type) {
	case int64, float64:
		return "a number"
	}
	return form(v)
}

// domain reads a list of different values of one sort.
func (n node) domain() ([]named, error) {
	const expected = "a list of values"
	list, err := n.list(expected)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, n.at().Errorf("at least one value", "%s is empty", n.label)
	}
	var out []named
	seen := map[any]bool{}
	for _, e := range list {
		v, err := e.scalar()
		if err != nil {
			return nil, err
		}
		if a, b := sortOf(v.value), sortOf(list[0].value); a != b {
			return nil, e.mistyped(b + " like " + list[0].label)
		}
		if seen[v.value] {
			return nil, e.at().Errorf("each value once", "%s repeats %s", e.label, show(v.value))
		}
		seen[v.value] = true
		out = append(out, v)
	}
	return out, nil
}

func (s *Spec) readBaseline(n node) error {
	if n.absent() {
		return nil
	}
	s.baselineAt = n.keyAt()
	entries, err := n.entries("[baseline] with a value for each parameter")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.name == "settings" {
			if err := s.readBaselineSettings(e); err != nil {
				return err
			}
			continue
		}
		v, err := e.scalar()
		if err != nil {
			return err
		}
		s.baseline = append(s.baseline, v)
	}
	return nil
}

func (s *Spec) readSearch(n node) error {
	s.Search = Search{Strategy: "auto", Seed: 1}
	if n.absent() {
		return nil
	}
	keys, err := n.table("[search] with strategy, budget, seed, objectives", []string{"strategy", "budget", "seed", "objectives"}, nil)
	if err != nil {
		return err
	}
	if v, ok := keys["strategy"]; ok {
		if s.Search.Strategy, err = v.text("a strategy's name"); err != nil {
			return err
		}
		if !kernelName.MatchString(s.Search.Strategy) {
			return v.at().Errorf("a strategy's name", "%s is %s", v.label, quote(s.Search.Strategy))
		}
		s.Search.StrategyAt = v.at()
	}
	if v, ok := keys["budget"]; ok {
		const expected = `a number of evaluations such as "200" or a duration such as "20m"`
		text, err := v.text(expected)
		if err != nil {
			return err
		}
		if s.Search.Budget, err = ParseBudget(text); err != nil {
			return v.at().Errorf(expected, "%s", err)
		}
	}
	if v, ok := keys["seed"]; ok {
		seed, err := v.integer("an integer from 0", 0, math.MaxInt64)
		if err != nil {
			return err
		}
		s.Search.Seed = uint64(seed)
	}
	if v, ok := keys["objectives"]; ok {
		const expected = `["time"] or ["time", "memory"]`
		list, err := v.list(expected)
		if err != nil {
			return err
		}
		var names []string
		for _, item := range list {
			name, err := item.text(expected)
			if err != nil {
				return err
			}
			names = append(names, name)
		}
		s.Search.Memory = slices.Equal(names, []string{"time", "memory"})
		if !s.Search.Memory && !slices.Equal(names, []string{"time"}) {
			return v.at().Errorf(expected, "%s is %s", v.label, quote(strings.Join(names, ", ")))
		}
	}
	return nil
}

func (s *Spec) readMeasure(n node) error {
	if n.absent() {
		return nil
	}
	keys, err := n.table("[measure] with mode, gap", []string{"mode", "gap"}, nil)
	if err != nil {
		return err
	}
	if v, ok := keys["mode"]; ok {
		const expected = `"hot" or "cold"`
		text, err := v.text(expected)
		if err != nil {
			return err
		}
		if s.Measure.Mode, err = plugins.ParseMode(text); err != nil {
			return v.at().Errorf(expected, "%s is %s", v.label, quote(text))
		}
	}
	if v, ok := keys["gap"]; ok {
		const expected = `"dependent" or "submit"`
		text, err := v.text(expected)
		if err != nil {
			return err
		}
		if s.Measure.Gap, err = plugins.ParseGap(text); err != nil {
			return v.at().Errorf(expected, "%s is %s", v.label, quote(text))
		}
	}
	return nil
}
