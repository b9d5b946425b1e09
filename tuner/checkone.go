package tuner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

// CheckOne guards one configuration in the baseline's arm, on every problem of the spec. The
// configuration may lie outside the space: the guard is there to say what is wrong with it.
func (s *Session) CheckOne(ctx context.Context, config plugins.Config) (plugins.Verdict, plugins.Evidence, error) {
	c := s.newNamed("check", config)
	if err := s.prove(ctx, []*candidate{c}); err != nil {
		return "", plugins.Evidence{}, err
	}
	return c.verdict, c.evidence, nil
}

// ParseConfig reads K=V,... as a configuration; parameters that it does not name take the
// baseline's values.
func (s *Session) ParseConfig(text string) (plugins.Config, error) {
	config := plugins.Config{}
	for k, v := range s.bound.Baseline {
		config[k] = v
	}
	given := map[string]bool{}
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return nil, fmt.Errorf("%q, expected NAME=VALUE pairs joined by commas", part)
		}
		if given[name] {
			return nil, fmt.Errorf("parameter %s is given twice", name)
		}
		given[name] = true
		p, ok := param(s.bound.Params, name)
		if !ok {
			return nil, fmt.Errorf("unknown parameter %s, expected one of %s", name, strings.Join(names(s.bound.Params), ", "))
		}
		v, err := plugins.ParseValue(p.Type, value)
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", name, err)
		}
		config[name] = v
	}
	return config, nil
}

// Explain says what removes a configuration from the space: values outside their domains and
// constraints that do not hold. Nothing means that it is in the space.
func (s *Session) Explain(config plugins.Config) ([]string, error) {
	params, env := domains(s.bound, s.info, s.device())
	named := map[string]any{}
	var removed []string
	for _, p := range params {
		named[p.Name] = config[p.Name]
		if !slices.Contains(p.Values, config[p.Name]) {
			var values []string
			for _, v := range p.Values {
				values = append(values, plugins.FormatValue(v))
			}
			removed = append(removed, fmt.Sprintf("%s = %s is not in the domain %s",
				p.Name, plugins.FormatValue(config[p.Name]), strings.Join(values, " ")))
		}
	}
	constraints, err := bindConstraints(s.bound, env, s.device())
	if err != nil {
		return nil, err
	}
	for _, c := range constraints {
		holds, err := c.EvalBool(named)
		if err != nil {
			return nil, placeError(c.text, err)
		}
		if text := c.Expr.String(); !holds && !slices.Contains(removed, text) {
			removed = append(removed, text)
		}
	}
	return removed, nil
}

func param(params []plugins.Param, name string) (plugins.Param, bool) {
	for _, p := range params {
		if p.Name == name {
			return p, true
		}
	}
	return plugins.Param{}, false
}

func names(params []plugins.Param) []string {
	out := make([]string, len(params))
	for i, p := range params {
		out[i] = p.Name
	}
	return out
}
