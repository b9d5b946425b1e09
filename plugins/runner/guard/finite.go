package guard

import (
	"encoding/binary"
	"math"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
)

// finite looks for NaN and infinity in every element of the outputs: a reference may compare
// samples only.
func (s *session) finite(check string, outputs [][]byte) *finding {
	for i, b := range s.Build.Buffers {
		if outputs[i] == nil || !holdsNonFinite(b.Type, outputs[i]) {
			continue
		}
		d := reference.NewDiff(b.Name, b)
		for e := range int(b.Elements) {
			v := value(b.Type, outputs[i], e)
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				v = 0
			}
			d.Add(int64(e), v, 0, 0)
		}
		f := found(plugins.NaN, check, b.Name, "%s: %d of %d elements are NaN or infinite: %s; first at %s: %s",
			b.Name, d.Bad, d.Looked, s.shape(d), place(b, d.First.Index), number(d.First.Got))
		f.evidence.Bad, f.evidence.Elements = d.Bad, d.Looked
		f.evidence.First = mismatch(b, d.First.Index, number(d.First.Got), "a finite number", "")
		return f
	}
	return nil
}

// holdsNonFinite is a quick test of all elements at once: in a NaN or infinity every exponent
// bit is set.
func holdsNonFinite(t plugins.ElementType, data []byte) bool {
	switch t {
	case plugins.F32:
		for i := 0; i+4 <= len(data); i += 4 {
			if binary.LittleEndian.Uint32(data[i:])&0x7f800000 == 0x7f800000 {
				return true
			}
		}
	case plugins.F16, plugins.BF16:
		exponent := map[plugins.ElementType]uint16{plugins.F16: 0x7c00, plugins.BF16: 0x7f80}[t]
		for i := 0; i+2 <= len(data); i += 2 {
			if binary.LittleEndian.Uint16(data[i:])&exponent == exponent {
				return true
			}
		}
	}
	return false
}
