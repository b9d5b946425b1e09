package constraint

type op uint8

const (
	opConst op = iota
	opVar
	opAnd
	opOr
	opNot
	opToFloat // exact or correctly rounded
	opNeg
	opAdd
	opSub
	opMul
	opDiv
	opFloorDiv
	opMod
	opPow
	opMin
	opMax
	opCeil
	opFloor
	opAbs
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opChain // two or more comparisons, each operand evaluated once
	opIn    // the first argument equals one of the others
	opCut   // a subexpression whose value is in the machine's state
	opRange // a subexpression of which only bounds are known
)

var comparisons = map[string]op{"==": opEq, "!=": opNe, "<": opLt, "<=": opLe, ">": opGt, ">=": opGe}

var arithmetic = map[string]op{"+": opAdd, "-": opSub, "*": opMul, "%": opMod, "**": opPow, "/": opDiv}

// A node is a typed expression. The arguments of a comparison may mix int and float, which compare exactly;
// everywhere else the arguments of an arithmetic node have one kind. Nodes are immutable and form a tree.
type node struct {
	op   op
	kind Kind
	args []*node
	ops  []op // of a chain
	slot int  // of a variable or cut
	col  int  // 1-based
	i    int64
	f    float64
	s    string

	within interval // of an opRange
}

func intConst(v int64, col int) *node { return &node{op: opConst, kind: Int, i: v, col: col} }

func boolConst(v bool, col int) *node {
	n := &node{op: opConst, kind: Bool, col: col}
	if v {
		n.i = 1
	}
	return n
}

// constant makes the node for a value of one of the four kinds.
func constant(v any, col int) *node {
	switch v := v.(type) {
	case int64:
		return intConst(v, col)
	case float64:
		return &node{op: opConst, kind: Float, f: v, col: col}
	case string:
		return &node{op: opConst, kind: String, s: v, col: col}
	case bool:
		return boolConst(v, col)
	}
	return nil
}

func toFloat(n *node) *node {
	if n.kind == Float {
		return n
	}
	return &node{op: opToFloat, kind: Float, args: []*node{n}, col: n.col}
}
