package search

import "math/bits"

// A memo maps rows of a fixed number of words to a node.
type memo struct {
	width  int
	rows   []uint64
	nodes  []uint32
	slots  []uint32 // 1 + index into nodes; 0 is free
	lookup int      // how often it was asked
	hits   int
}

// worthwhile reports whether enough rows repeat to pay for remembering them all.
func (m *memo) worthwhile() bool {
	const trial = 1 << 16
	return m.lookup < trial || m.hits > m.lookup/16
}

func mix(h, w uint64) uint64 {
	hi, lo := bits.Mul64(h^w, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

func hashRow(row []uint64) uint64 {
	h := uint64(0x243f6a8885a308d3)
	for _, w := range row {
		h = mix(h, w+0x452821e638d01377)
	}
	return mix(h, uint64(len(row)))
}

// find returns the node of a row.
func (m *memo) find(row []uint64) (uint32, bool) {
	m.lookup++
	if len(m.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(m.slots) - 1)
search:
	for at := hashRow(row) & mask; m.slots[at] != 0; at = (at + 1) & mask {
		i := int(m.slots[at] - 1)
		for k, w := range m.rows[i*m.width : (i+1)*m.width] {
			if w != row[k] {
				continue search
			}
		}
		m.hits++
		return m.nodes[i], true
	}
	return 0, false
}

// put stores the node of a row that is not there.
func (m *memo) put(row []uint64, node uint32) {
	if 2*(len(m.nodes)+1) > len(m.slots) {
		m.grow()
	}
	m.rows = append(m.rows, row...)
	m.nodes = append(m.nodes, node)
	m.place(row, len(m.nodes)-1)
}

func (m *memo) place(row []uint64, i int) {
	mask := uint64(len(m.slots) - 1)
	at := hashRow(row) & mask
	for m.slots[at] != 0 {
		at = (at + 1) & mask
	}
	m.slots[at] = uint32(i) + 1
}

func (m *memo) grow() {
	m.slots = make([]uint32, max(16, 2*len(m.slots)))
	for i := range m.nodes {
		m.place(m.rows[i*m.width:(i+1)*m.width], i)
	}
}
