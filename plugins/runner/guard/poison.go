package guard

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
	"github.com/krisptune/krisptune/plugins/runner/launch"
)

// unwritten looks for elements of outputs that still hold their poison after both runs. (One
// that does so after a single run is caught as a difference between the runs.)
func (s *session) unwritten(first, second [][]byte) *finding {
	for i, b := range s.Build.Buffers {
		if b.Role != plugins.Output || !holdsPoison(first[i], b.Type.Size(), launch.Fills[0].Poison) {
			continue
		}
		d := s.kept(b, first[i], second[i])
		if d.Bad == 0 {
			continue
		}
		f := found(plugins.Unwritten, "poison", b.Name, "%s: %d of %d elements unwritten: %s",
			b.Name, d.Bad, b.Elements, s.shape(d))
		f.evidence.Bad, f.evidence.Elements = d.Bad, b.Elements
		f.evidence.First = mismatch(b, d.First.Index, "poison", "a value", "")
		return f
	}
	return nil
}

// kept marks as bad the elements that hold the poison of their run in every one of outputs.
func (s *session) kept(b plugins.Buffer, first, second []byte) *reference.Diff {
	d := reference.NewDiff(b.Name, b)
	size := b.Type.Size()
	// Two words: an element may begin at any byte of one.
	one, two := pattern(launch.Fills[0].Poison, 8), pattern(launch.Fills[1].Poison, 8)
	for e := int64(0); e < b.Elements; e++ {
		at := e * size
		in := at & 3
		got := 0.0
		if bytes.Equal(first[at:at+size], one[in:in+size]) && bytes.Equal(second[at:at+size], two[in:in+size]) {
			got = math.NaN()
		}
		d.Add(e, got, 0, 0)
	}
	return d
}

// confirmUnwritten runs once more from a poison that is an ordinary number. Arithmetic hands a
// NaN's payload on, so an element computed out of its own old value looks unwritten; with an
// ordinary number it changes.
func (s *session) confirmUnwritten(ctx context.Context, key string, inputs map[string][]byte, f *finding) (*finding, error) {
	memory, other, err := s.run(ctx, key, inputs, launch.Finite, exactRange)
	if other != nil || err != nil {
		return other, err
	}
	for i, b := range s.Build.Buffers {
		if b.Name != f.evidence.Buffer || !isFloat(b.Type) {
			continue
		}
		at := f.evidence.First.Index * b.Type.Size()
		got := memory.Buffers[i].Data[at : at+b.Type.Size()]
		if !bytes.Equal(got, pattern(launch.Finite.Poison, 8)[at&3:at&3+b.Type.Size()]) {
			f.verdict, f.evidence.Check = plugins.NaN, "poison"
			f.evidence.First.Got = "NaN"
			f.evidence.Message = f.evidence.Buffer + ": elements are computed from what the output held before the run (" +
				place(b, f.evidence.First.Index) + " first): an accumulator is not reset, or an output is read"
		}
	}
	return f, nil
}

// holdsPoison is a quick test of all elements at once: whether any holds poison after a run.
func holdsPoison(data []byte, size int64, poison uint32) bool {
	switch size {
	case 4:
		for i := 0; i+4 <= len(data); i += 4 {
			if binary.LittleEndian.Uint32(data[i:]) == poison {
				return true
			}
		}
		return false
	case 2:
		for i := 0; i+2 <= len(data); i += 2 {
			if binary.LittleEndian.Uint16(data[i:]) == uint16(poison) {
				return true
			}
		}
		return false
	}
	return true
}
