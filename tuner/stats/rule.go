package stats

import (
	"fmt"
	"math"
	"sort"
)

// A Rule decides comparisons while rounds still come in. Its intervals may be looked at after
// every round, stopped by any reason whatever, and taken for many comparisons at once: the
// probability that any of them ever excludes the true median log-ratio of its comparison is at
// most alpha.
//
// # Derivation
//
// Let X_t be the log-ratio of round t and m its median. For a value x below which at least
// half of X_t's mass lies whatever happened before (x at or above the median), the sign
// X_t > x has a chance of at most 1/2. A gambler who each round stakes the fraction 2p-1 of its
// wealth on that sign, p > 1/2, multiplies it by 2p or by 2-2p: a supermartingale. So is the
// average of such gamblers over a prior on p,
//
//	M_n(x) = ∫ (2p)^k (2-2p)^(n-k) dπ(p),  k = #{t ≤ n : X_t > x},
//
// which starts at 1, and by Ville's inequality P(M_n(x) ≥ 1/a for any n) ≤ a. All values x
// with M_n(x) ≥ 1/a are excluded; since M_n grows with k this leaves an order statistic as the
// lower limit, and the mirrored bet the upper one. Each side of each of K comparisons gets
// a = alpha/(2K), and the union bound does the rest. The prior is Jeffreys' Beta(1/2, 1/2)
// truncated to p > 1/2: it puts weight near p = 1, so that an unmistakable difference needs
// only log2(K/alpha) rounds and about three, and it is spread out, so that the limits shrink
// to the median at the rate sqrt(log(n)/n) whatever the difference.
//
// Nothing is assumed of the tails, and nothing of the time between rounds. For two identical
// kernels not even a noise model is needed: within a round the order is drawn at random, so
// swapping their labels changes no probability, and the sign of X_t is a fair coin whatever
// clocks, throttling or another process do, as long as those do not depend on the order drawn.
// Ties count for neither side, which errs to the safe side.
//
// Sources: J. Ville, Étude critique de la notion de collectif, 1939. H. Robbins, Statistical
// methods related to the law of the iterated logarithm, Ann. Math. Stat. 41 (1970), for the
// mixture. S. R. Howard and A. Ramdas, Sequential estimation of quantiles with applications to
// A/B testing and best-arm identification, Bernoulli 28 (2022) 1704-1728, for confidence
// sequences of quantiles from counts and their use in races. I. Waudby-Smith and A. Ramdas,
// Estimating means of bounded random variables by betting, J. R. Stat. Soc. B 86 (2024) 1-27,
// for the reading as bets.
type Rule struct {
	sides       *boundary
	alpha       float64
	indifferent float64 // log(1 + indifference)
}

// NewRule makes a rule for a number of comparisons that share the error probability alpha.
// Differences below the fraction indifference (0.01 for 1%) are not worth telling apart.
// It panics if alpha is not between 0 and 1, comparisons is below 1, or indifference negative:
// all three are the program's choice.
func NewRule(alpha float64, comparisons int, indifference float64) *Rule {
	if !(alpha > 0 && alpha < 1) || comparisons < 1 || !(indifference >= 0) {
		panic(fmt.Sprintf("stats: NewRule(%v, %v, %v)", alpha, comparisons, indifference))
	}
	return &Rule{
		sides:       newBoundary(alpha / float64(2*comparisons)),
		alpha:       alpha,
		indifferent: math.Log1p(indifference),
	}
}

// Sequence starts one of the rule's comparisons. The sequences of one rule share a table and
// are for one goroutine at a time.
func (r *Rule) Sequence() *Sequence { return &Sequence{rule: r} }

// A Sequence is one comparison, fed a log-ratio log(baseline time / candidate time) per round.
type Sequence struct {
	rule   *Rule
	sorted []float64
}

// Observe adds the log-ratio of one round. It panics on NaN: a failed sample has no ratio.
func (s *Sequence) Observe(logRatio float64) {
	if math.IsNaN(logRatio) {
		panic("stats: Observe(NaN)")
	}
	i := sort.SearchFloat64s(s.sorted, logRatio)
	s.sorted = append(s.sorted, 0)
	copy(s.sorted[i+1:], s.sorted[i:])
	s.sorted[i] = logRatio
}

// N is the number of rounds observed.
func (s *Sequence) N() int { return len(s.sorted) }

// Interval holds the true median log-ratio, in this and every other sequence of the rule, now
// and at all other times, with probability 1-alpha. Its limits are infinite until there are
// rounds enough.
func (s *Sequence) Interval() (lo, hi float64) {
	n := len(s.sorted)
	k := s.rule.sides.critical(n)
	if k > n {
		return math.Inf(-1), math.Inf(1)
	}
	return s.sorted[n-k], s.sorted[k-1]
}

// Comparison is the sequence's estimate as it stands.
func (s *Sequence) Comparison() Comparison {
	c := Comparison{LogRatio: median(s.sorted), N: len(s.sorted), Confidence: 1 - s.rule.alpha}
	c.Lo, c.Hi = s.Interval()
	if math.IsInf(c.Lo, 0) {
		need := len(s.sorted) + 1
		for s.rule.sides.critical(need) > need {
			need++
		}
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d rounds, need at least %d for an interval", len(s.sorted), need))
	}
	return c
}

// Decision is what the interval allows to be said.
func (s *Sequence) Decision() Decision {
	lo, hi := s.Interval()
	switch {
	case lo >= -s.rule.indifferent && hi <= s.rule.indifferent:
		return Equivalent
	case lo > 0:
		return Faster
	case hi < 0:
		return Slower
	}
	return Undecided
}

// A Decision says how a candidate stands to the baseline.
type Decision int

const (
	Undecided  Decision = iota
	Faster              // the interval lies above zero
	Slower              // the interval lies below zero
	Equivalent          // the interval lies within the indifference
)

func (d Decision) String() string {
	return [...]string{"undecided", "faster", "slower", "equivalent"}[d]
}

// median of a sorted slice, NaN if it is empty.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}
