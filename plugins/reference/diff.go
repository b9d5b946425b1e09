package reference

import (
	"math"

	"github.com/krisptune/krisptune/plugins"
)

// A Diff is the comparison of one output with its reference. It keeps counts by row and by
// column, which is enough to say whether the bad elements align with a tile.
type Diff struct {
	Operand string
	// Looked elements were compared; Bad of them are beyond their bound, and NonFinite of
	// those are NaN or infinite.
	Looked, Bad, NonFinite int64
	// First and Worst are bad elements: the lowest index, and the largest error over bound.
	First, Worst *Element
	// Columns is the length of the fastest-varying dimension, Rows the number of rows. A
	// buffer without a row length is one row.
	Rows, Columns int64
	// RowBad and ColumnBad count bad elements; RowLooked and ColumnLooked those compared.
	RowBad, ColumnBad       []int64
	RowLooked, ColumnLooked []int64
}

// An Element is one compared element of an output.
type Element struct {
	Index            int64
	Got, Want, Bound float64
}

// excess orders bad elements by how far they are beyond their bound; NaN comes last of all.
func (e Element) excess() float64 {
	d := math.Abs(e.Got - e.Want)
	if math.IsNaN(d) {
		return math.Inf(1)
	}
	if e.Bound > 0 {
		return d / e.Bound
	}
	return d
}

// NewDiff starts an empty comparison of buffer's elements.
func NewDiff(operand string, buffer plugins.Buffer) *Diff {
	d := &Diff{Operand: operand, Rows: 1, Columns: buffer.Elements}
	if buffer.Rows > 0 {
		d.Columns = buffer.Rows
		d.Rows = (buffer.Elements + d.Columns - 1) / d.Columns
	}
	d.RowBad, d.RowLooked = make([]int64, d.Rows), make([]int64, d.Rows)
	d.ColumnBad, d.ColumnLooked = make([]int64, d.Columns), make([]int64, d.Columns)
	return d
}

// Add compares one element. A value that is NaN or infinite is bad whatever its bound.
func (d *Diff) Add(index int64, got, want, bound float64) {
	row, column := index/d.Columns, index%d.Columns
	d.Looked++
	d.RowLooked[row]++
	d.ColumnLooked[column]++
	finite := !math.IsNaN(got) && !math.IsInf(got, 0)
	if finite && math.Abs(got-want) <= bound {
		return
	}
	d.Bad++
	d.RowBad[row]++
	d.ColumnBad[column]++
	if !finite {
		d.NonFinite++
	}
	e := Element{Index: index, Got: got, Want: want, Bound: bound}
	if d.First == nil || index < d.First.Index {
		first := e
		d.First = &first
	}
	if d.Worst == nil || e.excess() > d.Worst.excess() {
		d.Worst = &e
	}
}

// Merge adds what other compared of the same output.
func (d *Diff) Merge(other *Diff) {
	d.Looked += other.Looked
	d.Bad += other.Bad
	d.NonFinite += other.NonFinite
	for i := range d.RowBad {
		d.RowBad[i] += other.RowBad[i]
		d.RowLooked[i] += other.RowLooked[i]
	}
	for i := range d.ColumnBad {
		d.ColumnBad[i] += other.ColumnBad[i]
		d.ColumnLooked[i] += other.ColumnLooked[i]
	}
	if e := other.First; e != nil && (d.First == nil || e.Index < d.First.Index) {
		d.First = e
	}
	if e := other.Worst; e != nil && (d.Worst == nil || e.excess() > d.Worst.excess()) {
		d.Worst = e
	}
}
