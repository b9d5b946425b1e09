package guard

import (
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
)

func TestShape(t *testing.T) {
	s := &session{Case: Case{Config: plugins.Config{"BM": int64(64), "BN": int64(32), "UNROLL": true, "TM": int64(4)}}}
	for _, test := range []struct {
		rows, columns int64
		bad           func(row, column int64) bool
		looked        func(row, column int64) bool
		want          string
	}{
		{96, 96, func(r, c int64) bool { return true }, nil, "every element"},
		{96, 96, func(r, c int64) bool { return r >= 64 }, nil, "rows 64 and beyond (1 x BM, 2 x BN)"},
		{96, 96, func(r, c int64) bool { return r < 10 }, nil, "rows 0..9"},
		{96, 96, func(r, c int64) bool { return c == 95 }, nil, "column 95"},
		{96, 96, func(r, c int64) bool { return c%32 >= 16 }, nil, "columns 16..31 of every 32 (BN = 32)"},
		{96, 96, func(r, c int64) bool { return r >= 90 && c%32 == 5 }, nil, "rows 90 and beyond, column 5 of every 32 (BN = 32)"},
		{96, 96, func(r, c int64) bool { return r == 3 && c == 4 }, nil, "row 3, column 4"},
		{96, 96, func(r, c int64) bool { return (r*7+c*13)%5 == 0 }, nil, "scattered over all rows and columns"},
		{96, 96, func(r, c int64) bool { return r < 32 && (r+c)%2 == 0 }, nil, "within rows 0..31 (1536 of the 3072 there)"},
		{1, 1000, func(r, c int64) bool { return c >= 960 }, nil, "elements 960 and beyond (15 x BM, 30 x BN)"},
		{96, 96, func(r, c int64) bool { return c >= 64 }, func(r, c int64) bool { return c%15 == 0 }, "columns 75 and beyond"},
	} {
		b := plugins.Buffer{Elements: test.rows * test.columns, Rows: test.columns}
		if test.rows == 1 {
			b.Rows = 0
		}
		d := reference.NewDiff("c", b)
		for i := range b.Elements {
			r, c := i/test.columns, i%test.columns
			if test.looked != nil && !test.looked(r, c) {
				continue
			}
			got := 0.0
			if test.bad(r, c) {
				got = 1
			}
			d.Add(i, got, 0, 0)
		}
		if got := s.shape(d); got != test.want {
			t.Errorf("%q, expected %q", got, test.want)
		}
	}
}
