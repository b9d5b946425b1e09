package guard

import (
	"bytes"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
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
				"(a race, a missing barrier, memory read before it is written, or a read beyond a buffer's end)",
			b.Name, d.Bad, b.Elements, s.shape(d), place(b, d.First.Index), one, two)
		f.evidence.Bad, f.evidence.Elements = d.Bad, b.Elements
		f.evidence.First = mismatch(b, d.First.Index, two, one, "")
		return f
	}
	return nil
}
