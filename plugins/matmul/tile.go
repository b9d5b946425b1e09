package matmul

import (
	"fmt"
	"math"

	"github.com/krisptune/krisptune/plugins"
)

// A tile is a configuration, read.
type tile struct {
	blockSize, bm, bn, bk, wm, wn, tm, tn, pad, prefetch int64
	unroll                                               bool
}

// A rule is a condition that a configuration must meet for the kernel to be right, as an
// expression for the core and as a function for Build.
type rule struct {
	expr  string
	holds func(tile) bool
}

// rules are all that the kernel needs. Its copy loops cover slices of any size and its loads
// any depth, so there is none about how BLOCK_SIZE divides them. WM and WN only order
// invocations and need not match a subgroup.
var rules = []rule{
	// Shared memory is read as vectors of four.
	{"TM >= 4 and TM % 4 == 0", func(t tile) bool { return t.tm >= 4 && t.tm%4 == 0 }},
	{"TN >= 4 and TN % 4 == 0", func(t tile) bool { return t.tn >= 4 && t.tn%4 == 0 }},
	{"PAD >= 0 and PAD % 4 == 0", func(t tile) bool { return t.pad >= 0 && t.pad%4 == 0 }},
	// Blocks fill sub-tiles, and sub-tiles the tile.
	{"WM >= TM and WM % TM == 0", func(t tile) bool { return t.wm >= t.tm && t.wm%t.tm == 0 }},
	{"WN >= TN and WN % TN == 0", func(t tile) bool { return t.wn >= t.tn && t.wn%t.tn == 0 }},
	{"BM >= WM and BM % WM == 0", func(t tile) bool { return t.bm >= t.wm && t.bm%t.wm == 0 }},
	{"BN >= WN and BN % WN == 0", func(t tile) bool { return t.bn >= t.wn && t.bn%t.wn == 0 }},
	// Every output has one invocation.
	{"BLOCK_SIZE == (BM // TM) * (BN // TN)", func(t tile) bool { return t.blockSize == (t.bm/t.tm)*(t.bn/t.tn) }},
	{"BK >= 1", func(t tile) bool { return t.bk >= 1 }},
	{"PREFETCH >= 0 and PREFETCH <= 2", func(t tile) bool { return t.prefetch >= 0 && t.prefetch <= 2 }},
}

// shapeConstraints say which combinations of types have a kernel: those of readShape.
var shapeConstraints = []string{
	"b == a",
	`acc == "f32" or a == "f16"`,
}

// limitConstraints keep what a device cannot hold from being enumerated. Elements in shared
// memory have the accumulator's type.
var limitConstraints = []string{
	"BLOCK_SIZE <= max_invocations",
	"BLOCK_SIZE <= max_workgroup_size_x",
	`acc == "f16" or 4 * (1 + PREFETCH // 2) * BK * (BM + BN + 2 * PAD) <= max_shared_memory`,
	`acc == "f32" or 2 * (1 + PREFETCH // 2) * BK * (BM + BN + 2 * PAD) <= max_shared_memory`,
}

// largestParameter bounds every integer parameter: the shader computes in 32 bits.
const largestParameter = math.MaxUint16

func readTile(config plugins.Config) (tile, error) {
	var t tile
	for name, to := range map[string]*int64{"BLOCK_SIZE": &t.blockSize, "BM": &t.bm, "BN": &t.bn, "BK": &t.bk, "WM": &t.wm,
		"WN": &t.wn, "TM": &t.tm, "TN": &t.tn, "PAD": &t.pad, "PREFETCH": &t.prefetch} {
		v, err := config.Int(name)
		if err != nil {
			return t, refuse("%v", err)
		}
		if v > largestParameter {
			return t, refuse("%s = %d, expected at most %d", name, v, largestParameter)
		}
		*to = v
	}
	unroll, ok := config["UNROLL"].(bool)
	if !ok {
		return t, refuse("UNROLL = %v, expected true or false", config["UNROLL"])
	}
	t.unroll = unroll
	for _, r := range rules {
		if !r.holds(t) {
			return t, refuse("configuration %v breaks %s", config, r.expr)
		}
	}
	return t, nil
}

func refuse(format string, args ...any) error {
	return &plugins.RequestError{Reason: fmt.Sprintf(format, args...)}
}
