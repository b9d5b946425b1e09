package guard

import "hash/maphash"

var digestSeed = maphash.MakeSeed()

// Digest hashes outputs, in order. It is comparable within the process only.
func Digest(outputs [][]byte) uint64 {
	var h maphash.Hash
	h.SetSeed(digestSeed)
	for _, data := range outputs {
		h.Write(data)
	}
	return h.Sum64()
}
