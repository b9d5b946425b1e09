package search

// A Neighbourhood says which points count as next to each other.
type Neighbourhood uint8

const (
	// Hamming: all points that differ in exactly one dimension: a parameter, or a bit of a mask.
	Hamming Neighbourhood = iota
	// Adjacent: of those, the nearest valid one up and down in the order of values; strings and bools have
	// no order, so all their values are adjacent.
	Adjacent
)

// Neighbours appends the points next to point i to dst, in no particular order, and returns it.
func (s *Space) Neighbours(i int, kind Neighbourhood, dst []int) []int {
	coords := s.Coords(i, nil)
	node, prefix := s.diagram.root, uint64(0)
	for l, p := range s.order {
		own := coords[p]
		try := func(value int) bool {
			e := s.diagram.find(node, value)
			if e == nil {
				return false
			}
			rest, ok := s.diagram.rank(e.child, func(l int) int { return coords[s.order[l]] }, l+1, len(s.order))
			if ok {
				dst = append(dst, int(prefix+e.before+rest))
			}
			return ok
		}
		if order := s.ranks[p]; kind == Adjacent && order != nil {
			at := 0
			for order[at] != own {
				at++
			}
			for up := at + 1; up < len(order) && !try(order[up]); up++ {
			}
			for down := at - 1; down >= 0 && !try(order[down]); down-- {
			}
		} else {
			for _, e := range s.diagram.out(node) {
				if int(e.value) != own {
					try(int(e.value))
				}
			}
		}
		e := s.diagram.find(node, own)
		prefix += e.before
		node = e.child
	}
	return dst
}
