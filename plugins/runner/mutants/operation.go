package mutants

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
	"github.com/x448/float16"
)

// An operation is the reference of a test shader: a family of input sets, each with its answer.
type operation struct {
	exacts int
	// make gives input set number exact, or the rounded set when it is negative.
	make func(args plugins.Problem, operands reference.Operands, exact int, r *rand.Rand) (*trial, error)
}

var _ reference.Operation = operation{}

// A trial is one set of inputs with the values that the one output must have.
type trial struct {
	inputs map[string][]byte
	output plugins.Buffer
	name   string // of the output's operand
	answer func() (values, bounds []float64)
	once   sync.Once

	values, bounds []float64
}

var _ reference.Trial = (*trial)(nil)

// Exact implements reference.Operation.
func (o operation) Exact(args map[string]plugins.Value, operands reference.Operands, seed uint64) ([]reference.Trial, error) {
	var out []reference.Trial
	for i := range o.exacts {
		t, err := o.make(args, operands, i, random(args, seed, i))
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// Rounded implements reference.Operation.
func (o operation) Rounded(args map[string]plugins.Value, operands reference.Operands, seed uint64) (reference.Trial, error) {
	return o.make(args, operands, -1, random(args, seed, -1))
}

func random(args plugins.Problem, seed uint64, set int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s set %d", args, set)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// Inputs implements reference.Trial.
func (t *trial) Inputs() map[string][]byte { return t.inputs }

// Prepare implements reference.Trial.
func (t *trial) Prepare() error {
	t.once.Do(func() { t.values, t.bounds = t.answer() })
	return nil
}

// Bytes implements reference.Trial.
func (t *trial) Bytes() int64 {
	n := 16 * t.output.Elements
	for _, data := range t.inputs {
		n += int64(len(data))
	}
	return n
}

// Verify implements reference.Trial. No bounds means that the values are exact.
func (t *trial) Verify(outputs map[string][]byte) ([]*reference.Diff, error) {
	if err := t.Prepare(); err != nil {
		return nil, err
	}
	d, data := reference.NewDiff(t.name, t.output), outputs[t.name]
	for i, want := range t.values {
		word := binary.LittleEndian.Uint32(data[4*i:])
		got := float64(math.Float32frombits(word))
		if t.output.Type == plugins.U32 {
			got = float64(word)
		}
		bound := 0.0
		if t.bounds != nil {
			bound = t.bounds[i]
		}
		d.Add(int64(i), got, want, bound)
	}
	return []*reference.Diff{d}, nil
}

// f32s are n numbers drawn from next, and their bytes.
func f32s(n int64, next func() float64) ([]float64, []byte) {
	values, data := make([]float64, n), make([]byte, 4*n)
	for i := range values {
		v := float32(next())
		values[i] = float64(v)
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(v))
	}
	return values, data
}

// f16s is f32s in half precision.
func f16s(n int64, next func() float64) ([]float64, []byte) {
	values, data := make([]float64, n), make([]byte, 2*n)
	for i := range values {
		v := float16.Fromfloat32(float32(next()))
		values[i] = float64(v.Float32())
		binary.LittleEndian.PutUint16(data[2*i:], v.Bits())
	}
	return values, data
}

// nonzero draws integers from ±1 to ±most: no product of two of them vanishes.
func nonzero(r *rand.Rand, most int) func() float64 {
	return func() float64 { return float64((1 + r.IntN(most)) * (1 - 2*r.IntN(2))) }
}

// dots are dot products of rows of w with x, and their bounds in f32.
func dots(w, x []float64) (values, bounds []float64) {
	k := len(x)
	bound, err := reference.NewDotBound(int64(k), plugins.F32, plugins.F32)
	if err != nil {
		panic(err) // both types are known
	}
	for at := 0; at < len(w); at += k {
		var sum, abs float64
		for i, v := range x {
			sum += w[at+i] * v
			abs += math.Abs(w[at+i] * v)
		}
		values, bounds = append(values, sum), append(bounds, bound.Of(sum, abs))
	}
	return values, bounds
}

// register is called by each test shader's init.
func register(name string, o operation) { reference.Register(operationName(name), o) }

func operationName(kernel string) string { return "mutants/" + kernel }
