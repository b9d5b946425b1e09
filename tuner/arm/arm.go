// Package arm makes the arms of a tuning run: the driver environments that its settings span.
package arm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/krisptune/krisptune/tuner/spec"
)

// Max is the largest number of arms of one run. Each is a process of its own that compiles and
// guards every candidate again.
const Max = 64

// Stock names the arm that sets nothing.
const Stock = "stock"

// An Arm is one complete driver environment.
type Arm struct {
	// Name is the canonical spelling, in name order: "HK_PERFTEST=batch", or Stock. Equal
	// environments have equal names.
	Name string
	// Set maps variables to values.
	Set map[string]string
	// Unset are the variables of the run that this arm does not set, sorted: they must be
	// removed from the host's environment even where no knob table names them.
	Unset []string
}

// New makes the arm that sets the given variables, out of the names of the run.
func New(set map[string]string, names []string) Arm {
	a := Arm{Set: map[string]string{}}
	maps.Copy(a.Set, set)
	for _, n := range names {
		if _, ok := set[n]; !ok {
			a.Unset = append(a.Unset, n)
		}
	}
	slices.Sort(a.Unset)
	a.Unset = slices.Compact(a.Unset)
	var parts []string
	for _, n := range slices.Sorted(maps.Keys(a.Set)) {
		parts = append(parts, n+"="+quote(a.Set[n]))
	}
	a.Name = strings.Join(parts, " ")
	if a.Name == "" {
		a.Name = Stock
	}
	return a
}

// quote keeps names apart that plain joining would make equal.
func quote(value string) string {
	for _, r := range value {
		if !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789,._+:-", r) {
			return strconv.Quote(value)
		}
	}
	return value
}

// Product lists the baseline's arm, then every other combination of the settings' values, the
// last setting varying fastest. A mask or a product that is too large is a *spec.Error at the
// setting that makes it so.
func Product(settings []spec.Setting, baseline map[string]string) ([]Arm, error) {
	names := slices.Collect(maps.Keys(baseline))
	for _, s := range settings {
		names = append(names, s.Name)
	}
	combinations := []map[string]string{{}}
	for _, s := range settings {
		count := size(s)
		if count > Max {
			return nil, s.At.Errorf("a list of values such as "+s.Name+` = ["0x1", "0x3"]`,
				"%s has more than %d values: trying it bit by bit is for ablate, which this version does not have, so it takes listed values only",
				s.Name, Max)
		}
		if len(combinations)*count > Max {
			return nil, s.At.Errorf(fmt.Sprintf("at most %d", Max), "the driver settings up to %s span %d arms", s.Name, len(combinations)*count)
		}
		var next []map[string]string
		for _, c := range combinations {
			for _, v := range values(s) {
				set := maps.Clone(c)
				if v != nil {
					set[s.Name] = *v
				}
				next = append(next, set)
			}
		}
		combinations = next
	}
	arms := []Arm{New(baseline, names)}
	for _, c := range combinations {
		if a := New(c, names); a.Name != arms[0].Name && len(settings) > 0 {
			arms = append(arms, a)
		}
	}
	return arms, nil
}

// size is the number of a setting's values, capped just above Max.
func size(s spec.Setting) int {
	switch s.Kind {
	case spec.Flags:
		if len(s.Values) < 16 {
			return 1 << len(s.Values)
		}
		return Max + 1
	case spec.Mask:
		if s.Bits < 16 {
			return 1 << s.Bits
		}
		return Max + 1
	case spec.Presence:
		return 2
	}
	return len(s.Values)
}

// values lists a setting's values; nil is unset.
func values(s spec.Setting) []*string {
	var out []*string
	switch s.Kind {
	case spec.Enumeration:
		for _, v := range s.Values {
			out = append(out, &v)
		}
	case spec.Flags:
		for bits := range 1 << len(s.Values) {
			var flags []string
			for i, f := range s.Values {
				if bits>>i&1 == 1 {
					flags = append(flags, f)
				}
			}
			if len(flags) == 0 {
				out = append(out, nil)
				continue
			}
			text := strings.Join(flags, ",")
			out = append(out, &text)
		}
	case spec.Mask:
		// Unset is the driver's own path to the stock mask.
		out = append(out, nil)
		for mask := range uint64(1) << s.Bits {
			if mask != s.Stock {
				text := fmt.Sprintf("0x%x", mask)
				out = append(out, &text)
			}
		}
	case spec.Presence:
		set := "1"
		out = append(out, nil, &set)
	}
	return out
}

// Hash is short and safe in a file's name; equal environments have equal hashes.
func (a Arm) Hash() string {
	h := sha256.Sum256([]byte(a.Name))
	return hex.EncodeToString(h[:6])
}
