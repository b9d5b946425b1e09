package search

import (
	"fmt"
	"slices"
)

// A builder makes the diagram depth first, level by level in the chosen order of parameters.
type builder struct {
	params  []Param
	bounds  []bound
	order   []int // level to parameter
	levels  []level
	rows    [][]uint64 // scratch: the state before each level
	edges   [][]edge   // scratch: the node being made at each level
	point   []int      // the current path, by parameter
	diagram *diagram
	memos   []memo
	unique  []unique
	steps   []Stepper
	sweeps  []Sweeper // of steps, nil where one is none
	holds   []bool    // scratch: of the last level's values
	err     error
}

// A level says how the state before it becomes the state after it. A state starts with bit words that mark the
// constraints which already hold; then come the words of the constraints that are begun and not ended.
type level struct {
	width  int // words of the state before this level
	copies []segment
	steps  []segment
	open   []uint64 // constraints begun before and not ended after this level's variable
}

type segment struct {
	constraint, k    int
	from, fromLength int
	to, toLength     int
}

func build(params []Param, bounds []bound, order []int) (*diagram, error) {
	b := &builder{params: params, bounds: bounds, order: order, point: make([]int, len(params)), diagram: newDiagram()}
	if err := b.plan(); err != nil {
		return nil, err
	}
	b.diagram.root = b.node(0)
	return b.diagram, b.err
}

// plan lays out the state between levels.
func (b *builder) plan() error {
	levelOf := make([]int, len(b.params))
	for l, p := range b.order {
		levelOf[p] = l
	}
	stepAt := make([]map[int]int, len(b.order)) // level: constraint to its step
	for l := range stepAt {
		stepAt[l] = map[int]int{}
	}
	b.steps, b.sweeps = make([]Stepper, len(b.bounds)), make([]Sweeper, len(b.bounds))
	for c := range b.bounds {
		bound := &b.bounds[c]
		order := sortedBy(len(bound.vars), func(i int) int { return levelOf[bound.vars[i]] })
		s, err := stepper(bound.Constraint, bound.domains(b.params), order)
		if err != nil {
			return err
		}
		b.steps[c] = s
		b.sweeps[c], _ = s.(Sweeper)
		for k, i := range order {
			stepAt[levelOf[bound.vars[i]]][c] = k
		}
	}
	words := (len(b.bounds) + 63) / 64
	offset := map[int]segment{} // constraint to its words before the level
	width := words
	for l := range b.order {
		lv := level{width: width, open: make([]uint64, words)}
		next, after := words, map[int]segment{}
		for c := range b.bounds {
			before, begun := offset[c]
			k, stepped := stepAt[l][c]
			if !begun && !stepped {
				continue
			}
			s := segment{constraint: c, k: k, from: before.to, fromLength: before.toLength, to: next, toLength: before.toLength}
			if stepped {
				s.toLength = b.steps[c].Width(k)
				lv.steps = append(lv.steps, s)
			} else if s.toLength > 0 {
				lv.copies = append(lv.copies, s)
			}
			if !stepped || k < len(b.bounds[c].vars)-1 {
				after[c] = s
				next += s.toLength
				lv.open[c/64] |= 1 << (c % 64)
			}
		}
		offset, width = after, next
		b.levels = append(b.levels, lv)
		b.rows = append(b.rows, make([]uint64, lv.width))
	}
	b.rows = append(b.rows, make([]uint64, width))
	b.edges = make([][]edge, len(b.order))
	b.memos = make([]memo, len(b.order))
	b.unique = make([]unique, len(b.order))
	for l := range b.memos {
		b.memos[l].width = b.levels[l].width
	}
	return nil
}

// node returns the node for the state in rows[l].
func (b *builder) node(l int) uint32 {
	if l == len(b.order) {
		return terminalNode
	}
	m, row := &b.memos[l], b.rows[l]
	if m.worthwhile() {
		if id, ok := m.find(row); ok {
			return id
		}
	}
	edges := b.edges[l][:0]
	param := b.order[l]
	if l == len(b.order)-1 && b.sweep(l, len(b.params[param].Values)) {
		for value, ok := range b.holds {
			if ok {
				edges = append(edges, edge{child: terminalNode, value: uint32(value)})
			}
		}
		return b.finish(l, edges)
	}
	for value := range b.params[param].Values {
		b.point[param] = value
		faulty, ok := b.advance(l, value)
		if !ok {
			continue
		}
		child := b.node(l + 1)
		if b.err != nil {
			return emptyNode
		}
		if child == emptyNode {
			continue
		}
		if faulty >= 0 {
			b.fault(faulty, l+1, child)
			return emptyNode
		}
		edges = append(edges, edge{child: child, value: uint32(value)})
	}
	return b.finish(l, edges)
}

// finish returns the node that has these edges and remembers it for the state in rows[l].
func (b *builder) finish(l int, edges []edge) uint32 {
	b.edges[l] = edges
	id := b.intern(l, edges)
	if m := &b.memos[l]; m.worthwhile() && b.err == nil {
		m.put(b.rows[l], id)
	}
	return id
}

// sweep fills holds for all values of the last level; false if a constraint needs them one by one.
func (b *builder) sweep(l, values int) bool {
	row := b.rows[l]
	b.holds = slices.Grow(b.holds[:0], values)[:values]
	for v := range b.holds {
		b.holds[v] = true
	}
	for _, s := range b.levels[l].steps {
		if row[s.constraint/64]>>(s.constraint%64)&1 == 1 {
			continue
		}
		w := b.sweeps[s.constraint]
		if w == nil || !w.Sweep(row[s.from:s.from+s.fromLength], b.holds) {
			return false
		}
	}
	return true
}

// advance fills rows[l+1] for the value bound at level l. It returns the constraint that has no value there, or -1,
// and false if one is violated. A constraint without a value removes nothing: it is an
// error only where all the others hold.
func (b *builder) advance(l, value int) (faulty int, ok bool) {
	lv := &b.levels[l]
	row, next := b.rows[l], b.rows[l+1]
	for i := range lv.open {
		next[i] = row[i] & lv.open[i]
	}
	faulty = -1
	for _, s := range lv.steps {
		word, bit := s.constraint/64, uint64(1)<<(s.constraint%64)
		if row[word]&bit != 0 {
			clear(next[s.to : s.to+s.toLength])
			continue
		}
		out := next[s.to : s.to+s.toLength]
		switch b.steps[s.constraint].Step(s.k, row[s.from:s.from+s.fromLength], value, out) {
		case Violated:
			return faulty, false
		case Faulty:
			faulty = s.constraint
			fallthrough
		case Holds:
			clear(out)
			next[word] |= bit & lv.open[word]
		}
	}
	for _, s := range lv.copies {
		copy(next[s.to:s.to+s.toLength], row[s.from:s.from+s.fromLength])
	}
	return faulty, true
}

// intern returns a node with these edges, an old one if there is one.
func (b *builder) intern(l int, edges []edge) uint32 {
	if len(edges) == 0 {
		return emptyNode
	}
	if id, ok := b.unique[l].find(b.diagram, edges); ok {
		return id
	}
	id, ok := b.diagram.add(edges)
	if !ok {
		b.err = fmt.Errorf("the space has more than 2^62 points")
		return emptyNode
	}
	b.unique[l].put(b.diagram, id)
	return id
}

// fault reports the constraint that has no value on the current path and its first completion.
func (b *builder) fault(constraint, l int, child uint32) {
	for ; l < len(b.order); l++ {
		e := b.diagram.out(child)[0]
		b.point[b.order[l]] = int(e.value)
		child = e.child
	}
	_, b.err = checkAt(&b.bounds[constraint], b.params, b.point)
	if b.err == nil {
		b.err = fmt.Errorf("constraint %q has no value at a point", b.bounds[constraint])
	}
}

func checkAt(c *bound, params []Param, point []int) (bool, error) {
	check, err := c.Bind(c.domains(params))
	if err != nil {
		return false, err
	}
	own := make([]int, len(c.vars))
	for i, v := range c.vars {
		own[i] = point[v]
	}
	return check(own)
}
