package spirv

import "fmt"

// A Block is a struct with an explicit layout.
type Block struct {
	Name    string // of the struct type
	Members []Member
	// Size is the bytes up to the end of the last member; a runtime array at the end
	// counts as empty.
	Size int64
}

// A Member is a member of a struct. Array lengths that are specialization constants
// are their defaults.
type Member struct {
	Name   string
	Type   string  // of one element: "f32", "vec4<f16>", "struct NAME", ...
	Array  []int64 // dimensions, outermost first; 0 is a runtime array
	Offset int64   // from the start of the struct it is in
	Size   int64   // with all elements
	Stride int64   // of the outermost array; 0 when it is none
	// Members are those of a struct type, their offsets from its start.
	Members []Member
}

// maxMembers bounds the members of all blocks, with those of the structs inside:
// types share parts, and written out they can grow beyond any size.
const maxMembers = 1 << 16

// A blockReader reads blocks with the default specialization values.
type blockReader struct {
	layout
	members int
}

func (r *blockReader) block(t *typ) (Block, error) {
	if t.kind != kindStruct {
		return Block{}, fmt.Errorf("type %s, want a struct", t)
	}
	members, err := r.read(t)
	if err != nil {
		return Block{}, err
	}
	size, err := r.explicit(t)
	return Block{Name: t.name, Members: members, Size: size}, err
}

func (r *blockReader) read(t *typ) ([]Member, error) {
	var out []Member
	for _, m := range t.members {
		if r.members++; r.members > maxMembers {
			return nil, fmt.Errorf("the blocks have more than %d members", maxMembers)
		}
		if m.offset == nil {
			return nil, fmt.Errorf("member %q of struct %q has no Offset", m.name, t.name)
		}
		size, err := r.memberSize(m)
		if err != nil {
			return nil, fmt.Errorf("member %q of struct %q: %w", m.name, t.name, err)
		}
		member := Member{Name: m.name, Offset: int64(*m.offset), Size: size, Stride: int64(m.typ.stride)}
		inner := m.typ
		for ; inner.kind == kindArray || inner.kind == kindRuntimeArray; inner = inner.elem {
			n, err := r.elements(inner)
			if err != nil {
				return nil, err
			}
			member.Array = append(member.Array, n)
		}
		member.Type = inner.String()
		if inner.kind == kindStruct {
			if member.Members, err = r.read(inner); err != nil {
				return nil, err
			}
		}
		out = append(out, member)
	}
	return out, nil
}
