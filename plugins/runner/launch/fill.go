package launch

// A Fill is what a run writes before it starts: Poison into every element of outputs, Scratch
// into scratch buffers and shared memory, Canary into the guard bands. Poison and Scratch
// differ: a kernel that hands on uninitialized memory has written its output all the same.
type Fill struct{ Poison, Scratch, Canary uint32 }

// Fills are the patterns of the first and the second run. As f32, and each half as f16 and as
// bf16, all are NaN, so whatever reads poison, or beyond a buffer's end, computes NaN. The
// canaries differ in every byte, so a store that happens to write the first is caught in the
// second run.
var Fills = [2]Fill{
	{Poison: 0x7fed7fed, Scratch: 0x7fda7fda, Canary: 0xffc7ffc9},
	{Poison: 0xffdbffdb, Scratch: 0xffedffed, Canary: 0x7ff17ff3},
}

// Finite is a fill of ordinary numbers in every float type: a third run with it tells an
// element that nobody wrote from one computed out of its own old value.
var Finite = Fill{Poison: 0x42f642f6, Scratch: 0x41c941c9, Canary: Fills[0].Canary}

// Ordinary is the fill of the run on rounded inputs. NaN hides what passes it on: arithmetic
// leaves a canary of NaN as it was when it is read, added to and stored again, and max and min
// drop a NaN for their other operand. So canaries are small numbers here, which every sum
// changes, and uninitialized memory holds numbers larger than any that a kernel computes.
var Ordinary = Fill{Poison: 0x7b7d7b7d, Scratch: 0x7b7b7b7b, Canary: 0x42f242f2}

// CanaryOf is the word in the guard bands of buffer number i. Neighbours differ, so that a
// kernel that reads beyond one buffer and stores what it read beyond another is seen.
func (f Fill) CanaryOf(i int) uint32 { return f.Canary ^ uint32(i&15)*0x00010001 }

// Byte is the byte that a word-wise fill from offset 0 leaves at offset i.
func Byte(word uint32, i int64) byte { return byte(word >> (8 * uint(i&3))) }
