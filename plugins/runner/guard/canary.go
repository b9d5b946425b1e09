package guard

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/launch"
)

// canaries looks for changed bytes in the guard bands and in the pad behind a buffer's data.
func (s *session) canaries(m *Memory, fill launch.Fill) *finding {
	for i, b := range s.Build.Buffers {
		c, band := m.Buffers[i], pattern(fill.CanaryOf(i), launch.Band)
		if n, _, last := changed(c.Front, band); n > 0 {
			before := int64(len(c.Front)) - int64(last)
			return found(plugins.OutOfBounds, "canary", b.Name,
				"%s (%s): %d bytes changed in the guard band before the buffer, the nearest %d bytes before its start",
				b.Name, b.Role, n, before)
		}
		// The pad holds what its words were filled with, or zero behind inputs.
		word := map[plugins.Role]uint32{plugins.Output: fill.Poison, plugins.Scratch: fill.Scratch}[b.Role]
		pad := make([]byte, len(c.Pad))
		for j := range pad {
			pad[j] = launch.Byte(word, int64(len(c.Data)+j))
		}
		padBad, padFirst, _ := changed(c.Pad, pad)
		n, first, _ := changed(c.Back, band)
		if padBad+n == 0 {
			continue
		}
		past := int64(len(c.Pad) + first)
		if padBad > 0 {
			past = int64(padFirst)
		}
		return found(plugins.OutOfBounds, "canary", b.Name,
			"%s (%s): %d bytes changed in the guard band after the buffer, the first %d bytes past its end%s",
			b.Name, b.Role, padBad+n, past, where(b, b.Elements+past/b.Type.Size()))
	}
	return nil
}

// where names the element at index, one past a buffer's end or beyond, by row and column.
func where(b plugins.Buffer, index int64) string {
	if b.Rows <= 0 {
		return fmt.Sprintf(" (element %d of %d)", index, b.Elements)
	}
	return fmt.Sprintf(" (where row %d, column %d would be; the buffer has %d rows of %d)",
		index/b.Rows, index%b.Rows, (b.Elements+b.Rows-1)/b.Rows, b.Rows)
}

// changed counts the bytes of got that differ from want, and gives the first and the last.
func changed(got, want []byte) (n, first, last int) {
	if bytes.Equal(got, want) {
		return 0, 0, 0
	}
	first = -1
	for i := range got {
		if got[i] != want[i] {
			if first < 0 {
				first = i
			}
			n, last = n+1, i
		}
	}
	return n, first, last
}

// pattern is a word repeated over size bytes.
func pattern(word uint32, size int) []byte {
	out := make([]byte, size)
	for i := 0; i+4 <= size; i += 4 {
		binary.LittleEndian.PutUint32(out[i:], word)
	}
	return out
}
