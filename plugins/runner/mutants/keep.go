package mutants

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/krisptune/krisptune/plugins"
)

// Kept are the outcomes of an earlier run, for work on the mutations: those whose modules and
// settings are the same need not be guarded again as long as the guard is the same.
type Kept struct {
	Outcomes map[string]keptOutcome
	Correct  []Correct
}

type keptOutcome struct {
	Setting    string
	Checked    plugins.Checked
	Unpoisoned plugins.Verdict
}

func keptFile(root string) string { return filepath.Join(root, ".cache", "mutants", "outcomes.json") }

// LoadKept reads what Keep wrote; nothing is no error.
func LoadKept(root string) (Kept, error) {
	k := Kept{Outcomes: make(map[string]keptOutcome)}
	data, err := os.ReadFile(keptFile(root))
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return k, err
	}
	return k, json.Unmarshal(data, &k)
}

// Keep stores a report's outcomes beside those of earlier runs.
func (r Report) Keep(root string) error {
	k, err := LoadKept(root)
	if err != nil {
		return err
	}
	if len(r.Correct) > 0 {
		k.Correct = r.Correct
	}
	for _, o := range r.Outcomes {
		if o.Checked.Verdict != "" {
			k.Outcomes[o.Mutant.key()] = keptOutcome{o.Setting, o.Checked, o.Unpoisoned}
		}
	}
	data, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return os.WriteFile(keptFile(root), data, 0o644)
}

// Split takes the outcomes of mutants that did not change; the others are left to judge.
func (k Kept) Split(list []*Mutant) (known []Outcome, left []*Mutant) {
	for _, m := range list {
		if o, ok := k.Outcomes[m.key()]; ok {
			known = append(known, Outcome{Mutant: m, Setting: o.Setting, Checked: o.Checked, Unpoisoned: o.Unpoisoned})
		} else {
			left = append(left, m)
		}
	}
	return known, left
}

// key names all that an outcome depends on but the guard.
func (m *Mutant) key() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %v %+v", m.Kernel.Name, m.Variant.Name, m.Mutation.Kind == Uninitialized, m.Kernel.Settings)
	for _, spirv := range m.Modules {
		fmt.Fprintf(h, " %x", sha256.Sum256(spirv))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
