package mutants

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// A Mutant is one mutation of one variant of a kernel, compiled.
type Mutant struct {
	Kernel   *Kernel
	Variant  Variant
	Mutation Mutation
	Number   int // of the mutation in its kernel, from 1
	Modules  [][]byte
}

// ID is the mutant's name: "matmul/f16_f32/7".
func (m *Mutant) ID() string { return fmt.Sprintf("%s/%s/%d", m.Kernel.Name, m.Variant.Name, m.Number) }

// An Outcome is what the guard said of a mutant: the first refusal, or ok under every setting.
type Outcome struct {
	Mutant  *Mutant
	Setting string // that the verdict is of
	Checked plugins.Checked
	// Unpoisoned is the verdict with shared memory zeroed rather than poisoned, of mutants
	// of the kind Uninitialized.
	Unpoisoned plugins.Verdict
	Elapsed    time.Duration
}

// Killed is whether the guard refused the mutant.
func (o Outcome) Killed() bool { return o.Checked.Verdict != plugins.OK }

// Make compiles every mutant of a kernel, in order. A mutation that does not apply, does not
// compile or changes nothing is an error.
func Make(k *Kernel, c *Compiler, root string) ([]*Mutant, error) {
	files, err := k.source(root)
	if err != nil {
		return nil, err
	}
	main := filepath.Base(k.Files[0])
	originals := make(map[string][][]byte)
	for _, v := range k.Variants {
		if originals[v.Name], err = c.Modules(files, main, v.Modules); err != nil {
			return nil, fmt.Errorf("%s %s: %w", k.Name, v.Name, err)
		}
	}
	var all []*Mutant
	for i, mutation := range k.Mutations {
		for _, v := range k.pick(i) {
			all = append(all, &Mutant{Kernel: k, Variant: v, Mutation: mutation, Number: i + 1})
		}
	}
	err = each(all, func(m *Mutant) error {
		broken, err := m.Mutation.apply(files)
		if err != nil {
			return fmt.Errorf("%s: %w", m.ID(), err)
		}
		if m.Modules, err = c.Modules(broken, main, m.Variant.Modules); err != nil {
			return fmt.Errorf("%s: %s: %w", m.ID(), m.Mutation, err)
		}
		if slices.EqualFunc(m.Modules, originals[m.Variant.Name], bytes.Equal) {
			return fmt.Errorf("%s: %s changes nothing", m.ID(), m.Mutation)
		}
		return nil
	})
	return all, err
}

// pick chooses the variants of mutation number i: those that it names, or two of the types,
// where there are more. Mutations take turns with the types and, of two variants of the same
// types, with the unrolled and the rolled one.
func (k *Kernel) pick(i int) []Variant {
	var groups [][]Variant
	at := make(map[string]int)
	only := k.Mutations[i].Only
	for _, v := range k.Variants {
		if len(only) > 0 && !slices.Contains(only, v.Name) {
			continue
		}
		group, ok := at[v.types()]
		if !ok {
			group = len(groups)
			at[v.types()] = group
			groups = append(groups, nil)
		}
		groups[group] = append(groups[group], v)
	}
	var out []Variant
	for g, group := range groups {
		if len(only) == 0 && len(groups) > 3 && g%2 != i%2 {
			continue
		}
		out = append(out, group[(i/2+g)%len(group)])
	}
	return out
}

// types names what a variant's rolled and unrolled form share.
func (v Variant) types() string {
	if len(v.Fields) == 0 {
		return v.Name
	}
	return v.Fields.String()
}

// Judge guards one mutant under its kernel's settings in turn.
func Judge(ctx context.Context, g *Guard, m *Mutant) (out Outcome, err error) {
	out = Outcome{Mutant: m}
	start := time.Now()
	defer func() { out.Elapsed = time.Since(start) }()
	for _, s := range m.Kernel.Settings {
		candidate, check, err := m.Kernel.check(m.ID(), m.Variant, m.Modules, s)
		if err != nil {
			return out, fmt.Errorf("%s, setting %s: %w", m.ID(), s.Name, err)
		}
		out.Setting = s.Name
		if out.Checked, err = g.Check(ctx, candidate, check); err != nil || out.Killed() {
			return out, err
		}
	}
	return out, nil
}

// JudgeAll guards mutants, in as many processes as there are cores.
func JudgeAll(ctx context.Context, list []*Mutant, progress func(Outcome)) ([]Outcome, error) {
	var mu sync.Mutex
	outcomes := make([]Outcome, len(list))
	guards := make(chan *Guard, workers())
	for range cap(guards) {
		g, err := NewGuard(1)
		if err != nil {
			return nil, err
		}
		defer g.Close()
		guards <- g
	}
	return outcomes, each(indices(list), func(i int) error {
		g := <-guards
		defer func() { guards <- g }()
		if err := ctx.Err(); err != nil {
			return err
		}
		o, err := Judge(ctx, g, list[i])
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		outcomes[i] = o
		progress(o)
		return nil
	})
}

// Judged leaves out mutants that an interrupted run did not come to.
func Judged(list []Outcome) []Outcome {
	return slices.DeleteFunc(list, func(o Outcome) bool { return o.Mutant == nil })
}

// InOrder sorts outcomes by kernel, mutation and variant.
func InOrder(list []Outcome) []Outcome {
	kernels := make(map[string]int)
	for i, k := range Kernels() {
		kernels[k.Name] = i
	}
	slices.SortStableFunc(list, func(a, b Outcome) int {
		x, y := a.Mutant, b.Mutant
		return cmp.Or(kernels[x.Kernel.Name]-kernels[y.Kernel.Name], x.Number-y.Number, strings.Compare(x.Variant.Name, y.Variant.Name))
	})
	return list
}

// Unpoison fills in what the guard says of uninitialized shared memory without its poison.
func Unpoison(ctx context.Context, outcomes []Outcome) error {
	g, err := NewUnpoisonedGuard(1)
	if err != nil {
		return err
	}
	defer g.Close()
	for i := range outcomes {
		o := &outcomes[i]
		if o.Mutant.Mutation.Kind != Uninitialized {
			continue
		}
		without, err := Judge(ctx, g, o.Mutant)
		if err != nil {
			return err
		}
		o.Unpoisoned = without.Checked.Verdict
	}
	return nil
}
