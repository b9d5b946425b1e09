package guard

import "github.com/krisptune/krisptune/plugins"

// Timed holds the outputs that timed launches left, by buffer name, against the rounded
// trial's reference.
func Timed(trials *TrialSet, b plugins.Build, outputs map[string][]byte) (plugins.Verdict, plugins.Evidence, error) {
	s := &session{Case: Case{Build: b, Trials: trials}}
	list := make([][]byte, len(b.Buffers))
	for i, buf := range b.Buffers {
		list[i] = outputs[buf.Name]
	}
	if f := s.finite("after timing", list); f != nil {
		return f.verdict, f.evidence, nil
	}
	f, err := s.values("after timing", trials.Rounded, list)
	if err != nil || f == nil {
		return plugins.OK, plugins.Evidence{}, err
	}
	return f.verdict, f.evidence, nil
}
