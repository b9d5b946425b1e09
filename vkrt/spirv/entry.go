package spirv

// entryPoints resolves sizes and the shared variables that each entry point uses.
func (p *parser) entryPoints(m *Module) error {
	index := map[uint32]int{}
	for i, v := range m.shared {
		index[v.id] = i
	}
	for _, e := range p.entries {
		f := p.functions[e.function]
		if f == nil {
			return e.fail("entry point %q is function %%%d, which the module lacks", e.name, e.function)
		}
		out := EntryPoint{Name: e.name, Compute: e.args[0] == modelGLCompute}
		if out.Compute {
			out.shared = p.sharedOf(f, index)
		}
		if mode, ok := p.modes[e.function]; ok {
			out.size = [3]uint32(mode.args[2:5])
			out.sizeIDs = mode.args[1] == modeLocalSizeID
		}
		m.EntryPoints = append(m.EntryPoints, out)
	}
	return nil
}

// sharedOf walks the calls from a function and returns the shared variables named
// on the way, as indices in the module's order.
func (p *parser) sharedOf(f *function, index map[uint32]int) []int {
	used := make([]bool, len(index))
	seen := map[*function]bool{f: true}
	for queue := []*function{f}; len(queue) > 0; queue = queue[1:] {
		for id := range queue[0].uses {
			if i, ok := index[id]; ok {
				used[i] = true
			}
			if callee := p.functions[id]; callee != nil && !seen[callee] {
				seen[callee] = true
				queue = append(queue, callee)
			}
		}
	}
	var out []int
	for i, u := range used {
		if u {
			out = append(out, i)
		}
	}
	return out
}
