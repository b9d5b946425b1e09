package constraint

import (
	"fmt"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// hoistNot gives the word not Python's precedence: "not a == b" is not (a == b), where expr reads (not a) == b.
func (t *typer) hoistNot(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		n.Node = t.hoistNot(n.Node)
	case *ast.BuiltinNode:
		for i := range n.Arguments {
			n.Arguments[i] = t.hoistNot(n.Arguments[i])
		}
	case *ast.CallNode:
		for i := range n.Arguments {
			n.Arguments[i] = t.hoistNot(n.Arguments[i])
		}
	case *ast.ArrayNode:
		for i := range n.Nodes {
			n.Nodes[i] = t.hoistNot(n.Nodes[i])
		}
	case *ast.BinaryNode:
		if right, chained := n.Right.(*ast.BinaryNode); chained && n.Operator == "&&" && shares(n.Left, right.Left) {
			n.Left = t.hoistNot(n.Left)
			right.Left = lastOperand(n.Left)
			right.Right = t.hoistNot(right.Right)
			// What was hoisted over the first comparison belongs over the whole chain.
			return lift(n, func() bool { _, hoisted := n.Left.(*ast.UnaryNode); return hoisted })
		}
		n.Left, n.Right = t.hoistNot(n.Left), t.hoistNot(n.Right)
		if isLogic(n.Operator) {
			return n
		}
		return lift(n, func() bool { return t.isBareNot(n.Left, n) })
	}
	return n
}

// lastOperand returns what a chain ends with.
func lastOperand(n ast.Node) ast.Node {
	for {
		switch link := n.(type) {
		case *ast.UnaryNode:
			n = link.Node
		case *ast.BinaryNode:
			if link.Operator != "&&" {
				return link.Right
			}
			n = link.Right
		}
	}
}

// lift moves the nots of the left operand over the node.
func lift(n *ast.BinaryNode, bare func() bool) ast.Node {
	var nots []*ast.UnaryNode
	for bare() {
		not := n.Left.(*ast.UnaryNode)
		nots = append(nots, not)
		n.Left = not.Node
	}
	lifted := ast.Node(n)
	for _, not := range slices.Backward(nots) {
		not.Node = lifted
		lifted = not
	}
	return lifted
}

// shares reports whether comparison a ends with the node b, as expr builds chains.
func shares(a, b ast.Node) bool {
	cmp, ok := a.(*ast.BinaryNode)
	if !ok {
		return false
	}
	if cmp.Operator == "&&" {
		return shares(cmp.Right, b)
	}
	return cmp.Right == b
}

func isLogic(o string) bool { return o == "and" || o == "or" || o == "&&" || o == "||" }

// isBareNot reports whether operand is "not ..." without brackets beside the operator of parent.
func (t *typer) isBareNot(operand, parent ast.Node) bool {
	not, ok := operand.(*ast.UnaryNode)
	if !ok || not.Operator != "not" || isNotIn(not) {
		return false
	}
	return t.layout.sameBrackets(not.Location().From, parent.Location().From)
}

// isNotIn reports whether the node is one "not in", which expr builds as not over in at one place.
func isNotIn(n *ast.UnaryNode) bool {
	in, ok := n.Node.(*ast.BinaryNode)
	return ok && in.Operator == "in" && in.Location() == n.Location()
}

// chain flattens "a < b == c" into its operands and the operators between them.
func (t *typer) chain(n *ast.BinaryNode) ([]ast.Node, []*ast.BinaryNode, bool) {
	if n.Operator == "&&" {
		last, ok := n.Right.(*ast.BinaryNode)
		if !ok || !shares(n.Left, last.Left) {
			return nil, nil, false
		}
		first, ok := n.Left.(*ast.BinaryNode)
		if !ok {
			return nil, nil, false
		}
		operands, ops, ok := t.chain(first)
		if !ok {
			return nil, nil, false
		}
		return append(operands, last.Right), append(ops, last), true
	}
	if _, ok := comparisons[n.Operator]; !ok {
		return nil, nil, false
	}
	if left, ok := n.Left.(*ast.BinaryNode); ok && t.layout.sameBrackets(left.Location().From, n.Location().From) {
		if operands, ops, ok := t.chain(left); ok {
			return append(operands, n.Right), append(ops, n), true
		}
	}
	return []ast.Node{n.Left, n.Right}, []*ast.BinaryNode{n}, true
}

func (t *typer) comparison(operands []ast.Node, ops []*ast.BinaryNode) (*node, error) {
	typed := make([]*node, len(operands))
	for i, operand := range operands {
		n, err := t.node(operand)
		if err != nil {
			return nil, err
		}
		beside := ops[max(i-1, 0)]
		if i > 0 && t.isBareNot(operand, beside) {
			return nil, t.err(operand, "not after "+beside.Operator, "brackets around it")
		}
		if t.isBareMembership(operand, beside) {
			return nil, t.err(operand, "in beside "+beside.Operator, "brackets around it")
		}
		typed[i] = n
	}
	codes := make([]op, len(ops))
	for i, o := range ops {
		a, b := typed[i], typed[i+1]
		if (a.kind == String) != (b.kind == String) {
			return nil, t.err(o, fmt.Sprintf("%s %s %s", a.kind, o.Operator, b.kind), "two strings or two numbers")
		}
		codes[i] = comparisons[o.Operator]
	}
	n := &node{op: codes[0], kind: Bool, args: typed, col: ops[0].Location().From + 1}
	if len(codes) > 1 {
		n.op, n.ops = opChain, codes
	}
	return n, nil
}

func (t *typer) isBareMembership(operand, parent ast.Node) bool {
	if not, ok := operand.(*ast.UnaryNode); ok && isNotIn(not) {
		operand = not.Node
	}
	in, ok := operand.(*ast.BinaryNode)
	return ok && in.Operator == "in" && t.layout.sameBrackets(in.Location().From, parent.Location().From)
}

func (t *typer) membership(n *ast.BinaryNode) (*node, error) {
	list, ok := n.Right.(*ast.ArrayNode)
	if !ok {
		return nil, t.err(n.Right, "the right side of in is no list", "a list such as [1, 2, 4]")
	}
	if left, ok := n.Left.(*ast.BinaryNode); ok && t.layout.sameBrackets(left.Location().From, n.Location().From) {
		if _, _, chained := t.chain(left); chained || left.Operator == "in" {
			return nil, t.err(n, "in after "+left.Operator, "brackets around the comparison")
		}
	}
	x, err := t.node(n.Left)
	if err != nil {
		return nil, err
	}
	args := []*node{x}
	for _, element := range list.Nodes {
		e, err := t.node(element)
		if err != nil {
			return nil, err
		}
		if (x.kind == String) != (e.kind == String) {
			return nil, t.err(element, fmt.Sprintf("%s in a list to find %s in", e.kind, x.kind), x.kind.String())
		}
		args = append(args, e)
	}
	return &node{op: opIn, kind: Bool, args: args, col: n.Location().From + 1}, nil
}
