package guard

import (
	"bytes"
	"context"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
	"github.com/krisptune/krisptune/plugins/runner/launch"
)

// repeated compares the outputs of two runs on the same exact inputs. NaN equals NaN here: a
// kernel that reads poison hands on a different payload each time, and is better called nan.
func (s *session) repeated(first, second [][]byte) *finding {
	for i, b := range s.Build.Buffers {
		if first[i] == nil || bytes.Equal(first[i], second[i]) {
			continue
		}
		d := reference.NewDiff(b.Name, b)
		for e := 0; e < int(b.Elements); e++ {
			x, y := value(b.Type, first[i], e), value(b.Type, second[i], e)
			if x != x && y != y {
				y, x = 0, 0
			}
			d.Add(int64(e), y, x, 0)
		}
		if d.Bad == 0 {
			continue
		}
		at := int(d.First.Index)
		one, two := text(b.Type, first[i], at), text(b.Type, second[i], at)
		f := found(plugins.Nondeterministic, "repeat", b.Name,
			"%s: %d of %d elements differ between two runs on the same inputs: %s, the first at %s: %s, then %s "+
				"(a race, a missing barrier, or memory read before it is written)",
			b.Name, d.Bad, b.Elements, s.shape(d), place(b, d.First.Index), one, two)
		f.evidence.Bad, f.evidence.Elements = d.Bad, b.Elements
		f.evidence.First = mismatch(b, d.First.Index, two, one, "")
		f.shape = s.shape(d)
		return f
	}
	return nil
}

// explainRepeated runs once more as in the second run, but with descriptors that end where the
// buffers end. Where the outputs are then those of the first run, it was what lies beyond a
// buffer that made the difference.
func (s *session) explainRepeated(ctx context.Context, key string, inputs map[string][]byte, first [][]byte, f *finding) (*finding, error) {
	memory, other, err := s.run(ctx, key, inputs, launch.Fills[1], exactRange)
	if other != nil || err != nil {
		return other, err
	}
	e, b := f.evidence.First, s.buffer(f.evidence.Buffer)
	if s.repeated(first, s.outputs(memory)) != nil || isFloat(b.Type) && e.Got != "NaN" {
		return f, nil
	}
	f.verdict, f.evidence.Check = plugins.OutOfBounds, "range"
	f.evidence.Message = fmt.Sprintf("%s: %d of %d elements depend on memory beyond the end of a buffer, the first at %s: "+
		"%s with nothing there, %s with NaN there (a load is guarded by too large a bound, or by none): %s",
		f.evidence.Buffer, f.evidence.Bad, f.evidence.Elements, place(b, e.Index), e.Expected, e.Got, f.shape)
	return f, nil
}
