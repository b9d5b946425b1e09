package search

// A unique table finds the node of one level that has given edges.
type unique struct {
	slots []uint32 // node; 0 is free
	nodes int
}

func hashEdges(edges []edge) uint64 {
	h := uint64(len(edges))
	for _, e := range edges {
		h = mix(h, uint64(e.child)<<32|uint64(e.value)+1)
	}
	return h
}

func sameEdges(a, b []edge) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].child != b[i].child || a[i].value != b[i].value {
			return false
		}
	}
	return true
}

func (u *unique) find(d *diagram, edges []edge) (uint32, bool) {
	if len(u.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(u.slots) - 1)
	for at := hashEdges(edges) & mask; u.slots[at] != 0; at = (at + 1) & mask {
		if sameEdges(d.out(u.slots[at]), edges) {
			return u.slots[at], true
		}
	}
	return 0, false
}

// put adds a node that is not there.
func (u *unique) put(d *diagram, node uint32) {
	if 2*(u.nodes+1) > len(u.slots) {
		old := u.slots
		u.slots = make([]uint32, max(16, 2*len(old)))
		for _, n := range old {
			if n != 0 {
				u.place(d, n)
			}
		}
	}
	u.place(d, node)
	u.nodes++
}

func (u *unique) place(d *diagram, node uint32) {
	mask := uint64(len(u.slots) - 1)
	at := hashEdges(d.out(node)) & mask
	for u.slots[at] != 0 {
		at = (at + 1) & mask
	}
	u.slots[at] = node
}
