package stats

import "fmt"

// An Entrant is one label in a race. Entrants are known by their index.
type Entrant struct {
	Name string // for messages
	Role Role
}

// A Role says why an entrant runs.
type Role string

const (
	Baseline  Role = "baseline"
	Control   Role = "control" // the baseline again under a second label: the A/A control
	Incumbent Role = "incumbent"
	Candidate Role = "candidate"
)

// A Status says whether an entrant is still sampled.
type Status string

const (
	Live      Status = "live"
	Beaten    Status = "beaten"    // shown to be slower than another entrant
	Withdrawn Status = "withdrawn" // taken out by the caller: a sample of it failed
)

// A Kind is the purpose of a race.
type Kind string

const (
	Batch        Kind = "batch"        // the candidates that a strategy asked for
	Final        Kind = "final"        // the best of all batches
	Confirmation Kind = "confirmation" // winner and both baselines; its ratio is reported
)

// Options bound a race. Zero fields mean the defaults.
type Options struct {
	// Alpha is the probability of a false claim: that the leader is declared although another
	// entrant is faster by more than the indifference, and, separately, that any interval
	// against the baseline excludes the truth. If 0: 0.004 for batches and 0.005 for the
	// final, which has two attempts and gives each half, together less than 0.01 for a tune;
	// and 0.01 for a confirmation.
	Alpha float64
	// Comparisons share Alpha. A batch of a longer tune gives the number of candidates of the
	// whole tune here, for the best of them may have to hold its place as incumbent against
	// all others; an upper bound will do, for rounds grow with its logarithm. If 0, the number of candidates and incumbents of this race is used.
	Comparisons int
	// Indifference is the fraction below which a difference does not matter. If 0, 0.01.
	Indifference float64
	// MinRounds are always taken. If 0: 6 for a batch, 10 for a final.
	MinRounds int
	// MaxRounds end an undecided race; a confirmation has exactly MaxRounds. If 0: 25 for a
	// batch, 150 for a final, 40 for a confirmation.
	MaxRounds int
}

func (o Options) withDefaults(kind Kind, entrants []Entrant) (Options, error) {
	rounds := map[Kind][2]int{Batch: {6, 25}, Final: {10, 150}, Confirmation: {40, 40}}
	d, ok := rounds[kind]
	if !ok {
		return o, fmt.Errorf("race kind %q, expected batch, final or confirmation", kind)
	}
	if o.Alpha == 0 {
		o.Alpha = 0.004
		switch kind {
		case Final:
			o.Alpha = 0.005
		case Confirmation:
			o.Alpha = 0.01
		}
	}
	if o.Indifference == 0 {
		o.Indifference = 0.01
	}
	if o.Comparisons == 0 {
		for _, e := range entrants {
			if e.Role == Candidate || e.Role == Incumbent {
				o.Comparisons++
			}
		}
	}
	if o.MaxRounds == 0 {
		o.MaxRounds = d[1]
	}
	if o.MinRounds == 0 {
		o.MinRounds = min(d[0], o.MaxRounds)
	}
	if kind == Confirmation {
		o.MinRounds = o.MaxRounds
	}
	switch {
	case !(o.Alpha > 0 && o.Alpha < 1):
		return o, fmt.Errorf("alpha is %v, expected a probability between 0 and 1", o.Alpha)
	case o.Indifference < 0:
		return o, fmt.Errorf("indifference is %v, expected a fraction such as 0.01", o.Indifference)
	case o.Comparisons < 1:
		return o, fmt.Errorf("%d comparisons, expected at least 1", o.Comparisons)
	case o.MinRounds < 1 || o.MaxRounds < o.MinRounds:
		return o, fmt.Errorf("%d to %d rounds, expected at least 1 and a maximum not below the minimum", o.MinRounds, o.MaxRounds)
	}
	return o, nil
}

// checkRoles returns the indices of the baseline and its control.
func checkRoles(kind Kind, entrants []Entrant) (baseline, control int, err error) {
	baseline, control = -1, -1
	rest := 0
	for i, e := range entrants {
		switch e.Role {
		case Baseline:
			if baseline >= 0 {
				return 0, 0, fmt.Errorf("entrants %d and %d are both baselines, expected one", baseline, i)
			}
			baseline = i
		case Control:
			if control >= 0 {
				return 0, 0, fmt.Errorf("entrants %d and %d are both controls, expected one", control, i)
			}
			control = i
		case Candidate, Incumbent:
			rest++
		default:
			return 0, 0, fmt.Errorf("entrant %d has role %q, expected baseline, control, incumbent or candidate", i, e.Role)
		}
	}
	switch {
	case baseline < 0 || control < 0:
		return 0, 0, fmt.Errorf("a race needs the baseline and its control")
	case rest == 0:
		return 0, 0, fmt.Errorf("a race needs a candidate")
	case kind == Confirmation && rest != 1:
		return 0, 0, fmt.Errorf("a confirmation has %d candidates, expected 1", rest)
	}
	return baseline, control, nil
}
