package guard

import (
	"fmt"
	"sort"
	"strings"

	"github.com/krisptune/krisptune/plugins/reference"
)

// shape says in words where the bad elements lie: whole rows or columns, the tail beyond some
// row, a part of every tile. Of what was not looked at it says nothing.
func (s *session) shape(d *reference.Diff) string {
	if d.Bad == d.Looked {
		if d.Looked == d.Rows*d.Columns {
			return "every element"
		}
		return "every element looked at"
	}
	rows, columns := lines(d.RowBad, d.RowLooked), lines(d.ColumnBad, d.ColumnLooked)
	noun := "columns"
	if d.Rows == 1 {
		noun = "elements"
	}
	var parts []string
	if t := s.describe(rows, "rows"); t != "" && d.Rows > 1 {
		parts = append(parts, t)
	}
	if t := s.describe(columns, noun); t != "" {
		parts = append(parts, t)
	}
	if len(parts) == 0 {
		return "scattered over all rows and columns"
	}
	out := strings.Join(parts, ", ")
	if full := count(rows) * count(columns); d.Looked == d.Rows*d.Columns && d.Bad < full {
		out = fmt.Sprintf("within %s (%d of the %d there)", out, d.Bad, full)
	}
	return out
}

// A mark says of one row or column whether it has a bad element.
type mark int

const (
	unseen mark = iota // nothing of it was compared
	good
	bad
)

func lines(badCounts, looked []int64) []mark {
	out := make([]mark, len(badCounts))
	for i := range out {
		switch {
		case badCounts[i] > 0:
			out[i] = bad
		case looked[i] > 0:
			out[i] = good
		}
	}
	return out
}

func count(m []mark) (n int64) {
	for _, x := range m {
		if x == bad {
			n++
		}
	}
	return n
}

// describe words the bad lines; "" when all are bad.
func (s *session) describe(m []mark, noun string) string {
	first, last, n, seen := -1, -1, 0, 0
	for i, x := range m {
		if x != unseen {
			seen++
		}
		if x == bad {
			if first < 0 {
				first = i
			}
			last, n = i, n+1
		}
	}
	singular := strings.TrimSuffix(noun, "s")
	switch {
	case n == seen || n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf("%s %d", singular, first)
	case contiguous(m, first, len(m)-1):
		return fmt.Sprintf("%s %d and beyond%s", noun, first, s.multiple(first))
	case contiguous(m, first, last):
		return fmt.Sprintf("%s %d..%d", noun, first, last)
	}
	if lo, hi, period, ok := periodic(m); ok {
		if lo == hi {
			return fmt.Sprintf("%s %d of every %d%s", singular, lo, period, s.named(period))
		}
		return fmt.Sprintf("%s %d..%d of every %d%s", noun, lo, hi, period, s.named(period))
	}
	return fmt.Sprintf("%d of %d %s between %d and %d", n, len(m), noun, first, last)
}

// contiguous is whether no line between first and last is good.
func contiguous(m []mark, first, last int) bool {
	for i := first; i <= last; i++ {
		if m[i] == good {
			return false
		}
	}
	return true
}

// longestPeriod bounds the search for a pattern: no workgroup covers more in one direction.
const longestPeriod = 4096

// periodic finds the smallest period, at most half of m, in which the bad lines are one range
// of each period. The last period may be cut short.
func periodic(m []mark) (lo, hi, period int, ok bool) {
	for p := 2; p <= min(len(m)/2, longestPeriod); p++ {
		fold := make([]mark, p)
		fits := true
		for i, x := range m {
			switch {
			case x == unseen:
			case fold[i%p] == unseen:
				fold[i%p] = x
			case fold[i%p] != x:
				fits = false
			}
			if !fits {
				break
			}
		}
		if !fits {
			continue
		}
		lo, hi = -1, -1
		for i, x := range fold {
			if x == bad {
				if lo < 0 {
					lo = i
				}
				hi = i
			}
		}
		if lo >= 0 && contiguous(fold, lo, hi) {
			return lo, hi, p, true
		}
	}
	return 0, 0, 0, false
}

// named lists the parameters whose value is n: " (BN = 128)".
func (s *session) named(n int) string {
	var names []string
	for name, v := range s.Config {
		if i, ok := v.(int64); ok && i == int64(n) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	sort.Strings(names)
	return fmt.Sprintf(" (%s = %d)", strings.Join(names, ", "), n)
}

// multiple lists the parameters of which n is the largest multiple that matters: an edge at
// 192 with BN = 64 is "3 x BN". Small parameters divide everything and explain nothing.
func (s *session) multiple(n int) string {
	var names []string
	for name, v := range s.Config {
		if i, ok := v.(int64); ok && i >= 16 && n > 0 && int64(n)%i == 0 {
			names = append(names, fmt.Sprintf("%d x %s", int64(n)/i, name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	sort.Strings(names)
	return " (" + strings.Join(names, ", ") + ")"
}
