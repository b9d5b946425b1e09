package tuner

import (
	"context"
	"fmt"
	"strings"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/search"
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

// Explain says which constraints remove a configuration; none if it is in the space.
func (s *Session) Explain(config plugins.Config) ([]string, error) {
	named := map[string]search.Value{}
	for k, v := range config {
		named[k] = v
	}
	if len(s.arms) > 1 {
		named[settingsParam] = s.arms[0].Name
	}
	cfg, err := s.space.Config(named)
	if err != nil {
		return nil, err
	}
	return s.space.Explain(cfg)
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
