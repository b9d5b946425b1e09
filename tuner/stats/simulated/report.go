package simulated

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
)

// Limit is what the upper bound of each rate of false claims must not exceed.
const Limit = 0.01

// Report runs the whole proof and writes its tables in Markdown. Tunes is the number of races
// of each kind and seed. It returns the claims that did not hold, in words.
func Report(w io.Writer, seeds []uint64, tunes int) (failures []string) {
	p := &printer{w: w}
	p.printf("# Check of the race's rules on simulated devices\n\n")
	p.printf("Made by `go run ./tuner/stats/simulated/checkstats -tunes %d -seeds %s`; the same command gives the same file.\n", tunes, list(seeds))
	p.printf("Rates are followed by their one-sided 95%% upper bounds (Clopper and Pearson).\n\n")
	p.printf("Noise models (time scales are drawn anew for each tune):\n\n")
	for _, n := range Noises {
		p.printf("- %s: %s\n", n.Name, n.Doc)
	}
	each := tunes / len(Noises)
	run := func(sc Scenario, tunes int) []Count {
		rows := make([]Count, len(Noises)+1)
		for i, n := range Noises {
			sc.Noise = n
			rows[i].Scenario = sc
			for _, seed := range seeds {
				rows[i].Add(Check(sc, seed, tunes))
			}
			rows[len(Noises)].Add(rows[i])
		}
		rows[len(Noises)].Noise.Name = "all"
		return rows
	}

	for _, oneRace := range []bool{false, true} {
		title := "False winners: batches of 16, a final of 8, a confirmation"
		if oneRace {
			title = "False winners: all candidates in one race"
		}
		p.printf("\n## %s\n\n2 to 200 candidates whose true times differ by 0, 1, 2, 5 or 20%%, the baseline among them. A winner is false if it is\n", title)
		p.printf("not within the indifference of 1%% of the best. Naive tuners time one candidate after another on the same devices and\nalways name a winner. \"Declared\" is a winner of all candidates: a final of 8 cannot speak for the candidates left open before it.\n\n")
		p.printf("| noise | tunes | winner declared | false winners | samples, median | better than baseline | of these not faster | minimum of 20: false | samples | mean of 7: false | samples |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
		for _, c := range run(Scenario{OneRace: oneRace}, each) {
			p.printf("| %s | %d | %s | %s | %.0f | %s | %s | %s | %.0f | %s | %.0f |\n", c.Noise.Name, c.Tunes,
				percent(c.Declared, c.Tunes), bound(c.False, c.Tunes), middle(c.Samples), percent(c.Better, c.Tunes), bound(c.Untrue, c.Tunes),
				percent(c.Naive[0].False, c.Tunes), middle(c.Naive[0].Samples), percent(c.Naive[1].False, c.Tunes), middle(c.Naive[1].Samples))
			failures = append(failures, claim(c, title, "false winners", c.False, c.Tunes)...)
			failures = append(failures, claim(c, title, "untrue gains", c.Untrue, c.Tunes)...)
		}
	}

	p.printf("\n## A/A: identical kernels called different\n\n2 to 200 candidates equal to the baseline. \"Called different\" counts a tune if, after any round of any batch or the\n")
	p.printf("final, anything was called faster or slower than the baseline.\n\n| noise | tunes | called different | confirmed as better |\n|---|--:|--:|--:|\n")
	for _, c := range run(Scenario{Identical: true}, each) {
		p.printf("| %s | %d | %s | %s |\n", c.Noise.Name, c.Tunes, bound(c.Different, c.Tunes), bound(c.Better, c.Tunes))
		failures = append(failures, claim(c, "A/A", "called different", c.Different, c.Tunes)...)
		failures = append(failures, claim(c, "A/A", "confirmed as better", c.Better, c.Tunes)...)
	}

	p.printf("\n## The best of 200 identical kernels\n\nThe ratio that is reported, with its 99%% interval from 40 fresh rounds, and what naive tuners report: the median of\n")
	p.printf("tunes, and the 95th percentile. The truth is 1. A tune whose final was led by the baseline reports no ratio.\n\n")
	p.printf("| noise | ratios | interval misses 1 | called better | ratio | 95th | minimum of 20 | 95th | mean of 7 | 95th |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	rows := run(Scenario{Identical: true, Candidates: 200}, each/5)
	for i, c := range rows {
		p.printf("| %s | %d | %s | %s | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f |\n", c.Noise.Name, c.Confirmed,
			bound(c.Confirmed-c.Covered, c.Confirmed), bound(c.Better, c.Tunes), middle(c.Ratios), quantile(c.Ratios, 0.95),
			middle(c.Naive[0].Ratios), quantile(c.Naive[0].Ratios, 0.95), middle(c.Naive[1].Ratios), quantile(c.Naive[1].Ratios, 0.95))
		if i == len(rows)-1 {
			failures = append(failures, claim(c, "best of 200", "interval misses 1", c.Confirmed-c.Covered, c.Confirmed)...)
			failures = append(failures, claim(c, "best of 200", "called better", c.Better, c.Tunes)...)
		}
	}

	p.printf("\n## Rounds until a comparison is decided\n\nOne candidate under normal noise, alpha 0.01, median over 1,000 comparisons with the 95th percentile.\n\n")
	p.printf("| faster by | noise | 1 comparison | 10 | 100 | 1,000 |\n|--:|--:|--:|--:|--:|--:|\n")
	for _, faster := range []float64{0, 0.01, 0.02, 0.05, 0.2} {
		for _, sigma := range []float64{0.002, 0.01, 0.03} {
			p.printf("| %.0f%% | %.1f%% |", 100*faster, 100*sigma)
			for _, k := range []int{1, 10, 100, 1000} {
				r := RoundsToDecide(seeds[0], 1000, faster, sigma, 0.01, k)
				p.printf(" %.0f, %.0f |", middle(r), quantile(r, 0.95))
			}
			p.printf("\n")
		}
	}
	if p.err != nil {
		failures = append(failures, p.err.Error())
	}
	return failures
}

// claim checks one rate of false claims against Limit.
func claim(c Count, table, what string, k, n int) []string {
	if u := UpperBound(k, n); u > Limit {
		return []string{fmt.Sprintf("%s, %s: %s in %d of %d, upper bound %.2f%%, expected at most %.0f%%", table, c.Noise.Name, what, k, n, 100*u, 100*Limit)}
	}
	return nil
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func percent(k, n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(k)/float64(n))
}

func bound(k, n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%d: %.2f%% (< %.2f%%)", k, 100*float64(k)/float64(n), 100*UpperBound(k, n))
}

func middle(x []float64) float64 { return quantile(x, 0.5) }

func quantile(x []float64, q float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	s := slices.Clone(x)
	sort.Float64s(s)
	return s[int(q*float64(len(s)-1)+0.5)]
}

func list(seeds []uint64) string {
	s := ""
	for i, x := range seeds {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprint(x)
	}
	return s
}
