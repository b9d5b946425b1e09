package tuner

import (
	"fmt"
	"slices"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/arm"
	"github.com/krisptune/krisptune/tuner/stats"
	"github.com/krisptune/krisptune/tuner/store"
)

// A candidate is one configuration in one arm, on every problem of the spec.
type candidate struct {
	id     string
	arm    int // index into the session's arms
	index  int // in the space; -1 if it lies outside
	config plugins.Config

	builds   []plugins.Build // one for each problem; freed when nothing needs them
	cases    []plugins.Case  // the guard's further problems, until it is done
	key      *store.VerdictKey
	spirv    string          // moduleHash, kept when builds are freed
	verdict  plugins.Verdict // empty until something is known
	evidence plugins.Evidence
	stats    []plugins.Statistic
	guarded  bool // this run's or an earlier run's guard passed it
	recalled bool // its verdict is an earlier run's
	deaths   int  // processes that it took with it
	doubts   int  // samples in a row that no clock could be believed for
	screened bool // dropped from its batch race as hopeless
	compiled time.Duration
	checked  time.Duration
	soaked   *plugins.Evidence // counts problems and runs of a soak that it passed

	// estimate compares it with the reference in its batch race; nil if it was not timed.
	estimate *stats.Comparison
	// bound is the same comparison with an interval that holds for all candidates together; nil
	// where a resumed run has only the estimate.
	bound    *stats.Comparison
	beaten   bool  // another entrant of that race is faster, beyond doubt
	race     int64 // that batch race, and its number there
	entrant  int
	medianNS float64 // over the problems by weight
	memory   int64   // bytes of all buffers on the largest problem; 0 where it is no objective
}

// interval is the candidate's comparison with the widest interval that is known.
func (c *candidate) interval() stats.Comparison {
	if c.bound != nil {
		return *c.bound
	}
	return *c.estimate
}

// launch is the ID under which the runner knows the candidate on one problem. It is safe in a
// file's name.
func (c *candidate) launch(problem int) string { return fmt.Sprintf("%s-p%d", c.id, problem) }

// launches is the IDs of the candidate on every problem.
func (c *candidate) launches() []string {
	ids := make([]string, len(c.builds))
	for p := range c.builds {
		ids[p] = c.launch(p)
	}
	return ids
}

// reject records the first verdict other than ok; a later one never replaces it.
func (c *candidate) reject(v plugins.Verdict, e plugins.Evidence) {
	if c.verdict == "" || c.verdict == plugins.OK {
		c.verdict, c.evidence, c.recalled = v, e, false
	}
}

// rejected reports whether the candidate is out.
func (c *candidate) rejected() bool { return c.verdict != "" && c.verdict != plugins.OK }

// live filters out the rejected.
func live(cs []*candidate) []*candidate {
	var out []*candidate
	for _, c := range cs {
		if !c.rejected() {
			out = append(out, c)
		}
	}
	return out
}

// newCandidate is the point of that number in the space.
func (s *Session) newCandidate(index int) *candidate {
	named := s.space.Named(index)
	a := 0
	if name, ok := named[settingsParam]; ok {
		delete(named, settingsParam)
		a = slices.IndexFunc(s.arms, func(a arm.Arm) bool { return a.Name == name })
	}
	return &candidate{id: fmt.Sprintf("c%d", index), arm: a, index: index, config: named}
}

// candidateAt is the point of that number, the baseline itself where it lies there.
func (s *Session) candidateAt(index int) *candidate {
	if index == s.baseline.index {
		return s.baseline
	}
	return s.newCandidate(index)
}

// newNamed is a configuration that a user named, in the baseline's arm; it may lie outside the
// space: the guard is there to say what is wrong with it.
func (s *Session) newNamed(id string, config plugins.Config) *candidate {
	return &candidate{id: id, index: s.indexInSpace(config), config: config}
}

// newBaseline is the baseline's configuration in the baseline's arm; it may lie outside the space.
func (s *Session) newBaseline() *candidate {
	return s.newNamed("baseline", s.bound.Baseline)
}

// indexInSpace is the number of a configuration in the baseline's arm, -1 outside the space.
func (s *Session) indexInSpace(config plugins.Config) int {
	named := map[string]plugins.Value{}
	for k, v := range config {
		named[k] = v
	}
	if len(s.arms) > 1 {
		named[settingsParam] = s.arms[0].Name
	}
	if cfg, err := s.space.Config(named); err == nil {
		if i, ok := s.space.Index(cfg); ok {
			return i
		}
	}
	return -1
}

// moduleHash identifies the SPIR-V of the first problem's modules.
func (c *candidate) moduleHash() string {
	if c.spirv == "" && len(c.builds) > 0 && len(c.builds[0].Modules) > 0 {
		c.spirv = c.builds[0].Modules[0].SHA256()
	}
	return c.spirv
}
