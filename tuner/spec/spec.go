package spec

import (
	"fmt"
	"strconv"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// A Spec is a parsed file. Its problems, parameters and baseline have no types yet: Bind gives
// them the family's.
type Spec struct {
	File   string
	Kernel Kernel
	Driver Driver
	// BaselineSettings is the driver environment of the baseline: variable name to value. A
	// variable that is absent is unset.
	BaselineSettings map[string]string
	Search           Search
	Measure          Measure

	root        Position
	constraints []Constraint
	problems    []problem
	params      []domain
	baseline    []named
	baselineAt  Position
	settingsAt  map[string]Position // of BaselineSettings
}

// A Kernel says which family is tuned, and under which name the result is emitted.
type Kernel struct {
	Family string
	Name   string
	// FamilyAt is where the spec names the family.
	FamilyAt Position
}

// A Driver is the part of a spec that makes arms.
type Driver struct {
	Profile  string // a knob table of configs, or empty
	Settings []Setting
}

// A SettingKind is the form of a driver setting's values.
type SettingKind string

const (
	Enumeration SettingKind = "enumeration" // exactly the listed values
	Flags       SettingKind = "flags"       // every subset of the listed flags, joined by commas; the empty one is unset
	Mask        SettingKind = "mask"        // every value of Bits bits; unset stands for Stock
	Presence    SettingKind = "presence"    // unset, and set
)

// A Setting is one environment variable of the driver and the values to try.
type Setting struct {
	Name   string // of the variable
	Kind   SettingKind
	Values []string // of an Enumeration or Flags
	Bits   int      // of a Mask
	Stock  uint64   // of a Mask: what the driver does when the variable is unset
	At     Position
	values []Position
}

// Search says how to look for the best configuration and for how long.
type Search struct {
	Strategy   string // "auto" where the spec names none
	StrategyAt Position
	Budget     Budget
	Seed       uint64 // 1 where the spec names none
	Memory     bool   // an objective beside time
}

// A Measure says what a sample is of; empty where the spec does not.
type Measure struct {
	Mode plugins.Mode
	Gap  plugins.Gap
}

// A Budget bounds a search by evaluations or by time; one of the two is positive, or neither
// where no budget is set.
type Budget struct {
	Evaluations int
	Duration    time.Duration
}

// ParseBudget reads "200" (evaluations) or "20m" (a duration).
func ParseBudget(text string) (Budget, error) {
	if n, err := strconv.Atoi(text); err == nil {
		if n <= 0 {
			return Budget{}, fmt.Errorf("budget %d is not positive", n)
		}
		return Budget{Evaluations: n}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return Budget{}, fmt.Errorf("%s is not a budget", quote(text))
	}
	if d <= 0 {
		return Budget{}, fmt.Errorf("budget %s is not positive", d)
	}
	return Budget{Duration: d}, nil
}

// String is the spelling that ParseBudget reads; empty for no budget.
func (b Budget) String() string {
	switch {
	case b.Evaluations > 0:
		return strconv.Itoa(b.Evaluations)
	case b.Duration > 0:
		return b.Duration.String()
	}
	return ""
}

// A Constraint is one boolean expression over parameters, fields and device limits. It is kept
// as text: who compiles it reports faults at Text.At.
type Constraint struct {
	Text
	// Family is set for a constraint of the family's own. Its positions then name the family
	// and count its constraints as lines.
	Family bool
}

// A named value is a scalar with its place in the file.
type named struct {
	name  string
	value plugins.Value
	keyAt Position
	at    Position
}

type problem struct {
	fields []named
	weight float64
	at     Position
}

type domain struct {
	name   string
	values []named
	keyAt  Position
}
