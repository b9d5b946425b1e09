package search

import "fmt"

// A group is the dimensions of one parameter: itself, or the bits of a mask.
type group struct {
	first, bits int // bits is 0 for a parameter that is its own dimension
}

func (g group) value(dims []Param, coords []int) Value {
	if g.bits == 0 {
		return dims[g.first].Values[coords[g.first]]
	}
	mask := int64(0)
	for b := range g.bits {
		mask |= int64(coords[g.first+b]) << b
	}
	return mask
}

// expand turns masks into bits, and conditions into constraints.
func expand(params []Param, constraints []Constraint) (dims []Param, groups []group, out []Constraint) {
	masks := map[string]int{}
	for _, p := range params {
		groups = append(groups, group{len(dims), p.Bits})
		if p.Bits == 0 {
			dims = append(dims, Param{Name: p.Name, Values: p.Values})
			continue
		}
		masks[p.Name] = p.Bits
		for b := range p.Bits {
			dims = append(dims, Param{Name: bitName(p.Name, b), Values: []Value{false, true}})
		}
	}
	out = append(out, constraints...)
	for _, p := range params {
		if p.When != nil {
			out = append(out, &conditional{p})
		}
	}
	for i, c := range out {
		for _, v := range c.Vars() {
			if masks[v] > 0 {
				out[i] = &overMask{c, masks}
				break
			}
		}
	}
	return dims, groups, out
}

func bitName(mask string, bit int) string { return fmt.Sprintf("%s[%d]", mask, bit) }

// A conditional holds where a parameter is active or has its first value.
type conditional struct {
	param Param
}

func (c *conditional) String() string {
	return fmt.Sprintf("%s only when %s", c.param.Name, c.param.When)
}

func (c *conditional) Vars() []string {
	vars := c.param.When.Vars()
	for _, v := range vars {
		if v == c.param.Name {
			return vars
		}
	}
	return append(vars[:len(vars):len(vars)], c.param.Name)
}

func (c *conditional) Bind(domains [][]Value) (Check, error) {
	n := len(c.param.When.Vars())
	active, err := c.param.When.Bind(domains[:n])
	if err != nil {
		return nil, err
	}
	if n == len(domains) {
		return nil, fmt.Errorf("parameter %s is active only when %q, which reads the parameter itself", c.param.Name, c.param.When)
	}
	return func(point []int) (bool, error) {
		if point[n] == 0 {
			return true, nil
		}
		return active(point[:n])
	}, nil
}

// maxConstrainedBits bounds the domain of a mask that a constraint reads.
const maxConstrainedBits = 20

// An overMask reads bits where the constraint reads masks.
type overMask struct {
	Constraint
	masks map[string]int // name to bits
}

func (o *overMask) bits() int {
	n := 0
	for _, v := range o.Constraint.Vars() {
		n += o.masks[v]
	}
	return n
}

func (o *overMask) Vars() []string {
	var vars []string
	for _, v := range o.Constraint.Vars() {
		if o.masks[v] == 0 {
			vars = append(vars, v)
		}
		for b := range o.masks[v] {
			vars = append(vars, bitName(v, b))
		}
	}
	return vars
}

func (o *overMask) Bind(domains [][]Value) (Check, error) {
	names := o.Constraint.Vars()
	inner := make([][]Value, len(names))
	at := 0
	for i, v := range names {
		bits := o.masks[v]
		if bits > maxConstrainedBits {
			return nil, fmt.Errorf("constraint %q reads %s, a mask of %d bits, expected at most %d", o, v, bits, maxConstrainedBits)
		}
		if bits == 0 {
			inner[i] = domains[at]
			at++
			continue
		}
		inner[i] = make([]Value, 1<<bits)
		for mask := range inner[i] {
			inner[i][mask] = int64(mask)
		}
		at += bits
	}
	check, err := o.Constraint.Bind(inner)
	if err != nil {
		return nil, err
	}
	point := make([]int, len(names))
	return func(bits []int) (bool, error) {
		at := 0
		for i, v := range names {
			n := o.masks[v]
			if n == 0 {
				point[i] = bits[at]
				at++
				continue
			}
			point[i] = 0
			for b := range n {
				point[i] |= bits[at+b] << b
			}
			at += n
		}
		return check(point)
	}, nil
}
