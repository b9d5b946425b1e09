package mutants

import (
	"fmt"
	"slices"
	"strings"
)

// A Mutation is one defect: what kind, and the edits that make it.
type Mutation struct {
	Kind  Kind
	Edits []Edit
	// Only names the variants that the mutation is for; empty means all.
	Only []string
	// Survives argues why no check can tell the mutant from the kernel, by variant, or
	// under "" for every variant.
	Survives map[string]Argument
}

// An Edit replaces text that occurs exactly once in a kernel's files.
type Edit struct{ Old, New string }

// An Argument says why a mutant survives.
type Argument struct {
	// Equivalent is set where no input and no device makes a difference that a user sees;
	// otherwise the mutant is wrong and this device cannot show it.
	Equivalent bool
	Why        string
}

// A Kind is a class of defects that kernels have.
type Kind string

const (
	BarrierDropped  Kind = "barrier dropped"
	BarrierMoved    Kind = "barrier moved"
	LoopBound       Kind = "loop bound off by one"
	WrongStride     Kind = "wrong stride"
	SwappedIndex    Kind = "index swapped or shifted"
	EdgeRemoved     Kind = "edge condition removed"
	SmallBound      Kind = "guarded by the wrong bound"
	NotReset        Kind = "accumulator not reset"
	LostUpdate      Kind = "update lost or doubled"
	NeighbourRow    Kind = "one load from the neighbouring row"
	Dequantization  Kind = "wrong scale or nibble"
	Uninitialized   Kind = "shared memory not initialized"
	WrittenTwice    Kind = "result written twice"
	OutOfBoundStore Kind = "store out of bounds by one"
	SharedRace      Kind = "race on shared memory"
	NarrowSum       Kind = "narrower accumulation than promised"
)

// kinds is the order of tables.
var kinds = []Kind{BarrierDropped, BarrierMoved, LoopBound, WrongStride, SwappedIndex, EdgeRemoved, SmallBound, NotReset,
	LostUpdate, NeighbourRow, Dequantization, Uninitialized, WrittenTwice, OutOfBoundStore, SharedRace, NarrowSum}

// edit is a mutation by one replacement.
func edit(kind Kind, old, new string) Mutation {
	return Mutation{Kind: kind, Edits: []Edit{{old, new}}}
}

// and adds another replacement to a mutation.
func (m Mutation) and(old, new string) Mutation {
	m.Edits = append(slices.Clone(m.Edits), Edit{old, new})
	return m
}

// only limits a mutation to variants.
func (m Mutation) only(variants ...string) Mutation {
	m.Only = variants
	return m
}

// equivalent argues that a variant of the mutation ("" for all) computes the same.
func (m Mutation) equivalent(variant, why string) Mutation {
	return m.survives(variant, Argument{true, why})
}

// unseen argues that a variant of the mutation is wrong where this device cannot show it.
func (m Mutation) unseen(variant, why string) Mutation {
	return m.survives(variant, Argument{false, why})
}

func (m Mutation) survives(variant string, a Argument) Mutation {
	all := map[string]Argument{variant: a}
	for v, a := range m.Survives {
		all[v] = a
	}
	m.Survives = all
	return m
}

// argument is why the mutation survives in a variant.
func (m Mutation) argument(variant string) (Argument, bool) {
	if a, ok := m.Survives[variant]; ok {
		return a, true
	}
	a, ok := m.Survives[""]
	return a, ok
}

// apply makes the mutation's edits in a copy of files.
func (m Mutation) apply(files map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(files))
	for name, text := range files {
		out[name] = text
	}
	for _, e := range m.Edits {
		found := 0
		for name, text := range out {
			if n := strings.Count(text, e.Old); n > 0 {
				found += n
				out[name] = strings.Replace(text, e.Old, e.New, 1)
			}
		}
		if found != 1 {
			return nil, fmt.Errorf("%s: %q occurs %d times, expected once", m.Kind, e.Old, found)
		}
	}
	return out, nil
}

// String shows the edits on one line.
func (m Mutation) String() string {
	var parts []string
	for _, e := range m.Edits {
		old, new := oneLine(e.Old), oneLine(e.New)
		switch {
		case new == "":
			parts = append(parts, "`"+old+"` removed")
		case strings.HasPrefix(new, old):
			parts = append(parts, "`"+oneLine(strings.TrimPrefix(new, old))+"` after `"+old+"`")
		case strings.HasSuffix(new, old):
			parts = append(parts, "`"+oneLine(strings.TrimSuffix(new, old))+"` before `"+old+"`")
		default:
			parts = append(parts, "`"+old+"` → `"+new+"`")
		}
	}
	return strings.Join(parts, "; ")
}
