package guard

import (
	"bytes"

	"github.com/krisptune/krisptune/plugins"
)

// writes says whether a kernel must leave results in a buffer of this role.
func writes(r plugins.Role) bool { return r == plugins.Output || r == plugins.InOut }

// outputs are the data of every output and inout buffer, by index; others are nil. They alias
// the memory of the run.
func (s *session) outputs(m *Memory) [][]byte {
	out := make([][]byte, len(s.Build.Buffers))
	for i, b := range s.Build.Buffers {
		if writes(b.Role) {
			out[i] = m.Buffers[i].Data
		}
	}
	return out
}

// keepOutputs copies the outputs, for the next run overwrites them.
func (s *session) keepOutputs(m *Memory) [][]byte {
	out := s.outputs(m)
	for i := range out {
		out[i] = bytes.Clone(out[i])
	}
	return out
}

// toBuffers renames what a trial holds by operand to buffer names.
func (s *session) toBuffers(operands map[string][]byte) map[string][]byte {
	out := make(map[string][]byte, len(operands))
	for operand, data := range operands {
		out[s.Trials.BufferOf(operand)] = data
	}
	return out
}

// toOperands names outputs as the trial does.
func (s *session) toOperands(outputs [][]byte) map[string][]byte {
	out := make(map[string][]byte)
	for i, b := range s.Build.Buffers {
		if outputs[i] != nil {
			out[s.Trials.OperandOf(b.Name)] = outputs[i]
		}
	}
	return out
}

// buffer finds a build's buffer by name.
func (s *session) buffer(name string) plugins.Buffer {
	for _, b := range s.Build.Buffers {
		if b.Name == name {
			return b
		}
	}
	return plugins.Buffer{Name: name}
}
