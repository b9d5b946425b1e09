package guard

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
	"github.com/krisptune/krisptune/plugins/runner/launch"
)

// A fakeMachine runs a kernel that is a Go function over the buffers' bytes.
type fakeMachine struct {
	build  plugins.Build
	kernel func(buffers []launch.Contents)
	dead   bool // executes nothing, the runner's own kernel included
	runs   int
	rest   time.Duration // of the run under way
	// inputs of an earlier run are left on the device; spoil writes into them between runs.
	left  map[string][]byte
	key   string
	spoil bool
}

func (m *fakeMachine) Distrust() { m.left = nil }

func (m *fakeMachine) Run(_ context.Context, run Run) (*Memory, error) {
	m.runs++
	m.rest = run.Rest
	memory := &Memory{Executed: !m.dead, Reused: m.left != nil && m.key == run.Key}
	m.key = run.Key
	if !memory.Reused {
		m.left = make(map[string][]byte)
		for name, data := range run.Inputs {
			m.left[name] = append([]byte(nil), data...)
		}
	} else if m.spoil {
		m.spoil = false
		m.left["a"][0] ^= 1
	}
	for i, b := range m.build.Buffers {
		size := int(b.Size())
		padded := (size + 3) &^ 3
		all := pattern(run.Fill.CanaryOf(i), launch.Band+padded+launch.Band)
		data := all[launch.Band : launch.Band+padded]
		if b.Role == plugins.Output {
			copy(data, pattern(run.Fill.Poison, padded))
		} else {
			clear(data)
			copy(data, m.left[b.Name])
		}
		memory.Buffers = append(memory.Buffers, launch.Contents{Front: all[:launch.Band], Data: data[:size],
			Pad: data[size:], Back: all[launch.Band+padded:]})
	}
	if !m.dead && m.kernel != nil {
		m.kernel(memory.Buffers)
	}
	for i, b := range m.build.Buffers {
		if b.Role == plugins.Input {
			copy(m.left[b.Name], memory.Buffers[i].Data)
		}
	}
	return memory, nil
}

// double is c = 2a in some element type.
type double struct {
	t     plugins.ElementType
	n     int64
	exact bool
}

func (d double) Inputs() map[string][]byte {
	data := make([]byte, d.n*d.t.Size())
	for e := range int(d.n) {
		v := float64(e%7 + 1)
		if !d.exact && isFloat(d.t) {
			v += 0.1
		}
		put(d.t, data, e, v)
	}
	return map[string][]byte{"x": data}
}
func (d double) Prepare() error { return nil }
func (d double) Bytes() int64   { return 0 }
func (d double) Verify(outputs map[string][]byte) ([]*reference.Diff, error) {
	diff := reference.NewDiff("y", plugins.Buffer{Elements: d.n, Rows: 8})
	in := d.Inputs()["x"]
	for e := range int(d.n) {
		want := 2 * value(d.t, in, e)
		bound := 0.0
		if !d.exact {
			bound = 1e-2
		}
		diff.Add(int64(e), value(d.t, outputs["y"], e), want, bound)
	}
	return []*reference.Diff{diff}, nil
}

func doubling(t plugins.ElementType, n int64, m *fakeMachine) Case {
	m.build = plugins.Build{Buffers: []plugins.Buffer{
		{Name: "a", Type: t, Elements: n, Role: plugins.Input, Rows: 8},
		{Name: "c", Type: t, Elements: n, Role: plugins.Output, Rows: 8}}}
	set := &TrialSet{Key: "double", Exact: []reference.Trial{double{t, n, true}}, Rounded: double{t, n, false},
		bufferOf: map[string]string{"x": "a", "y": "c"}, operandOf: map[string]string{"a": "x", "c": "y"}}
	return Case{Name: "n", Build: m.build, Trials: set, Machine: m}
}

// right computes elements from lo up to hi.
func right(t plugins.ElementType, lo, hi int) func([]launch.Contents) {
	return func(b []launch.Contents) {
		for e := lo; e < hi; e++ {
			put(t, b[1].Data, e, 2*value(t, b[0].Data, e))
		}
	}
}

var types = []plugins.ElementType{plugins.F32, plugins.F16, plugins.BF16, plugins.I32, plugins.U32, plugins.I8, plugins.U8}

func TestRightKernelsPass(t *testing.T) {
	for _, typ := range types {
		m := &fakeMachine{kernel: right(typ, 0, 37)}
		got, err := Check(t.Context(), doubling(typ, 37, m))
		if err != nil || got.Verdict != plugins.OK || got.Evidence.Runs != 3 || got.Digest == 0 {
			t.Errorf("%s: %+v, %v", typ, got, err)
		}
	}
}

// A device that reports success for everything and executes nothing (Mesa's no-op shim) makes
// every candidate unwritten, by the marker and, were that deceived, by the poison.
func TestNothingExecuted(t *testing.T) {
	for _, typ := range types {
		for _, m := range []*fakeMachine{{dead: true}, {}} {
			got, err := Check(t.Context(), doubling(typ, 37, m))
			if err != nil || got.Verdict != plugins.Unwritten {
				t.Errorf("%s, dead %v: %+v, %v", typ, m.dead, got, err)
			}
		}
	}
}

func TestChecks(t *testing.T) {
	flips := 0
	for name, test := range map[string]struct {
		typ     plugins.ElementType
		kernel  func([]launch.Contents)
		verdict plugins.Verdict
		words   string
	}{
		"tail of bytes":  {plugins.U8, right(plugins.U8, 0, 36), plugins.Unwritten, "c: 1 of 37 elements unwritten: row 4, column 4"},
		"tail of halves": {plugins.F16, right(plugins.F16, 0, 36), plugins.Unwritten, "row 4, column 4"},
		"one byte before": {plugins.F32, func(b []launch.Contents) {
			right(plugins.F32, 0, 37)(b)
			b[1].Front[len(b[1].Front)-1] = 1
		}, plugins.OutOfBounds, "1 bytes changed in the guard band before the buffer, the nearest 1 bytes before its start"},
		"one half past an odd count": {plugins.F16, func(b []launch.Contents) {
			right(plugins.F16, 0, 37)(b)
			b[1].Pad[0] = 0
		}, plugins.OutOfBounds, "the first 0 bytes past its end (where row 4, column 5 would be"},
		"past an input": {plugins.F32, func(b []launch.Contents) {
			right(plugins.F32, 0, 37)(b)
			b[0].Back[40] = 0
		}, plugins.OutOfBounds, "a (input): 1 bytes changed in the guard band after the buffer, the first 40 bytes past its end"},
		"input": {plugins.I32, func(b []launch.Contents) {
			right(plugins.I32, 0, 37)(b)
			put(plugins.I32, b[0].Data, 9, 77)
		}, plugins.InputModified, "a: 1 of 37 elements of an input changed, the first at row 1, column 1 from 3 to 77"},
		"infinity": {plugins.F16, func(b []launch.Contents) {
			right(plugins.F16, 0, 37)(b)
			put(plugins.F16, b[1].Data, 20, math.Inf(1))
		}, plugins.NaN, "row 2, column 4; first at row 2, column 4: +Inf"},
		"second run differs": {plugins.F32, func(b []launch.Contents) {
			right(plugins.F32, 0, 37)(b)
			flips++
			put(plugins.F32, b[1].Data, 3, float64(flips))
		}, plugins.Nondeterministic, "c: 1 of 37 elements differ between two runs"},
		"written in one run": {plugins.F32, func(b []launch.Contents) {
			right(plugins.F32, 0, 36)(b)
			if binary.LittleEndian.Uint32(b[1].Data[4*36:]) == launch.Fills[1].Poison {
				right(plugins.F32, 36, 37)(b)
			}
		}, plugins.Nondeterministic, "row 4, column 4: NaN"},
		// NaN + NaN is the first NaN: only canaries that differ or are numbers show these two.
		"what lies beyond the input goes beyond the output": {plugins.F32, func(b []launch.Contents) {
			right(plugins.F32, 0, 37)(b)
			copy(b[1].Back[:4], b[0].Back[:4])
		}, plugins.OutOfBounds, "c (output): "},
		"what lies beyond the output is added to": {plugins.F32, func(b []launch.Contents) {
			right(plugins.F32, 0, 37)(b)
			put(plugins.F32, b[1].Back, 0, value(plugins.F32, b[1].Back, 0)+2)
		}, plugins.OutOfBounds, "c (output): "},
		"a column": {plugins.BF16, func(b []launch.Contents) {
			right(plugins.BF16, 0, 40)(b)
			for e := 5; e < 40; e += 8 {
				put(plugins.BF16, b[1].Data, e, 1)
			}
		}, plugins.Wrong, "c: 5 of 40 elements looked at are wrong on inputs whose result is exact: column 5; first at row 0, column 5: got 1, expected 12"},
	} {
		t.Run(name, func(t *testing.T) {
			n := int64(37)
			if name == "a column" {
				n = 40
			}
			got, err := Check(t.Context(), doubling(test.typ, n, &fakeMachine{kernel: test.kernel}))
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != test.verdict || !strings.Contains(got.Evidence.Message, test.words) {
				t.Errorf("%s %q, expected %s %q", got.Verdict, got.Evidence.Message, test.verdict, test.words)
			}
		})
	}
}

// An error within exactness but beyond the rounded bound dies in the rounded run.
func TestRoundedRun(t *testing.T) {
	m := &fakeMachine{kernel: func(b []launch.Contents) {
		for e := range 37 {
			v := value(plugins.F32, b[0].Data, e)
			put(plugins.F32, b[1].Data, e, 2*math.Trunc(v)) // right on integers alone
		}
	}}
	got, err := Check(t.Context(), doubling(plugins.F32, 37, m))
	if err != nil || got.Verdict != plugins.Wrong || got.Evidence.Check != "rounded" || got.Evidence.Worst == nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// Inputs spoiled by an earlier candidate are not this one's fault; what it spoils itself is.
func TestSpoiledInputs(t *testing.T) {
	m := &fakeMachine{kernel: right(plugins.F32, 0, 37)}
	c := doubling(plugins.F32, 37, m)
	c.Trials.Exact, c.Trials.Rounded = nil, c.Trials.Exact[0]
	if got, err := Check(t.Context(), c); err != nil || got.Verdict != plugins.OK || got.Evidence.Runs != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	m.spoil = true
	if got, err := Check(t.Context(), c); err != nil || got.Verdict != plugins.OK || m.spoil || got.Evidence.Runs != 2 {
		t.Errorf("spoil left %v, %+v, %v", m.spoil, got, err)
	}
	c = doubling(plugins.F32, 37, m)
	m.runs, m.left = 0, nil
	m.kernel = func(b []launch.Contents) {
		right(plugins.F32, 0, 37)(b)
		if m.runs == 2 {
			b[0].Data[5] ^= 1
		}
	}
	if got, err := Check(t.Context(), c); err != nil || got.Verdict != plugins.InputModified {
		t.Errorf("%+v, %v", got, err)
	}
}
