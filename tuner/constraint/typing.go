package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
)

// A typer turns expr's tree into typed nodes with Python's meaning.
type typer struct {
	source string
	layout *layout
	env    Env
	vars   []string // slot to name, in order of first use
	kinds  []Kind   // slot to kind
}

func parse(source string, env Env) (*node, *typer, error) {
	l, err := scan(source)
	if err != nil {
		return nil, nil, err
	}
	t := &typer{source: source, layout: l, env: env}
	if strings.TrimSpace(source) == "" {
		return nil, nil, &Error{Source: source, Col: 1, Problem: "the expression is empty", Expected: "a value"}
	}
	tree, err := parser.Parse(string(l.runes))
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			return nil, nil, t.syntax(at)
		}
		return nil, nil, t.errAt(0, err.Error(), "")
	}
	n, err := t.node(t.hoistNot(tree.Node))
	if err != nil {
		return nil, nil, err
	}
	return n, t, nil
}

// syntax turns the parser's error into ours. The parser names the token after a bad number, and the last
// character where the source ends early.
func (t *typer) syntax(e *file.Error) error {
	at := min(e.From, len(t.layout.runes))
	switch {
	case strings.Contains(e.Message, "EOF"):
		return t.errAt(len(t.layout.runes), "the expression ends early", "a value or a closing bracket")
	case strings.Contains(e.Message, "literal"):
		for at > 0 && unicode.IsSpace(t.layout.runes[at-1]) {
			at--
		}
		for at > 0 && (isWord(t.layout.runes[at-1]) || t.layout.runes[at-1] == '.') {
			at--
		}
		return t.errAt(at, e.Message, "a number of at most 64 bits")
	}
	return t.errAt(at, e.Message, "")
}

func (t *typer) errAt(offset int, problem, expected string) error {
	return &Error{Source: t.source, Col: offset + 1, Problem: problem, Expected: expected}
}

func (t *typer) err(n ast.Node, problem, expected string) error {
	return t.errAt(n.Location().From, problem, expected)
}

func (t *typer) node(n ast.Node) (*node, error) {
	col := n.Location().From + 1
	switch n := n.(type) {
	case *ast.IntegerNode:
		return intConst(int64(n.Value), col), nil
	case *ast.FloatNode:
		if _, f := finite(n.Value); f != noFault {
			return nil, t.err(n, "the number is too large", "a finite number")
		}
		return constant(n.Value, col), nil
	case *ast.BoolNode:
		return boolConst(n.Value, col), nil
	case *ast.StringNode:
		return constant(n.Value, col), nil
	case *ast.IdentifierNode:
		return t.name(n)
	case *ast.UnaryNode:
		return t.unary(n)
	case *ast.BinaryNode:
		return t.binary(n)
	case *ast.BuiltinNode:
		return t.call(n, n.Name, n.Arguments)
	case *ast.CallNode:
		if callee, ok := n.Callee.(*ast.IdentifierNode); ok {
			return t.call(n, callee.Value, n.Arguments)
		}
	case *ast.ArrayNode:
		return nil, t.err(n, "a list stands alone", "a list only after in")
	}
	return nil, t.err(n, "unsupported syntax", "names, values, + - * / // % **, comparisons, and, or, not, in [...], min, max, ceil, floor, abs")
}

func (t *typer) name(n *ast.IdentifierNode) (*node, error) {
	col := n.Location().From + 1
	kind, ok := t.env[n.Value]
	if !ok {
		if n.Value == "True" || n.Value == "False" {
			return boolConst(n.Value == "True", col), nil
		}
		return nil, t.err(n, fmt.Sprintf("unknown name %q", n.Value), t.names())
	}
	slot := slices.Index(t.vars, n.Value)
	if slot < 0 {
		slot = len(t.vars)
		t.vars, t.kinds = append(t.vars, n.Value), append(t.kinds, kind)
	}
	return &node{op: opVar, kind: kind, slot: slot, col: col}, nil
}

func (t *typer) names() string {
	if len(t.env) == 0 {
		return "no names"
	}
	var names []string
	for name := range t.env {
		names = append(names, name)
	}
	slices.Sort(names)
	const most = 20
	if len(names) > most {
		return fmt.Sprintf("one of %s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return "one of " + strings.Join(names, ", ")
}

func (t *typer) unary(n *ast.UnaryNode) (*node, error) {
	arg, err := t.node(n.Node)
	if err != nil {
		return nil, err
	}
	col := n.Location().From + 1
	if n.Operator == "not" || n.Operator == "!" {
		if err := t.want(arg, n.Node, Bool, n.Operator); err != nil {
			return nil, err
		}
		return &node{op: opNot, kind: Bool, args: []*node{arg}, col: col}, nil
	}
	if t.isBareNot(n.Node, n) {
		return nil, t.err(n.Node, "not after "+n.Operator, "brackets around it")
	}
	if arg.kind == String {
		return nil, t.err(n, "a string after "+n.Operator, "a number")
	}
	kind := arg.kind
	if kind == Bool {
		kind = Int
	}
	if n.Operator == "+" {
		return &node{op: opAdd, kind: kind, args: []*node{constantZero(kind), arg}, col: col}, nil
	}
	return &node{op: opNeg, kind: kind, args: []*node{arg}, col: col}, nil
}

func constantZero(k Kind) *node { return &node{op: opConst, kind: k} }

func (t *typer) want(got *node, at ast.Node, kind Kind, around string) error {
	if got.kind == kind {
		return nil
	}
	return t.err(at, fmt.Sprintf("%s in %q", got.kind, around), kind.String())
}

func (t *typer) binary(n *ast.BinaryNode) (*node, error) {
	if operands, ops, ok := t.chain(n); ok {
		return t.comparison(operands, ops)
	}
	switch n.Operator {
	case "and", "&&", "or", "||":
		return t.logic(n)
	case "in":
		return t.membership(n)
	}
	o, ok := arithmetic[n.Operator]
	if !ok {
		return nil, t.err(n, fmt.Sprintf("unsupported operator %q", n.Operator), "+ - * / // % **, a comparison, and, or, in")
	}
	left, err := t.node(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := t.node(n.Right)
	if err != nil {
		return nil, err
	}
	if t.isBareNot(n.Right, n) {
		return nil, t.err(n.Right, "not after "+n.Operator, "brackets around it")
	}
	for i, side := range []*node{left, right} {
		if side.kind == String {
			return nil, t.err([]ast.Node{n.Left, n.Right}[i], "a string beside "+n.Operator, "a number")
		}
	}
	from := n.Location().From
	if o == opDiv && t.layout.floorDiv[from] {
		o = opFloorDiv
	}
	kind := Int
	if left.kind == Float || right.kind == Float {
		kind, left, right = Float, toFloat(left), toFloat(right)
	}
	if o == opDiv {
		kind = Float
	}
	return &node{op: o, kind: kind, args: []*node{left, right}, col: from + 1}, nil
}

func (t *typer) logic(n *ast.BinaryNode) (*node, error) {
	var args [2]*node
	for i, side := range []ast.Node{n.Left, n.Right} {
		a, err := t.node(side)
		if err != nil {
			return nil, err
		}
		if err := t.want(a, side, Bool, n.Operator); err != nil {
			return nil, err
		}
		args[i] = a
	}
	o := opAnd
	if n.Operator == "or" || n.Operator == "||" {
		o = opOr
	}
	return &node{op: o, kind: Bool, args: args[:], col: n.Location().From + 1}, nil
}
