package reference

import (
	"errors"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
)

// MatmulOperation is the operation "matmul": operands a and b are inputs, c is the output.
// Arguments: m, n and k; layout ("nt" or "nn"); acc, the accumulator's element type.
type MatmulOperation struct{}

var _ Operation = MatmulOperation{}

// fullWork is the largest m·n·k for which every element is computed in float64; beyond it
// exact products are checked by Freivalds' test and rounded ones by samples.
const fullWork = 1 << 26

// storeRisk is the probability, over the seed, that a right product of exact inputs does not
// fit its storage type.
const storeRisk = 1e-9

// Exact implements Operation.
func (MatmulOperation) Exact(args map[string]plugins.Value, operands Operands, seed uint64) ([]Trial, error) {
	m, err := newMatmulTrial(args, operands, seed)
	if err != nil {
		return nil, err
	}
	plan, err := PlanExact(ExactRequest{K: m.shape.K, A: m.a.Type, B: m.b.Type, Accumulator: m.acc, Store: m.c.Type,
		Outputs: m.shape.M * m.shape.N, Risk: storeRisk, Seed: seed})
	if err != nil {
		return nil, err
	}
	var trials []Trial
	for run := range plan.Runs {
		t := &matmulExact{matmulTrial: m}
		t.make = func(a, b []float32) { plan.A(run, 0, a); plan.B(run, 0, b) }
		trials = append(trials, t)
	}
	return trials, nil
}

// Rounded implements Operation.
func (MatmulOperation) Rounded(args map[string]plugins.Value, operands Operands, seed uint64) (Trial, error) {
	m, err := newMatmulTrial(args, operands, seed)
	if err != nil {
		return nil, err
	}
	bound, err := NewDotBound(m.shape.K, m.acc, m.c.Type)
	if err != nil {
		return nil, err
	}
	m.make = func(a, b []float32) {
		// Streams far from those of PlanExact's runs.
		NewStream(seed, 1<<32).Normals(0, a)
		NewStream(seed, 1<<32+1).Normals(0, b)
	}
	return &matmulRounded{matmulTrial: m, bound: bound}, nil
}

// A matmulTrial is what exact and rounded trials share: the shape and the encoded inputs.
type matmulTrial struct {
	shape   Matmul
	acc     plugins.ElementType
	a, b, c plugins.Buffer
	seed    uint64
	make    func(a, b []float32)
}

func newMatmulTrial(args map[string]plugins.Value, operands Operands, seed uint64) (matmulTrial, error) {
	t := matmulTrial{seed: seed}
	values := plugins.Problem(args)
	var layout, acc string
	var err, errs error
	for name, p := range map[string]*int64{"m": &t.shape.M, "n": &t.shape.N, "k": &t.shape.K} {
		*p, err = values.Int(name)
		errs = errors.Join(errs, err)
	}
	for name, p := range map[string]*string{"layout": &layout, "acc": &acc} {
		*p, err = values.Text(name)
		errs = errors.Join(errs, err)
	}
	if errs != nil {
		return t, fmt.Errorf("arguments of matmul: %w", errs)
	}
	t.shape.Layout, t.acc = Layout(layout), plugins.ElementType(acc)
	if err := t.shape.Validate(nil, nil, nil); err != nil {
		return t, err
	}
	for _, x := range []struct {
		name     string
		buffer   *plugins.Buffer
		role     plugins.Role
		elements int64
	}{{"a", &t.a, plugins.Input, t.shape.M * t.shape.K}, {"b", &t.b, plugins.Input, t.shape.N * t.shape.K}, {"c", &t.c, plugins.Output, t.shape.M * t.shape.N}} {
		buffer, ok := operands[x.name]
		if !ok {
			return t, fmt.Errorf("matmul has no operand %s", x.name)
		}
		if buffer.Role != x.role || buffer.Elements != x.elements {
			return t, fmt.Errorf("matmul %dx%dx%d: operand %s is an %s buffer of %d elements, expected an %s of %d",
				t.shape.M, t.shape.N, t.shape.K, x.name, buffer.Role, buffer.Elements, x.role, x.elements)
		}
		if _, err := formatOf(buffer.Type); err != nil {
			return t, fmt.Errorf("matmul operand %s: %w", x.name, err)
		}
		*x.buffer = buffer
	}
	if len(operands) != 3 {
		return t, fmt.Errorf("matmul has %d operands, expected a, b and c", len(operands))
	}
	return t, nil
}

// encode makes the inputs in their storage types.
func (t *matmulTrial) encode() map[string][]byte {
	a, b := make([]float32, t.a.Elements), make([]float32, t.b.Elements)
	t.make(a, b)
	out := map[string][]byte{"a": make([]byte, t.a.Size()), "b": make([]byte, t.b.Size())}
	// Types and lengths were looked at when the trial was made.
	_ = Encode(t.a.Type, out["a"], a)
	_ = Encode(t.b.Type, out["b"], b)
	return out
}

// decode gives the values that the kernel sees, after their rounding to storage.
func (t *matmulTrial) decode(inputs map[string][]byte) (a, b []float32) {
	a, b = make([]float32, t.a.Elements), make([]float32, t.b.Elements)
	_ = Decode(t.a.Type, a, inputs["a"])
	_ = Decode(t.b.Type, b, inputs["b"])
	return a, b
}

func (t *matmulTrial) output(outputs map[string][]byte) ([]float32, error) {
	c := make([]float32, t.c.Elements)
	return c, Decode(t.c.Type, c, outputs["c"])
}

func (t *matmulTrial) small() bool { return t.shape.M*t.shape.N*t.shape.K <= fullWork }
