package tuner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/emit"
	"github.com/krisptune/krisptune/tuner/stats"
	"github.com/krisptune/krisptune/tuner/store"
)

// confidence of the intervals of single medians.
const confidence = 0.95

// A confirmation is a finished confirmation race between the reference (entries 0 and 1) and
// the winner (entry 2).
type confirmation struct {
	race   *stats.Race
	record *raceRecord
	stats.Confirmed
}

const (
	baselineEntry = 0
	controlEntry  = 1
	winnerEntry   = 2
)

// result says what a run found. Without a baseline that passed, ratios are absent.
func (s *Session) result(stopped Stopped, winner *candidate, confirmed *confirmation, opts TuneOptions) (*emit.Result, error) {
	r := &emit.Result{
		Kernel: s.bound.Kernel.Name, Family: s.info.Name, Device: emit.DeviceOf(s.device()),
		Verdicts: s.verdicts(), Evaluations: s.Evaluated(), Stopped: string(stopped), Clock: s.opened.Clock,
		Mode: s.mode, Gap: s.gap, OverheadNS: float64(s.opened.Overhead), VerdictsReused: s.reused(),
		Strategy: s.bound.Search.Strategy, Seed: s.seed, Tool: emit.Tool{Version: Version, Command: opts.Command},
	}
	if confirmed == nil {
		r.Outcome = emit.NonePassed
		return s.finish(r), nil
	}
	rounds := confirmed.race.Rounds()
	r.Confidence = confirmed.Winner.Confidence
	r.Mode, r.Gap = confirmed.record.mode, confirmed.record.gap
	if confirmed.record.clock != "" {
		r.Clock = confirmed.record.clock
	}
	for _, w := range confirmed.Warnings {
		s.warn(w)
	}
	if w := s.drift.warning(); w != "" {
		s.warn(w)
	}
	ratios := s.reference == s.baseline
	best := s.emitted(winner, confirmed, winnerEntry, rounds)
	if ratios {
		base := s.emitted(s.baseline, confirmed, baselineEntry, rounds)
		aa, aaLo, aaHi := ratioOf(confirmed.AA)
		r.AARatio, r.AARatioInterval = &aa, &[2]float64{aaLo, aaHi}
		one := 1.0
		base.Ratio, base.RatioInterval = &one, &[2]float64{1, 1}
		r.Baseline = &base
		if confirmed.Better && winner != s.baseline {
			ratio, lo, hi := ratioOf(confirmed.Winner)
			best.Ratio, best.RatioInterval = &ratio, &[2]float64{lo, hi}
			r.Outcome = emit.Better
		} else {
			// The winner equals the baseline when it stands.
			best, winner = base, s.baseline
			r.Outcome = emit.BaselineStands
			if confirmed.Reason != "" {
				s.warn(confirmed.Reason)
			}
		}
	} else {
		r.Outcome = emit.NoBaseline
		s.warn("the baseline failed the guard: this configuration is the fastest of those that passed, without a ratio")
	}
	if !s.declared && winner != s.reference {
		s.warn("the final race ended before every rival was told from the winner: some may be as fast")
	}
	if s.leftOpen > 0 {
		s.warn(fmt.Sprintf("%d configurations outside the final race may be as fast as the winner", s.leftOpen))
	}
	r.Winner = &best
	entry := winnerEntry
	if winner == s.baseline {
		entry = baselineEntry
	}
	for p := range s.problems {
		r.Problems = append(r.Problems, s.onProblem(confirmed, entry, p, rounds, ratios))
	}
	return s.finish(r), nil
}

// finish adds what is known only at the end.
func (s *Session) finish(r *emit.Result) *emit.Result {
	r.Warnings = s.warnings
	r.Pareto = s.front()
	r.WallS = s.wall()
	return r
}

// wall splits the time since the session was opened.
func (s *Session) wall() emit.Wall {
	return emit.Wall{
		Compile: s.watch.total(PhaseCompile).Seconds(), Guard: s.watch.total(PhaseGuard).Seconds(),
		Race: s.watch.total(PhaseRace).Seconds(), Other: s.watch.total(PhaseOther).Seconds(),
	}
}

// emitted is a candidate with its times in the confirmation race.
func (s *Session) emitted(c *candidate, confirmed *confirmation, entry, rounds int) emit.Candidate {
	sum := stats.Summarize(confirmed.record.mean(entry, rounds, s.weights), confidence)
	out := emit.Candidate{Config: emit.Values(c.config), Settings: maps.Clone(s.arms[c.arm].Set), MedianNS: sum.Median,
		IntervalNS: [2]float64{sum.Lo, sum.Hi}, Samples: sum.N}
	if c.soaked != nil {
		out.Soak = &emit.Soak{Rounds: soakRounds, PauseMS: soakPause.Milliseconds(), Problems: c.soaked.Cases, Runs: c.soaked.Runs}
	}
	seen := map[string]bool{}
	for _, b := range c.builds {
		for _, m := range b.Modules {
			if h := m.SHA256(); !seen[h] {
				seen[h] = true
				out.Modules = append(out.Modules, emit.Module{Name: m.Name, SHA256: h})
			}
		}
	}
	return out
}

// onProblem is one problem's share of the result.
func (s *Session) onProblem(confirmed *confirmation, entry, problem, rounds int, ratios bool) emit.Problem {
	times := confirmed.record.last(entry, problem, rounds)
	out := emit.Problem{Problem: emit.Values(s.problems[problem]), Weight: s.weights[problem], MedianNS: stats.Summarize(times, confidence).Median}
	if !ratios {
		return out
	}
	if c, err := stats.Compare(confirmed.record.last(baselineEntry, problem, rounds), times, confidence); err == nil {
		ratio := c.Ratio()
		out.Ratio = &ratio
	}
	return out
}

// verdicts counts candidates by verdict; the baseline is not a candidate.
func (s *Session) verdicts() map[plugins.Verdict]int {
	counts := map[plugins.Verdict]int{}
	maps.Copy(counts, s.retired.verdicts)
	for _, c := range s.evaluated {
		counts[c.verdict]++
	}
	return counts
}

// reused counts the candidates that an earlier run's guard judged.
func (s *Session) reused() int {
	n := s.retired.reused
	for _, c := range s.evaluated {
		if c.recalled {
			n++
		}
	}
	return n
}

// Rejected lists, for each verdict other than ok, one candidate's evidence: what a user reads
// first.
func (s *Session) Rejected() map[plugins.Verdict]string {
	why := map[plugins.Verdict]string{}
	maps.Copy(why, s.retired.reasons)
	for _, c := range append([]*candidate{s.baseline}, s.evaluated...) {
		if c == nil || !c.rejected() {
			continue
		}
		if _, ok := why[c.verdict]; !ok {
			why[c.verdict] = c.reason()
		}
	}
	return why
}

// ratioOf is a comparison as people read it.
func ratioOf(c stats.Comparison) (ratio, lo, hi float64) {
	lo, hi = c.RatioInterval()
	return c.Ratio(), lo, hi
}

// emission describes a written file.
func emission(path string) (store.Emission, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return store.Emission{}, err
	}
	sum := sha256.Sum256(data)
	return store.Emission{Format: strings.TrimPrefix(filepath.Ext(path), "."), Path: path, SHA256: hex.EncodeToString(sum[:])}, nil
}
