package launch

import (
	"encoding/binary"
	"fmt"
	"runtime"

	"github.com/krisptune/krisptune/plugins/runner/kernel"
	"github.com/krisptune/krisptune/vkrt"
)

// A SharedPoison fills the shared memory of the whole device, so that a kernel that reads it
// before writing meets NaN. Each run also leaves a marker of its own: a device that reports
// success and executes nothing is seen by its absence.
type SharedPoison struct {
	pipeline *vkrt.Pipeline
	module   *vkrt.Module
	bindings *vkrt.Bindings
	sink     *vkrt.Buffer
	groups   uint32
	recorded uint32 // groups of the last run
	words    uint32
	runs     uint32
	expected uint32
}

// Workgroups of the poison kernel: enough to touch every core several times over. On a CPU
// device a core is a thread with memory of its own, which takes part in a dispatch only if it
// wakes before the others have done all of it: each gets about half a millisecond of work.
const (
	gpuGroups = 2048
	cpuGroups = 128 // for each CPU
	// mostThreads is how many threads Mesa's CPU driver has at most (LP_MAX_THREADS).
	mostThreads = 16
	// lightGroups are those of a run that only needs the marker, one for every thread that the
	// kernel waits for.
	lightGroups = mostThreads
)

// NewSharedPoison builds the kernel for a device's limits.
func NewSharedPoison(device *vkrt.Device, caps vkrt.Caps) (*SharedPoison, error) {
	local := uint32(min(256, caps.Limits.MaxInvocations, int(caps.Limits.MaxWorkgroupSize[0])))
	s := &SharedPoison{groups: gpuGroups, words: uint32(caps.Limits.SharedMemory / 4)}
	peers := uint32(0)
	if caps.Type == "cpu" {
		peers = uint32(min(runtime.NumCPU(), mostThreads))
		s.groups = uint32(cpuGroups * runtime.NumCPU())
	}
	fail := func(err error) (*SharedPoison, error) {
		s.Close()
		return nil, fmt.Errorf("shared-memory poison: %w", err)
	}
	var err error
	if s.module, err = device.NewModule(kernel.Poison); err != nil {
		return fail(err)
	}
	at := vkrt.Binding{}
	s.pipeline, err = device.NewPipeline(vkrt.PipelineInfo{
		Module: s.module, Entry: "main", Bindings: []vkrt.Binding{at}, PushBytes: 16,
		Spec: []vkrt.SpecConstant{{ID: 0, Data: word(local)}, {ID: 1, Data: word(s.words)}, {ID: 2, Data: word(peers)}},
	})
	if err != nil {
		return fail(err)
	}
	if s.sink, err = device.NewBuffer(4*int64(s.groups+1), vkrt.HostVisible); err != nil {
		return fail(err)
	}
	s.bindings, err = device.NewBindings(s.pipeline, []vkrt.BoundBuffer{{Binding: at, Buffer: s.sink, Range: s.sink.Size()}})
	if err != nil {
		return fail(err)
	}
	return s, nil
}

// Record fills all shared memory with the word poison. A barrier must follow. Where
// light, only a few workgroups run, whose markers show that the device executes.
func (s *SharedPoison) Record(rec *vkrt.Recorder, poison uint32, light bool) {
	if s.recorded = s.groups; light {
		s.recorded = min(s.groups, lightGroups)
	}
	s.runs++
	nonce := s.runs * 2654435761 // Knuth's multiplicative hash: no two runs in a row share bits
	s.expected = poison ^ nonce
	push := binary.LittleEndian.AppendUint32(nil, poison)
	push = binary.LittleEndian.AppendUint32(push, nonce)
	push = binary.LittleEndian.AppendUint32(push, nonce%s.words)
	push = binary.LittleEndian.AppendUint32(push, 0)
	rec.Fill(s.sink, 4*int64(s.groups), 4, 0) // how many workgroups have begun
	rec.Barrier()
	rec.Dispatch(s.pipeline, s.bindings, push, s.recorded, 1, 1)
}

// Executed says whether every workgroup of the last recorded run left its marker.
func (s *SharedPoison) Executed() bool {
	sink := s.sink.Mapped()
	for i := uint32(0); i < s.recorded; i++ {
		if binary.LittleEndian.Uint32(sink[4*i:]) != s.expected {
			return false
		}
	}
	return true
}

// Close frees the kernel.
func (s *SharedPoison) Close() {
	if s.bindings != nil {
		s.bindings.Close()
	}
	if s.sink != nil {
		s.sink.Close()
	}
	if s.pipeline != nil {
		s.pipeline.Close()
	}
	if s.module != nil {
		s.module.Close()
	}
}

func word(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }
