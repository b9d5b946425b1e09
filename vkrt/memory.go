package vkrt

// #include "calls.h"
import "C"

import vk "github.com/vulkan-go/vulkan"

// MemoryKind says who reads and writes a buffer.
type MemoryKind int

const (
	// HostVisible memory is mapped for the buffer's life.
	HostVisible MemoryKind = iota
	// DeviceLocal memory is the device's fastest. On unified memory it is mapped
	// too, where the driver has such a type.
	DeviceLocal
)

// A memoryType is the property flags of one Vulkan memory type; its place in the
// list is its index.
type memoryType vk.MemoryPropertyFlags

const (
	deviceLocal  = memoryType(vk.MemoryPropertyDeviceLocalBit)
	hostVisible  = memoryType(vk.MemoryPropertyHostVisibleBit)
	hostCoherent = memoryType(vk.MemoryPropertyHostCoherentBit)
	hostCached   = memoryType(vk.MemoryPropertyHostCachedBit)
	// Types beyond these four (lazily allocated, protected, AMD's uncached) are for
	// purposes that buffers here do not have.
	plainMemory = deviceLocal | hostVisible | hostCoherent | hostCached
)

func memoryTypes(p *C.vkrt_physical) []memoryType {
	var out []memoryType
	for _, t := range p.memory.memoryTypes[:p.memory.memoryTypeCount] {
		out = append(out, memoryType(t.propertyFlags))
	}
	return out
}

// chooseMemory returns the index of the best type among allowed (a bit per type),
// or -1. The first of equals wins, as drivers list them by preference.
func chooseMemory(types []memoryType, allowed uint32, kind MemoryKind, unified bool) int {
	best, bestScore := -1, -1
	for i, t := range types {
		if allowed>>i&1 == 0 || t&^plainMemory != 0 {
			continue
		}
		if score := scoreMemory(t, kind, unified); score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// scoreMemory ranks a memory type, -1 for one that will not do. Cached memory
// comes before coherent: reading results back from write-combined memory is slow.
func scoreMemory(t memoryType, kind MemoryKind, unified bool) int {
	mapped := t&hostVisible != 0
	score := 0
	if mapped && t&hostCached != 0 {
		score += 2
	}
	if mapped && t&hostCoherent != 0 {
		score++
	}
	switch {
	case kind == HostVisible && !mapped:
		return -1
	case kind == HostVisible:
		// On a discrete card, device-local and mapped is a narrow window across the bus.
		if (t&deviceLocal != 0) == unified {
			score += 4
		}
	case t&deviceLocal == 0:
		return 0 // legal, and all that is left when the device's own memory has no type for it
	case unified && mapped:
		score += 8
	case mapped:
		score = 4
	default:
		score = 7
	}
	return score
}
