package search

import (
	"math/bits"
	"slices"
)

// A diagram is a multivalued decision diagram: a layered graph with one level per parameter, whose paths from the
// root to the terminal are the valid points (Bergman et al., Decision Diagrams for Optimization, 2016).
// Prefixes with the same completions share a node, so that its size follows the structure of the
// constraints and not the number of points; each edge carries the number of points before it,
// which makes rank and unrank one walk.
type diagram struct {
	first []uint32 // of node: offset of its first edge; one more than nodes
	edges []edge
	count []uint64 // of node: points below it
	root  uint32
}

type edge struct {
	child  uint32
	value  uint32 // index into the level's domain
	before uint64 // points below this node's earlier edges
}

const (
	emptyNode    = 0
	terminalNode = 1
)

func newDiagram() *diagram {
	return &diagram{first: []uint32{0, 0, 0}, count: []uint64{0, 1}}
}

func (d *diagram) out(n uint32) []edge { return d.edges[d.first[n]:d.first[n+1]] }

// add appends a node; ok is false if its points no longer fit in 63 bits.
func (d *diagram) add(edges []edge) (id uint32, ok bool) {
	var total, carry uint64
	for i := range edges {
		edges[i].before = total
		if total, carry = bits.Add64(total, d.count[edges[i].child], 0); carry != 0 || total > 1<<62 {
			return 0, false
		}
	}
	id = uint32(len(d.count))
	d.edges = append(d.edges, edges...)
	d.first = append(d.first, uint32(len(d.edges)))
	d.count = append(d.count, total)
	return id, true
}

// find returns the edge of node n with the given value, or nil.
func (d *diagram) find(n uint32, value int) *edge {
	out := d.out(n)
	// Most nodes keep their whole domain or a prefix of it.
	if value < len(out) && out[value].value == uint32(value) {
		return &out[value]
	}
	i, ok := slices.BinarySearchFunc(out, uint32(value), func(e edge, v uint32) int { return int(e.value) - int(v) })
	if !ok {
		return nil
	}
	return &out[i]
}

// rank returns the number of points before the one whose values stand in level order.
func (d *diagram) rank(from uint32, values func(level int) int, level, levels int) (uint64, bool) {
	var r uint64
	for n := from; level < levels; level++ {
		e := d.find(n, values(level))
		if e == nil {
			return 0, false
		}
		r += e.before
		n = e.child
	}
	return r, true
}

// unrank walks to the point with the given rank.
func (d *diagram) unrank(r uint64, visit func(level int, value int)) {
	n := d.root
	for level := 0; n != terminalNode; level++ {
		out := d.out(n)
		i, found := slices.BinarySearchFunc(out, r, func(e edge, r uint64) int {
			switch {
			case e.before < r:
				return -1
			case e.before > r:
				return 1
			}
			return 0
		})
		if !found {
			i--
		}
		r -= out[i].before
		visit(level, int(out[i].value))
		n = out[i].child
	}
}
