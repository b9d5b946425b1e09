package reference

import "sync"

// An exactMatmul is one run of an exact plan. Small products are held against the float64
// product, element by element; large ones pass Freivalds' test whole, and only the rows that
// fail it are computed, to say what is wrong.
type exactMatmul struct {
	matmulCase
	inputs  func() map[string][]byte
	prepare func() (exactAnswer, error)
}

var _ Trial = (*exactMatmul)(nil)

// An exactAnswer has want for small products, test for large ones.
type exactAnswer struct {
	want []float64
	test *Freivalds
}

func newExactMatmul(c matmulCase, plan ExactPlan, run int, seed uint64) *exactMatmul {
	t := &exactMatmul{matmulCase: c}
	t.inputs = sync.OnceValue(func() map[string][]byte {
		// Types were checked and lengths are ours: neither can fail.
		a, _ := encode(c.a, func(first int64, dst []float32) { plan.A(run, first, dst) })
		b, _ := encode(c.b, func(first int64, dst []float32) { plan.B(run, first, dst) })
		return map[string][]byte{"a": a, "b": b}
	})
	t.prepare = sync.OnceValues(func() (answer exactAnswer, err error) {
		a, b, err := c.decoded(t.inputs())
		if err != nil {
			return answer, err
		}
		if c.whole() {
			answer.want, _, err = c.Product(a, b)
		} else {
			answer.test, err = NewFreivalds(c.Matmul, a, b, seed+uint64(run))
		}
		return answer, err
	})
	return t
}

// Inputs implements Trial.
func (t *exactMatmul) Inputs() map[string][]byte { return t.inputs() }

// Prepare implements Trial.
func (t *exactMatmul) Prepare() error {
	_, err := t.prepare()
	return err
}

// Bytes implements Trial.
func (t *exactMatmul) Bytes() int64 {
	n := t.a.Size() + t.b.Size()
	if t.whole() {
		return n + 8*t.c.Elements
	}
	return n + 16*(t.M+t.N)
}

// Verify implements Trial.
func (t *exactMatmul) Verify(outputs map[string][]byte) ([]*Diff, error) {
	answer, err := t.prepare()
	if err != nil {
		return nil, err
	}
	got, err := t.output(outputs)
	if err != nil {
		return nil, err
	}
	d := NewDiff("c", t.c)
	if answer.want != nil {
		for at, want := range answer.want {
			d.Add(int64(at), float64(got[at]), want, 0)
		}
		return []*Diff{d}, nil
	}
	rows, err := answer.test.Check(got)
	if err != nil {
		return nil, err
	}
	if err := t.explain(d, rows, got); err != nil {
		return nil, err
	}
	return []*Diff{d}, nil
}

// explain counts the rows of the product that agree as right, and computes rows that do not:
// all, or as many as exhaustive allows, spread over them.
func (t *exactMatmul) explain(d *Diff, rows []int64, got []float32) error {
	if len(rows) == 0 {
		d.allRight()
		return nil
	}
	bad := make([]bool, t.M)
	for _, i := range rows {
		bad[i] = true
	}
	for i := range t.M {
		if !bad[i] {
			for j := range t.N {
				d.right(t.Position(i, j))
			}
		}
	}
	a, b, err := t.decoded(t.inputs())
	if err != nil {
		return err
	}
	some := min(int64(len(rows)), max(1, exhaustive/(t.N*t.K)))
	at := make([]int64, t.N)
	for s := range some {
		i := rows[s*int64(len(rows))/some]
		for j := range t.N {
			at[j] = t.Position(i, j)
		}
		want, _, err := t.Samples(a, b, at)
		if err != nil {
			return err
		}
		for j, x := range at {
			d.Add(x, float64(got[x]), want[j], 0)
		}
	}
	return nil
}

// right counts an element that was found right by other means than comparison.
func (d *Diff) right(index int64) {
	d.Looked++
	d.RowLooked[index/d.Columns]++
	d.ColumnLooked[index%d.Columns]++
}

// allRight counts every element as right.
func (d *Diff) allRight() {
	d.Looked += d.Rows * d.Columns
	for i := range d.RowLooked {
		d.RowLooked[i] += d.Columns
	}
	for i := range d.ColumnLooked {
		d.ColumnLooked[i] += d.Rows
	}
}
