// Package stats turns noisy times into claims that can be believed.
//
// Every claim rests on paired rounds: a round is one sample of each live entrant in random
// order, and what is compared is the log-ratio of two entrants within one round, so that a
// clock that changes between rounds cancels. A number never travels without its sample count
// and its interval, and no estimate is ever a lone minimum.
//
// There are two kinds of interval. A Summary or a Comparison made from a number of rounds that
// was fixed beforehand uses plain order statistics. A Sequence, which is looked at after every
// round, uses a confidence sequence (see Rule). Race uses the second to decide who is still
// worth sampling, and the first for the ratio that is reported.
//
// The package knows no devices, no processes and no clocks.
package stats
