package guard

import (
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
)

// A ReferenceError says that a reference could not be had: the family's fault.
type ReferenceError struct{ Err error }

func (e *ReferenceError) Error() string { return "reference: " + e.Err.Error() }

func (e *ReferenceError) Unwrap() error { return e.Err }

// values compares outputs with the trial's reference: check is "exact" or "rounded".
func (s *session) values(check string, trial reference.Trial, outputs [][]byte) (*finding, error) {
	diffs, err := trial.Verify(s.toOperands(outputs))
	if err != nil {
		return nil, &ReferenceError{err}
	}
	for _, d := range diffs {
		if d.Bad == 0 {
			continue
		}
		b := s.buffer(s.Trials.BufferOf(d.Operand))
		f := judge(check, b, d)
		f.evidence.Message += ": " + s.shape(d) + first(b, d.First)
		return f, nil
	}
	return nil, nil
}

func judge(check string, b plugins.Buffer, d *reference.Diff) *finding {
	var f *finding
	switch {
	case d.NonFinite > 0:
		f = found(plugins.NaN, check, b.Name, "%s: %d of %d elements looked at are NaN or infinite", b.Name, d.NonFinite, d.Looked)
	case check == "exact":
		f = found(plugins.Wrong, check, b.Name, "%s: %d of %d elements looked at are wrong on inputs whose result is exact", b.Name, d.Bad, d.Looked)
	default:
		f = found(plugins.Wrong, check, b.Name, "%s: %d of %d elements looked at are beyond their error bound", b.Name, d.Bad, d.Looked)
	}
	f.evidence.Bad, f.evidence.Elements = d.Bad, d.Looked
	f.evidence.First, f.evidence.Worst = element(b, d.First), element(b, d.Worst)
	return f
}

func first(b plugins.Buffer, e *reference.Element) string {
	if e == nil {
		return ""
	}
	out := fmt.Sprintf("; first at %s: got %s, expected %s", place(b, e.Index), number(e.Got), number(e.Want))
	if e.Bound > 0 {
		out += " ± " + number(e.Bound)
	}
	return out
}

func element(b plugins.Buffer, e *reference.Element) *plugins.Mismatch {
	if e == nil {
		return nil
	}
	bound := ""
	if e.Bound > 0 {
		bound = number(e.Bound)
	}
	return mismatch(b, e.Index, number(e.Got), number(e.Want), bound)
}
