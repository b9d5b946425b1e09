package tuner

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt/spirv"
)

// buildsAtOnce bounds the requests in flight to a family.
const buildsAtOnce = 4

// build has the family turn candidates into launches and rejects those that it refuses or that
// a device limit forbids. An error means that the run cannot go on.
func (s *Session) build(ctx context.Context, cs []*candidate) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(buildsAtOnce)
	for _, c := range cs {
		if c.builds != nil || c.rejected() {
			continue
		}
		g.Go(func() error {
			builds := make([]plugins.Build, len(s.problems))
			for i, p := range s.problems {
				b, err := s.buildOne(ctx, p, c.config)
				if err != nil {
					return s.rejectBuild(ctx, c, p, err)
				}
				builds[i] = b
			}
			c.builds = builds
			return nil
		})
	}
	return g.Wait()
}

// buildOne asks the family for one build and holds it against the device's limits.
func (s *Session) buildOne(ctx context.Context, p plugins.Problem, config plugins.Config) (plugins.Build, error) {
	var b plugins.Build
	err := s.ask(ctx, func(ctx context.Context, f plugins.Family) (err error) {
		b, err = f.Build(ctx, p, config)
		return err
	})
	if err != nil {
		return plugins.Build{}, err
	}
	if err := checkLimits(b, s.device(), s.modules.reflect); err != nil {
		return plugins.Build{}, &limitError{err}
	}
	return b, nil
}

// A limitError is a build that the device's limits forbid.
type limitError struct{ reason error }

func (e *limitError) Error() string { return e.reason.Error() }

// rejectBuild turns a failed build into a verdict. A family's death costs the candidate that it
// was working on.
func (s *Session) rejectBuild(ctx context.Context, c *candidate, p plugins.Problem, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	evidence := plugins.Evidence{Message: err.Error(), Problem: p.String(), Check: "build"}
	var refused *plugins.RequestError
	var limit *limitError
	switch {
	case errors.As(err, &refused):
		c.reject(plugins.Invalid, evidence)
	case errors.As(err, &limit):
		c.reject(plugins.DeviceLimit, evidence)
	default:
		c.reject(plugins.PluginError, evidence)
	}
	return nil
}

// furtherCases builds what the guard needs besides the tuned problems, once.
func (s *Session) furtherCases(ctx context.Context, c *candidate) error {
	if c.cases != nil {
		return nil
	}
	cases, err := s.buildCases(ctx, c)
	if err != nil {
		return s.rejectBuild(ctx, c, s.problems[0], err)
	}
	c.cases = cases
	return nil
}

// buildCases builds the further problems on which the guard checks c. Problems that the family
// refuses although it says that it supports their sizes are its error, not the candidate's luck.
func (s *Session) buildCases(ctx context.Context, c *candidate) ([]plugins.Case, error) {
	cases := []plugins.Case{}
	seen := map[string]bool{}
	for _, p := range s.problems {
		problems, err := guardCases(s.info, p, func(f plugins.Field) (int64, error) { return s.tile(f, p, c.config) })
		if err != nil {
			return nil, err
		}
		for _, q := range problems {
			if seen[q.String()] {
				continue
			}
			seen[q.String()] = true
			b, err := s.buildOne(ctx, q, c.config)
			if err != nil {
				return nil, fmt.Errorf("problem %s: %w", q, err)
			}
			cases = append(cases, plugins.Case{Problem: q, Build: b})
		}
	}
	return cases, nil
}

// moduleCache reflects each module once.
type moduleCache struct {
	mu    sync.Mutex
	known map[string]*spirv.Module
	used  map[string]map[uint32]bool // see usedSpecIDs
}

// reflect returns the reflection of a module, by its hash.
func (c *moduleCache) reflect(m plugins.Module) (*spirv.Module, error) {
	key := m.SHA256()
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := c.known[key]; ok {
		return r, nil
	}
	r, err := spirv.Reflect(m.SPIRV)
	if err != nil {
		return nil, fmt.Errorf("module %s: %w", m.Name, err)
	}
	if c.known == nil {
		c.known = map[string]*spirv.Module{}
	}
	c.known[key] = r
	return r, nil
}

// usedSpec returns the specialization constants that a module reads, by its hash.
func (c *moduleCache) usedSpec(m plugins.Module) map[uint32]bool {
	key := m.SHA256()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used == nil {
		c.used = map[string]map[uint32]bool{}
	}
	if _, ok := c.used[key]; !ok {
		c.used[key] = usedSpecIDs(m.SPIRV)
	}
	return c.used[key]
}
