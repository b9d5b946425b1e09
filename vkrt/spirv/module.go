// Package spirv reads what a SPIR-V module says about itself: entry points and
// workgroup sizes, specialization constants, descriptors, push constants and the
// shared memory that it takes. It is written after the SPIR-V specification 1.6 and
// needs no Vulkan.
//
// Modules come from strangers: any input gives a Module or an error, in time and
// memory proportional to its size. Reflect does not validate: a module that is
// wrong elsewhere than in what is read here passes.
package spirv

import (
	"cmp"
	"fmt"
	"slices"
)

// A Module is what Reflect found.
type Module struct {
	Version       string // of SPIR-V, for example "1.5"
	Capabilities  []Capability
	EntryPoints   []EntryPoint
	SpecConstants []SpecConstant // in the module's order
	Bindings      []Binding      // by set, then binding
	// Push is the push-constant block; nil when there is none, and the largest when
	// entry points have blocks of their own.
	Push *Block

	fixed         map[uint32]value // constants that no specialization changes
	varying       []constant       // the others, in the module's order: operands come before uses
	workgroupSize uint32           // the constant that is BuiltIn WorkgroupSize, or 0
	shared        []variable       // of storage class Workgroup
}

// An EntryPoint is a function that a pipeline can begin with.
type EntryPoint struct {
	Name    string
	Compute bool // execution model GLCompute

	size    [3]uint32 // literal, or ids of constants
	sizeIDs bool
	// shared holds the indices in Module.shared of the variables that are used.
	shared []int
}

// An Error is a fault at a word of the module; the header is words 0 to 4.
type Error struct {
	Word int
	What string
}

func (e *Error) Error() string { return fmt.Sprintf("SPIR-V word %d: %s", e.Word, e.What) }

// Reflect reads a module in either byte order. The error is an *Error.
func Reflect(module []byte) (*Module, error) {
	words, err := decode(module)
	if err != nil {
		return nil, err
	}
	p := newParser(words)
	if err := p.parse(); err != nil {
		return nil, err
	}
	m := &Module{
		Version:      fmt.Sprintf("%d.%d", words[1]>>16&0xff, words[1]>>8&0xff),
		Capabilities: p.capabilities,
		varying:      p.varying,
	}
	m.fixed = evaluate(p.constants, nil, nil).varying
	p.specConstants(m)
	if err := p.interfaces(m); err != nil {
		return nil, err
	}
	if err := p.entryPoints(m); err != nil {
		return nil, err
	}
	slices.SortStableFunc(m.Bindings, func(a, b Binding) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Binding, b.Binding))
	})
	return m, nil
}

// entry finds an entry point by name. A name may serve several execution models;
// compute comes first.
func (m *Module) entry(name string) (*EntryPoint, error) {
	var found *EntryPoint
	names := []string{}
	for i := range m.EntryPoints {
		e := &m.EntryPoints[i]
		names = append(names, e.Name)
		if e.Name == name && (found == nil || e.Compute && !found.Compute) {
			found = e
		}
	}
	if found == nil {
		return nil, fmt.Errorf("no entry point %q, the module has %q", name, names)
	}
	return found, nil
}

// LocalSize is the workgroup size of an entry point with the given specialization
// values, keyed by SpecId and given as the constant's bits (see SpecConstant);
// constants without one keep their defaults. By the specification the WorkgroupSize
// built-in outranks the execution modes LocalSizeId and LocalSize.
func (m *Module) LocalSize(entry string, values map[uint32]uint64) ([3]uint32, error) {
	e, err := m.entry(entry)
	if err != nil {
		return [3]uint32{}, err
	}
	size := e.size
	if m.workgroupSize != 0 || e.sizeIDs {
		known := m.evaluate(values)
		parts := make([]value, 0, 3)
		if m.workgroupSize != 0 {
			v, err := known.get(m.workgroupSize)
			if err != nil {
				return size, fmt.Errorf("WorkgroupSize: %w", err)
			}
			parts = v.parts
		} else {
			for _, id := range e.size {
				v, err := known.get(id)
				if err != nil {
					return size, fmt.Errorf("LocalSizeId: %w", err)
				}
				parts = append(parts, v)
			}
		}
		if len(parts) != 3 {
			return size, fmt.Errorf("WorkgroupSize has %d components, want 3", len(parts))
		}
		for i, v := range parts {
			n, err := v.natural()
			if err != nil {
				return size, fmt.Errorf("workgroup size: %w", err)
			}
			if n > 1<<32-1 {
				return size, fmt.Errorf("workgroup size %d does not fit 32 bits", n)
			}
			size[i] = uint32(n)
		}
	}
	if size[0] == 0 || size[1] == 0 || size[2] == 0 {
		return size, fmt.Errorf("workgroup size of entry point %q is %dx%dx%d", entry, size[0], size[1], size[2])
	}
	return size, nil
}

// SharedMemory is the bytes of Workgroup memory that the module takes with the
// given specialization values (as for LocalSize): the most that any of its entry
// points takes. Variables without an explicit layout are laid out in the module's
// order by the std430 rules with 4-byte bools. By those rules the Vulkan
// specification bounds what a driver may take, for the worst order of the variables,
// which may add padding between them. Blocks with an explicit layout
// (VK_KHR_workgroup_memory_explicit_layout) share the same bytes.
func (m *Module) SharedMemory(values map[uint32]uint64) (int64, error) {
	l := layout{known: m.evaluate(values)}
	var most int64
	for _, e := range m.EntryPoints {
		var plain, blocks int64
		for _, i := range e.shared {
			v := m.shared[i]
			if v.typ.block {
				size, err := l.explicit(v.typ)
				if err != nil {
					return 0, fmt.Errorf("shared variable %s: %w", v.label(), err)
				}
				blocks = max(blocks, size)
				continue
			}
			s, err := l.std430(v.typ)
			if err == nil {
				plain, err = add(roundUp(plain, s.align), s.size)
			}
			if err != nil {
				return 0, fmt.Errorf("shared variable %s: %w", v.label(), err)
			}
		}
		sum, err := add(plain, blocks)
		if err != nil {
			return 0, err
		}
		most = max(most, sum)
	}
	return most, nil
}
