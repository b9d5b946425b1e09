package guard

import (
	"bytes"

	"github.com/krisptune/krisptune/plugins"
)

// inputs looks for a changed element in what a kernel may only read.
func (s *session) inputs(m *Memory, want map[string][]byte) *finding {
	for i, b := range s.Build.Buffers {
		if b.Role != plugins.Input {
			continue
		}
		got, want := m.Buffers[i].Data, want[b.Name]
		if bytes.Equal(got, want) {
			continue
		}
		size := int(b.Type.Size())
		var bad int64
		first := -1
		for e := 0; e < int(b.Elements); e++ {
			if !bytes.Equal(got[e*size:(e+1)*size], want[e*size:(e+1)*size]) {
				if bad++; first < 0 {
					first = e
				}
			}
		}
		at := mismatch(b, int64(first), text(b.Type, got, first), text(b.Type, want, first), "")
		f := found(plugins.InputModified, "inputs", b.Name, "%s: %d of %d elements of an input changed, the first at %s from %s to %s",
			b.Name, bad, b.Elements, place(b, int64(first)), at.Expected, at.Got)
		f.evidence.Bad, f.evidence.Elements, f.evidence.First = bad, b.Elements, at
		return f
	}
	return nil
}
