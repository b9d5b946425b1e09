package mutants

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

// A Report is what RESULTS.md says.
type Report struct {
	Device   string
	Outcomes []Outcome
	Correct  []Correct
	// Unrun mutants were not guarded: the run was interrupted.
	Unrun int
}

// Write prints the report as Markdown.
func (r Report) Write(w io.Writer) {
	fmt.Fprintf(w, "# Mutants of kernels, and right kernels, before the guard\n\n"+
		"Made by `go run ./plugins/runner/mutants/checkmutants`, on %s. Every mutant is one edit of a shader's source,\n"+
		"guarded in a runner process under the settings of its kernel, each with the core's further cases.\n\n", r.Device)
	if r.Unrun > 0 {
		fmt.Fprintf(w, "**The run was interrupted: %d further mutants were not guarded.**\n\n", r.Unrun)
	}
	r.summary(w)
	r.byKind(w)
	r.byCheck(w)
	r.survivors(w)
	r.poison(w)
	correct(w, r.Correct)
	r.all(w)
}

type tally struct{ killed, equivalent, unseen, unexplained int }

func (t *tally) add(o Outcome) {
	a, argued := o.Mutant.Mutation.argument(o.Mutant.Variant.Name)
	switch {
	case o.Killed():
		t.killed++
	case argued && a.Equivalent:
		t.equivalent++
	case argued:
		t.unseen++
	default:
		t.unexplained++
	}
}

func (t tally) row() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d", t.killed+t.equivalent+t.unseen+t.unexplained, t.killed, t.equivalent, t.unseen, t.unexplained)
}

const tallyHead = "mutants | killed | equivalent | not to be seen here | survived"

func (r Report) summary(w io.Writer) {
	var all tally
	kernels := make(map[string]*tally)
	for _, o := range r.Outcomes {
		name := o.Mutant.Kernel.Name
		if kernels[name] == nil {
			kernels[name] = &tally{}
		}
		kernels[name].add(o)
		all.add(o)
	}
	fmt.Fprintf(w, "## By kernel\n\n| kernel | variants | mutations | %s |\n|---|---|---|---|---|---|---|---|\n", tallyHead)
	for _, k := range Kernels() {
		if t := kernels[k.Name]; t != nil {
			fmt.Fprintf(w, "| %s | %d | %d | %s |\n", k.Name, len(k.Variants), len(k.Mutations), t.row())
		}
	}
	fmt.Fprintf(w, "| all | | | %s |\n\n", all.row())
}

func (r Report) byKind(w io.Writer) {
	tallies := make(map[Kind]*tally)
	for _, kind := range kinds {
		tallies[kind] = &tally{}
	}
	for _, o := range r.Outcomes {
		tallies[o.Mutant.Mutation.Kind].add(o)
	}
	fmt.Fprintf(w, "## By kind of defect\n\n| kind | %s |\n|---|---|---|---|---|---|\n", tallyHead)
	for _, kind := range kinds {
		fmt.Fprintf(w, "| %s | %s |\n", kind, tallies[kind].row())
	}
	fmt.Fprintln(w)
}

func (r Report) byCheck(w io.Writer) {
	counts := make(map[[2]string]int)
	for _, o := range r.Outcomes {
		if o.Killed() {
			counts[[2]string{o.Checked.Evidence.Check, string(o.Checked.Verdict)}]++
		}
	}
	keys := make([][2]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		return counts[a] > counts[b] || counts[a] == counts[b] && a[0]+a[1] < b[0]+b[1]
	})
	fmt.Fprint(w, "## By the check that killed\n\n| check | verdict | mutants |\n|---|---|---|\n")
	for _, k := range keys {
		fmt.Fprintf(w, "| %s | %s | %d |\n", k[0], k[1], counts[k])
	}
	fmt.Fprintln(w)
}

func (r Report) survivors(w io.Writer) {
	fmt.Fprint(w, "## Survivors\n\n| mutant | defect | class | why |\n|---|---|---|---|\n")
	for _, o := range r.Outcomes {
		if o.Killed() {
			continue
		}
		m := o.Mutant
		class, why := "survived", "**not argued**"
		if a, ok := m.Mutation.argument(m.Variant.Name); ok {
			class, why = "not to be seen here", a.Why
			if a.Equivalent {
				class = "equivalent"
			}
		}
		fmt.Fprintf(w, "| %s | %s: %s | %s | %s |\n", m.ID(), m.Mutation.Kind, cell(m.Mutation.String()), class, cell(why))
	}
	fmt.Fprintln(w)
}

func (r Report) poison(w io.Writer) {
	fmt.Fprint(w, "## Uninitialized shared memory, with and without its poison\n\n"+
		"Without means that shared memory is filled with zeros before each run, as a kind driver leaves it.\n\n"+
		"| mutant | defect | with poison | without |\n|---|---|---|---|\n")
	n, only := 0, 0
	for _, o := range r.Outcomes {
		if o.Unpoisoned == "" {
			continue
		}
		n++
		if o.Killed() && o.Unpoisoned == plugins.OK {
			only++
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", o.Mutant.ID(), cell(o.Mutant.Mutation.String()), o.Checked.Verdict, o.Unpoisoned)
	}
	fmt.Fprintf(w, "\n%d of these %d die by the poison alone.\n\n", only, n)
}

func (r Report) all(w io.Writer) {
	fmt.Fprint(w, "## All mutants\n\n| mutant | kind | defect | verdict | check | setting | problem |\n|---|---|---|---|---|---|---|\n")
	for _, o := range r.Outcomes {
		m, c := o.Mutant, o.Checked
		setting := o.Setting
		if !o.Killed() {
			setting = "all"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", m.ID(), m.Mutation.Kind, cell(m.Mutation.String()), c.Verdict,
			c.Evidence.Check, setting, cell(c.Evidence.Problem))
	}
}

// cell keeps text inside one cell of a Markdown table.
func cell(s string) string { return strings.ReplaceAll(oneLine(s), "|", "\\|") }

// Faults are what a report must not contain: mutants that survived without an argument, or
// that were killed though equivalent, and right kernels that were refused.
func (r Report) Faults() []string {
	var out []string
	for _, o := range r.Outcomes {
		m := o.Mutant
		a, argued := m.Mutation.argument(m.Variant.Name)
		switch {
		case !o.Killed() && !argued:
			out = append(out, fmt.Sprintf("%s survived: %s: %s", m.ID(), m.Mutation.Kind, m.Mutation))
		case o.Killed() && argued && a.Equivalent: // a race may show itself after all
			out = append(out, fmt.Sprintf("%s is argued to be equivalent (%s) and was killed: %s: %s", m.ID(), a.Why,
				o.Checked.Verdict, o.Checked.Evidence.Message))
		}
	}
	for _, c := range r.Correct {
		out = append(out, c.Refused...)
	}
	return out
}
