package constraint

import (
	"fmt"

	"github.com/expr-lang/expr/ast"
)

// functions maps a name to its operation and how many arguments it takes; 0 means one or more.
var functions = map[string]struct {
	op    op
	arity int
}{
	"min":   {opMin, 0},
	"max":   {opMax, 0},
	"ceil":  {opCeil, 1},
	"floor": {opFloor, 1},
	"abs":   {opAbs, 1},
}

func (t *typer) call(at ast.Node, name string, arguments []ast.Node) (*node, error) {
	f, ok := functions[name]
	if !ok {
		return nil, t.err(at, fmt.Sprintf("unknown function %q", name), "min, max, ceil, floor or abs")
	}
	if len(arguments) == 0 || f.arity > 0 && len(arguments) != f.arity {
		want := "one or more arguments"
		if f.arity == 1 {
			want = "one argument"
		}
		return nil, t.err(at, fmt.Sprintf("%s with %d arguments", name, len(arguments)), want)
	}
	args := make([]*node, len(arguments))
	kind := Int
	for i, argument := range arguments {
		a, err := t.node(argument)
		if err != nil {
			return nil, err
		}
		if a.kind == String {
			return nil, t.err(argument, "a string in "+name, "a number")
		}
		if a.kind == Float {
			kind = Float
		}
		args[i] = a
	}
	if kind == Float {
		for i := range args {
			args[i] = toFloat(args[i])
		}
	}
	n := &node{op: f.op, kind: kind, args: args, col: at.Location().From + 1}
	if f.op == opCeil || f.op == opFloor {
		n.kind = Int
		if kind == Int {
			n.op = opMax // of one integer: itself
		}
	}
	return n, nil
}
