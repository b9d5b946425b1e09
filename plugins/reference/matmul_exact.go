package reference

import "sync"

// A matmulExact is one run of an ExactPlan.
type matmulExact struct {
	matmulTrial
	once    sync.Once
	encoded map[string][]byte
	product sync.Once
	want    []float64 // of small problems
	err     error
}

var _ Trial = (*matmulExact)(nil)

// Inputs implements Trial.
func (t *matmulExact) Inputs() map[string][]byte {
	t.once.Do(func() { t.encoded = t.encode() })
	return t.encoded
}

// Prepare implements Trial.
func (t *matmulExact) Prepare() error {
	inputs := t.Inputs()
	if !t.small() {
		return nil
	}
	t.product.Do(func() {
		a, b := t.decode(inputs)
		t.want, _, t.err = t.shape.Product(a, b)
	})
	return t.err
}

// Bytes implements Trial.
func (t *matmulExact) Bytes() int64 {
	n := t.a.Size() + t.b.Size()
	if t.small() {
		n += 8 * t.c.Elements
	}
	return n
}

// Verify implements Trial.
func (t *matmulExact) Verify(outputs map[string][]byte) ([]*Diff, error) {
	if err := t.Prepare(); err != nil {
		return nil, err
	}
	c, err := t.output(outputs)
	if err != nil {
		return nil, err
	}
	d := NewDiff("c", t.c)
	if t.small() {
		for i, want := range t.want {
			d.Add(int64(i), float64(c[i]), want, 0)
		}
		return []*Diff{d}, nil
	}
	a, b := t.decode(t.Inputs())
	rows, err := t.shape.Freivalds(a, b, c, t.seed)
	if err != nil || len(rows) == 0 {
		d.Looked = t.c.Elements
		return []*Diff{d}, err
	}
	return []*Diff{d}, t.explain(d, a, b, c, rows)
}

// explainWork bounds the multiplications spent on explaining a failure.
const explainWork = 1 << 30

// explain computes the product of rows that Freivalds' test says are wrong: all, or as many as
// explainWork allows, spread evenly. Elements of other rows are right.
func (t *matmulExact) explain(d *Diff, a, b, c []float32, rows []int64) error {
	p := t.shape
	wrong := make([]bool, p.M)
	for _, i := range rows {
		wrong[i] = true
	}
	chosen := rows
	if most := max(1, int(explainWork/(p.N*p.K))); len(rows) > most {
		chosen = make([]int64, most)
		for x := range chosen {
			chosen[x] = rows[x*len(rows)/most]
		}
	}
	at := make([]int64, 0, int64(len(chosen))*p.N)
	for _, i := range chosen {
		for j := range p.N {
			at = append(at, p.Position(i, j))
		}
	}
	want, _, err := p.Samples(a, b, at)
	if err != nil {
		return err
	}
	for x, position := range at {
		d.Add(position, float64(c[position]), want[x], 0)
	}
	for position := range t.c.Elements {
		if i, _ := p.Element(position); !wrong[i] {
			d.Add(position, 0, 0, 0)
		}
	}
	return nil
}
