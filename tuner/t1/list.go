package t1

import (
	"fmt"
	"math"

	"github.com/krisptune/krisptune/tuner/constraint"
)

// Bounds of a stranger's file.
const (
	maxValues = 1 << 20
	maxDepth  = 64
	maxWork   = 1 << 23 // values made on the way
)

// evaluate computes a list expression of Python: list displays, range, list(...),
// comprehensions with one "for" and an "if" whose condition package constraint understands, and
// + - * / // % ** on numbers. [1] + [2] joins lists.
func evaluate(text string) ([]any, error) {
	tokens, err := scan(text)
	if err != nil {
		return nil, err
	}
	p := &parser{source: text, tokens: tokens, names: map[string]any{"True": true, "False": false}}
	v, err := p.sum()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.text != "" {
		return nil, p.unexpected("the end")
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("the expression gives %v, expected a list", v)
	}
	return list, nil
}

// A parser evaluates while it reads.
type parser struct {
	source string
	tokens []token
	next   int
	depth  int
	work   int
	names  map[string]any
}

func (p *parser) peek() token { return p.tokens[p.next] }

// take reads the token if it has that text.
func (p *parser) take(text string) bool {
	t := p.peek()
	if t.text != text || t.value != nil {
		return false
	}
	p.next++
	return true
}

func (p *parser) expect(text string) error {
	if !p.take(text) {
		return p.unexpected(fmt.Sprintf("%q", text))
	}
	return nil
}

func (p *parser) unexpected(expected string) error {
	t := p.peek()
	if t.text == "" {
		return fmt.Errorf("the expression ends, expected %s", expected)
	}
	return fmt.Errorf("character %d: unexpected %q, expected %s", t.at, t.text, expected)
}

func (p *parser) sum() (any, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("the expression is nested deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	return p.chain(p.product, "+", "-")
}

func (p *parser) product() (any, error) { return p.chain(p.unary, "*", "//", "/", "%") }

// chain reads operands between left-associative operators.
func (p *parser) chain(operand func() (any, error), ops ...string) (any, error) {
	v, err := operand()
	if err != nil {
		return nil, err
	}
next:
	for {
		for _, op := range ops {
			if !p.take(op) {
				continue
			}
			w, err := operand()
			if err != nil {
				return nil, err
			}
			if v, err = apply(op, v, w); err != nil {
				return nil, err
			}
			continue next
		}
		return v, nil
	}
}

// unary binds looser than a power: -2**2 is -4.
func (p *parser) unary() (any, error) {
	if p.take("-") {
		v, err := p.unary()
		if err != nil {
			return nil, err
		}
		return apply("-", int64(0), v)
	}
	v, err := p.primary()
	if err != nil || !p.take("**") {
		return v, err
	}
	w, err := p.unary()
	if err != nil {
		return nil, err
	}
	return apply("**", v, w)
}

func (p *parser) primary() (any, error) {
	t := p.peek()
	switch {
	case t.value != nil:
		p.next++
		return t.value, nil
	case p.take("("):
		v, err := p.sum()
		if err != nil {
			return nil, err
		}
		return v, p.expect(")")
	case p.take("["):
		return p.display()
	case p.take("range"):
		return p.rangeOf()
	case p.take("list"):
		if err := p.expect("("); err != nil {
			return nil, err
		}
		v, err := p.sum()
		if err != nil {
			return nil, err
		}
		if _, ok := v.([]any); !ok {
			return nil, fmt.Errorf("list(%v), expected a list or a range", v)
		}
		return v, p.expect(")")
	}
	if v, ok := p.names[t.text]; ok {
		p.next++
		return v, nil
	}
	return nil, p.unexpected("a value")
}

// display reads what follows an opening bracket: values, or a comprehension.
func (p *parser) display() (any, error) {
	list := []any{}
	start := p.next
	if name, ok, err := p.comprehension(); ok || err != nil {
		if err != nil {
			return nil, err
		}
		return p.comprehend(start, name)
	}
	for !p.take("]") {
		v, err := p.sum()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if !p.take(",") {
			return list, p.expect("]")
		}
	}
	return list, nil
}

// comprehension looks ahead for a "for" in the bracket that was just opened, and leaves the
// parser behind it and its name.
func (p *parser) comprehension() (name string, ok bool, err error) {
	depth := 0
	for i := p.next; i < len(p.tokens); i++ {
		t := p.tokens[i]
		switch {
		case t.value != nil:
		case t.text == "[" || t.text == "(":
			depth++
		case (t.text == "]" || t.text == ")") && depth == 0, t.text == "":
			return "", false, nil
		case t.text == "]" || t.text == ")":
			depth--
		case t.text == "for" && depth == 0:
			p.next = i + 1
			name = p.peek().text
			if name == "" || !isWord(name[0]) || p.peek().value != nil {
				return "", false, p.unexpected("a name")
			}
			p.next++
			return name, true, p.expect("in")
		}
	}
	return "", false, nil
}

// comprehend evaluates the element that begins at token start for each value of the list that
// follows.
func (p *parser) comprehend(start int, name string) (any, error) {
	v, err := p.sum()
	if err != nil {
		return nil, err
	}
	over, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("for %s in %v, expected a list or a range", name, v)
	}
	condition, err := p.condition()
	if err != nil {
		return nil, err
	}
	end := p.next
	old, shadows := p.names[name]
	defer func() {
		if delete(p.names, name); shadows {
			p.names[name] = old
		}
	}()
	out := []any{}
	for _, v := range over {
		p.names[name] = v
		if condition != "" {
			holds, err := p.holds(condition)
			if err != nil {
				return nil, err
			}
			if !holds {
				continue
			}
		}
		p.next = start
		element, err := p.sum()
		if err != nil {
			return nil, err
		}
		if !p.take("for") {
			return nil, p.unexpected(`"for"`)
		}
		out = append(out, element)
		if err := p.made(len(out)); err != nil {
			return nil, err
		}
	}
	p.next = end
	return out, p.expect("]")
}

// made counts one value of a list that now has n.
func (p *parser) made(n int) error {
	if p.work++; n > maxValues || p.work > maxWork {
		return fmt.Errorf("more than %d values", maxValues)
	}
	return nil
}

// condition returns the text between "if" and the closing bracket, which stays to be read.
func (p *parser) condition() (string, error) {
	if !p.take("if") {
		return "", nil
	}
	start := p.peek().at - 1
	for depth := 0; ; p.next++ {
		switch t := p.peek(); {
		case t.text == "":
			return "", p.unexpected(`"]"`)
		case t.value != nil:
		case t.text == "[" || t.text == "(":
			depth++
		case t.text == "]" && depth == 0:
			return p.source[start : t.at-1], nil
		case t.text == "]" || t.text == ")":
			depth--
		}
	}
}

func (p *parser) holds(condition string) (bool, error) {
	env := constraint.Env{}
	values := map[string]any{}
	for n, v := range p.names {
		if kind := constraint.KindOf(v); kind != constraint.Invalid && n != "True" && n != "False" {
			env[n], values[n] = kind, v
		}
	}
	e, err := constraint.CompileBool(condition, env)
	if err != nil {
		return false, err
	}
	return e.EvalBool(values)
}

func (p *parser) rangeOf() (any, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var args []int64
	for {
		v, err := p.sum()
		if err != nil {
			return nil, err
		}
		n, ok := v.(int64)
		if !ok {
			return nil, fmt.Errorf("range of %v, expected integers", v)
		}
		args = append(args, n)
		if !p.take(",") {
			break
		}
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	from, to, step := int64(0), args[0], int64(1)
	switch {
	case len(args) > 3:
		return nil, fmt.Errorf("range has %d arguments, expected 1 to 3", len(args))
	case len(args) > 1:
		from, to = args[0], args[1]
	}
	if len(args) == 3 {
		step = args[2]
	}
	if step == 0 {
		return nil, fmt.Errorf("the step of a range is 0")
	}
	out := []any{}
	for v := from; step > 0 && v < to || step < 0 && v > to; v += step {
		out = append(out, v)
		if err := p.made(len(out)); err != nil {
			return nil, err
		}
		if step > 0 && v > math.MaxInt64-step || step < 0 && v < math.MinInt64-step {
			break
		}
	}
	return out, nil
}
