package search

// An Outcome is what one evaluated point was found to be.
type Outcome struct {
	Index int
	Cost  float64 // lower is better: log(time / baseline's time), or a time; meaningless if Failed
	// Others are further objectives beside Cost, the same number of them in each outcome that worked, lower is
	// better: the logarithm of peak memory, for example. The surrogate and auto look for the Pareto set.
	Others  []float64
	Failed  bool   // the point was rejected: it did not compile, was wrong, crashed, ...
	Verdict string // why, in the words of the guard; "" or "ok" if not Failed
}

// Suggesting strategies can be given points to begin with, such as the best ones of an earlier run or of another
// device. They learn from them like from any other point that they asked for.
type Suggesting interface {
	Strategy
	Suggest(points []int)
}

// A Strategy chooses the points of a space to evaluate. It never asks for a point twice, is deterministic for a
// seed and the outcomes told, and is not safe for concurrent use.
type Strategy interface {
	// Ask returns at most n points to evaluate. It returns at least one unless the strategy is done,
	// or needs the outcomes of points asked before.
	Ask(n int) []int
	// Tell reports outcomes of points asked before, in any order and grouping.
	Tell(outcomes []Outcome)
	// Done reports that no point will be asked for any more.
	Done() bool
}
