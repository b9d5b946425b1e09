package spec

import (
	"fmt"
	"strings"
)

// suggest is ` (did you mean "family"?)` when one of names is close to name, else empty.
func suggest(name string, names []string) string {
	if n := nearest(name, names); n != "" {
		return fmt.Sprintf(" (did you mean %q?)", n)
	}
	return ""
}

// nearest is the name at the least edit distance from name, letter case ignored, or "" when
// none is closer than a third of its length.
func nearest(name string, names []string) string {
	if len(name) > 64 {
		return ""
	}
	best, bestDistance := "", max(1, len(name)/3)+1
	for _, n := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(n)); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}

// distance is the optimal string alignment distance: insertions, deletions, substitutions and
// swaps of neighbours.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int
	above := make([]int, len(y)+1)
	for j := range above {
		above[j] = j
	}
	for i := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above = above, row
	}
	return above[len(y)]
}

// oneOf lists names for an error: "a", "a or b", "one of a, b, c".
func oneOf(names []string) string {
	switch len(names) {
	case 0:
		return "none"
	case 1:
		return names[0]
	case 2:
		return names[0] + " or " + names[1]
	}
	const limit = 24
	if len(names) > limit {
		return fmt.Sprintf("one of %s and %d more", strings.Join(names[:limit], ", "), len(names)-limit)
	}
	return "one of " + strings.Join(names, ", ")
}
