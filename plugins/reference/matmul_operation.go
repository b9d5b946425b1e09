package reference

import (
	"fmt"

	"github.com/krisptune/krisptune/plugins"
)

// matmulOperation is Reference.Op "matmul": operands a and b are inputs, c the output, each
// with the elements that Matmul says; a and b hold f32, f16 or bf16, and so does c. Its
// arguments are m, n, k, layout ("nt" or "nn") and acc, the accumulator's type.
type matmulOperation struct{}

var _ Operation = matmulOperation{}

func init() { operations["matmul"] = matmulOperation{} }

// riskPerPlan is the probability, over the seed, that an output of the exact inputs is not
// exact in a storage type narrower than the accumulator: see ExactRequest.Risk.
const riskPerPlan = 1e-9

// exhaustive is how many multiply-adds a float64 product may take to be computed whole.
const exhaustive = 1 << 28

// A matmulCase is one problem of the operation, its arguments and operands read.
type matmulCase struct {
	Matmul
	a, b, c plugins.Buffer
	acc     plugins.ElementType
}

func newMatmulCase(args map[string]plugins.Value, operands Operands) (matmulCase, error) {
	var c matmulCase
	assigned := plugins.Problem(args)
	for name, to := range map[string]*int64{"m": &c.M, "n": &c.N, "k": &c.K} {
		v, err := assigned.Int(name)
		if err != nil {
			return c, fmt.Errorf("matmul: %w", err)
		}
		*to = v
	}
	layout, err := assigned.Text("layout")
	if err != nil {
		return c, fmt.Errorf("matmul: %w", err)
	}
	acc, err := assigned.Text("acc")
	if err != nil {
		return c, fmt.Errorf("matmul: %w", err)
	}
	c.Layout, c.acc = Layout(layout), plugins.ElementType(acc)
	if len(args) != 5 {
		return c, fmt.Errorf("matmul: %d arguments, expected m, n, k, layout and acc", len(args))
	}
	if err := c.Validate(nil, nil, nil); err != nil {
		return c, err
	}
	if _, err := formatOf(c.acc); err != nil {
		return c, fmt.Errorf("matmul: acc: %w", err)
	}
	if len(operands) != 3 {
		return c, fmt.Errorf("matmul: %d operands, expected a, b and c", len(operands))
	}
	for _, x := range []struct {
		name     string
		to       *plugins.Buffer
		elements int64
		role     plugins.Role
	}{{"a", &c.a, c.M * c.K, plugins.Input}, {"b", &c.b, c.N * c.K, plugins.Input}, {"c", &c.c, c.M * c.N, plugins.Output}} {
		buf, ok := operands[x.name]
		if !ok {
			return c, fmt.Errorf("matmul: operand %s is missing", x.name)
		}
		if _, err := formatOf(buf.Type); err != nil {
			return c, fmt.Errorf("matmul: operand %s: %w", x.name, err)
		}
		if buf.Elements != x.elements || buf.Role != x.role {
			return c, fmt.Errorf("matmul %dx%dx%d: operand %s is %d elements of %s, expected %d of %s",
				c.M, c.N, c.K, x.name, buf.Elements, buf.Role, x.elements, x.role)
		}
		*x.to = buf
	}
	return c, nil
}

// whole is whether the float64 product is computed in full.
func (c matmulCase) whole() bool { return c.M*c.N <= exhaustive/c.K }

// encode is one operand's contents, in its type.
func encode(b plugins.Buffer, fill func(first int64, dst []float32)) ([]byte, error) {
	values := make([]float32, b.Elements)
	fill(0, values)
	data := make([]byte, b.Size())
	return data, Encode(b.Type, data, values)
}

// decoded are the operands' values.
func (c matmulCase) decoded(inputs map[string][]byte) (a, b []float32, err error) {
	a, b = make([]float32, c.a.Elements), make([]float32, c.b.Elements)
	if err := Decode(c.a.Type, a, inputs["a"]); err != nil {
		return nil, nil, err
	}
	return a, b, Decode(c.b.Type, b, inputs["b"])
}

// output is the decoded contents of c.
func (c matmulCase) output(outputs map[string][]byte) ([]float32, error) {
	data, ok := outputs["c"]
	if !ok {
		return nil, fmt.Errorf("matmul: no contents of operand c")
	}
	got := make([]float32, c.c.Elements)
	return got, Decode(c.c.Type, got, data)
}

// Exact implements Operation: one trial for each run of an ExactPlan.
func (matmulOperation) Exact(args map[string]plugins.Value, operands Operands, seed uint64) ([]Trial, error) {
	c, err := newMatmulCase(args, operands)
	if err != nil {
		return nil, err
	}
	plan, err := PlanExact(ExactRequest{K: c.K, A: c.a.Type, B: c.b.Type, Accumulator: c.acc, Store: c.c.Type,
		Outputs: c.M * c.N, Risk: riskPerPlan, Seed: seed})
	if err != nil {
		return nil, fmt.Errorf("matmul: %w", err)
	}
	trials := make([]Trial, plan.Runs)
	for run := range trials {
		trials[run] = newExactMatmul(c, plan, run, seed)
	}
	return trials, nil
}

// Rounded implements Operation.
func (matmulOperation) Rounded(args map[string]plugins.Value, operands Operands, seed uint64) (Trial, error) {
	c, err := newMatmulCase(args, operands)
	if err != nil {
		return nil, err
	}
	bound, err := NewDotBound(c.K, c.acc, c.c.Type)
	if err != nil {
		return nil, fmt.Errorf("matmul: %w", err)
	}
	return newRoundedMatmul(c, bound, seed), nil
}
