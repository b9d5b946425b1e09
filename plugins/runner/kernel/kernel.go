// Package kernel holds the runner's own kernels: those that test the device and prepare it,
// never those under test. Each binary lies beside its source.
package kernel

import _ "embed"

//go:generate sh -c "$(../../../shaders/toolchain.sh) --target-env=vulkan1.1 -O0 poison.comp -o poison.spv"
//go:generate sh -c "$(../../../shaders/toolchain.sh) --target-env=vulkan1.1 -O0 spin.comp -o spin.spv"
//go:generate sh -c "$(../../../shaders/toolchain.sh) --target-env=vulkan1.1 -O0 empty.comp -o empty.spv"
//go:generate sh -c "$(../../../shaders/toolchain.sh) --target-env=vulkan1.1 -O copy.comp -o copy.spv"
//go:generate sh -c "$(../../../shaders/toolchain.sh) --target-env=vulkan1.1 -O multiplyadd.comp -o multiplyadd.spv"
//go:generate sh -c "$(../../../shaders/toolchain.sh) --target-env=vulkan1.1 -O0 sweep.comp -o sweep.spv"

// Poison fills shared memory with a word. Specialization constants: 0 the local size,
// 1 the words of shared memory, 2 how many workgroups wait for each other. Push constants: word, nonce, probe, 0. It stores
// word XOR nonce for each workgroup at (0, 0), and behind them counts in a word that starts at 0.
//
//go:embed poison.spv
var Poison []byte

// Spin loops. Push constant: the iterations per invocation, 64 invocations a workgroup. It
// stores two words for each workgroup at (0, 0): the iterations done and the final state.
//
//go:embed spin.spv
var Spin []byte

// Sweep reads all of the buffer at (0, 0), which holds zeros, in units of 16 bytes, with 256
// invocations a workgroup. Push constants: the units, and the number of invocations. The buffer
// at (0, 1) holds one word and is not written.
//
//go:embed sweep.spv
var Sweep []byte

// Empty does nothing and binds nothing.
//
//go:embed empty.spv
var Empty []byte

// Copy copies the buffer at (0, 0) to that at (0, 1), both of 16-byte vectors. Push constants:
// how many vectors, and the number of invocations dispatched.
//
//go:embed copy.spv
var Copy []byte

// MultiplyAdd does 64 f32 operations an iteration in each of 256 invocations a workgroup and
// stores nothing at (0, 0). Push constants: iterations, and a factor, an f32 of 0.
//
//go:embed multiplyadd.spv
var MultiplyAdd []byte
