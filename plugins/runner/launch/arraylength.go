package launch

import (
	"encoding/binary"

	"github.com/krisptune/krisptune/plugins"
)

// AsksLength says whether a module asks for the length of a buffer (OpArrayLength, SPIR-V
// specification section 3.49.8). Such a kernel may rightly use all that its descriptor covers,
// so the range must be exact.
func AsksLength(m plugins.Module) bool {
	const header, opArrayLength = 5, 68
	for at := header; 4*at+4 <= len(m.SPIRV); {
		word := binary.LittleEndian.Uint32(m.SPIRV[4*at:])
		if word&0xffff == opArrayLength {
			return true
		}
		count := int(word >> 16)
		if count == 0 {
			return true // not a module that can be read: take no chances
		}
		at += count
	}
	return false
}
