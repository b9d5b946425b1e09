package reference

import (
	"fmt"
	"sort"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

// An Operation is a computation that a Build's Reference may name. It makes inputs and judges
// outputs; the guard, which runs kernels on them, knows nothing of the mathematics.
type Operation interface {
	// Exact makes the input sets for which every intermediate result is exact in the
	// accumulator's type, so that outputs must equal the reference bit by bit. Together the
	// sets exercise every operand element. An operation with an inout operand gives at
	// least two sets that differ in its initial value.
	Exact(args map[string]plugins.Value, operands Operands, seed uint64) ([]Trial, error)
	// Rounded makes one set of random normals, judged by a bound per element.
	Rounded(args map[string]plugins.Value, operands Operands, seed uint64) (Trial, error)
}

// A Trial is one set of inputs together with what the outputs must be. It is safe for
// concurrent use, and what it computes it computes once.
type Trial interface {
	// Inputs holds the initial contents of every input and inout operand, by the operation's
	// name for it, in the element type of its buffer. They must not be changed.
	Inputs() map[string][]byte
	// Prepare computes the reference ahead of Verify, which otherwise does it.
	Prepare() error
	// Verify compares the contents of the output and inout operands with the reference. It
	// gives one Diff for each, in name order, with or without bad elements.
	Verify(outputs map[string][]byte) ([]*Diff, error)
	// Bytes estimates the memory that the trial holds once it is prepared.
	Bytes() int64
}

// Operands are the buffers that an operation works on, by its own names for them.
type Operands map[string]plugins.Buffer

// operations are filled in by the files that define them.
var operations = map[string]Operation{}

// Register adds an operation under a name of its own, before any runner opens. Test programs
// use it to bring kernels whose operations nobody ships.
func Register(name string, op Operation) {
	if _, taken := operations[name]; taken {
		panic("operation " + name + " is registered twice")
	}
	operations[name] = op
}

// Lookup finds an operation by the name that a Build's Reference uses.
func Lookup(name string) (Operation, error) {
	if op, ok := operations[name]; ok {
		return op, nil
	}
	names := make([]string, 0, len(operations))
	for n := range operations {
		names = append(names, n)
	}
	sort.Strings(names)
	return nil, fmt.Errorf("unknown operation %q, expected one of %s", name, strings.Join(names, ", "))
}

// Bind maps a build's buffers to the operation's names for them. Every buffer but scratch must
// be an operand, and every operand a buffer: an output that nobody compares is no output.
func Bind(b plugins.Build) (Operands, error) {
	byName := make(map[string]plugins.Buffer, len(b.Buffers))
	for _, buf := range b.Buffers {
		byName[buf.Name] = buf
	}
	operands := make(Operands, len(b.Reference.Operands))
	bound := make(map[string]bool, len(b.Buffers))
	for operand, name := range b.Reference.Operands {
		buf, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("operand %s of %s is buffer %q, which the build does not have", operand, b.Reference.Op, name)
		}
		operands[operand] = buf
		bound[name] = true
	}
	for _, buf := range b.Buffers {
		if buf.Role != plugins.Scratch && !bound[buf.Name] {
			return nil, fmt.Errorf("buffer %q (%s) is no operand of %s", buf.Name, buf.Role, b.Reference.Op)
		}
	}
	return operands, nil
}
