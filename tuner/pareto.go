package tuner

import (
	"context"
	"maps"
	"math"

	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner/emit"
)

// weigh notes how much device memory candidates that passed need, where memory is an objective.
func (s *Session) weigh(ctx context.Context, cs []*candidate) error {
	if !s.bound.Search.Memory {
		return nil
	}
	for _, c := range live(cs) {
		built := c.builds != nil
		if err := s.build(ctx, []*candidate{c}); err != nil {
			return err
		}
		for _, b := range c.builds {
			bytes := int64(0)
			for _, buffer := range b.Buffers {
				bytes += buffer.Size()
			}
			c.memory = max(c.memory, bytes)
		}
		if !built {
			c.builds = nil
		}
	}
	return nil
}

// others are the objectives of a candidate beside its time.
func (c *candidate) others() []float64 {
	if c.memory == 0 {
		return nil
	}
	return []float64{math.Log(float64(c.memory))}
}

// front is the Pareto set of time and memory among the candidates that were timed; nil where
// memory is no objective. Its times are those of batch races: candidates to choose from,
// not confirmed ones.
func (s *Session) front() []emit.Tradeoff {
	var all []search.Outcome
	for i, c := range s.evaluated {
		if !c.rejected() && c.estimate != nil && c.memory > 0 {
			all = append(all, search.Outcome{Index: i, Cost: -c.estimate.LogRatio, Others: c.others()})
		}
	}
	var front []emit.Tradeoff
	for _, o := range search.Front(all) {
		c := s.evaluated[o.Index]
		ratio, lo, hi := ratioOf(*c.estimate)
		front = append(front, emit.Tradeoff{Config: emit.Values(c.config), Settings: maps.Clone(s.arms[c.arm].Set),
			Ratio: ratio, RatioInterval: [2]float64{lo, hi}, MemoryBytes: c.memory})
	}
	return front
}
