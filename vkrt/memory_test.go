package vkrt

import "testing"

func TestChooseMemory(t *testing.T) {
	discrete := []memoryType{ // the order of NVIDIA's driver
		0, deviceLocal, hostVisible | hostCoherent, hostVisible | hostCoherent | hostCached,
		deviceLocal | hostVisible | hostCoherent,
	}
	unified := []memoryType{deviceLocal | hostVisible | hostCoherent, deviceLocal | hostVisible | hostCoherent | hostCached}
	amd := []memoryType{deviceLocal | hostVisible | hostCoherent | 0x40, hostVisible | hostCoherent}
	for _, test := range []struct {
		name    string
		types   []memoryType
		allowed uint32
		kind    MemoryKind
		unified bool
		want    int
	}{
		{"staging on a discrete card is cached", discrete, ^uint32(0), HostVisible, false, 3},
		{"without the cached type", discrete, 0b10111, HostVisible, false, 2},
		{"only the window is left", discrete, 0b10010, HostVisible, false, 4},
		{"device-local is not the window", discrete, ^uint32(0), DeviceLocal, false, 1},
		{"device-local falls back to the window", discrete, 0b11100, DeviceLocal, false, 4},
		{"device-local falls back to the host", discrete, 0b00001, DeviceLocal, false, 0},
		{"unified, for the host", unified, ^uint32(0), HostVisible, true, 1},
		{"unified, for the device", unified, ^uint32(0), DeviceLocal, true, 1},
		{"flags for other purposes are passed over", amd, ^uint32(0), HostVisible, true, 1},
		{"nothing is mapped", discrete, 0b00011, HostVisible, false, -1},
		{"cached without coherent is taken before uncached",
			[]memoryType{hostVisible | hostCoherent, hostVisible | hostCached}, 3, HostVisible, false, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := chooseMemory(test.types, test.allowed, test.kind, test.unified); got != test.want {
				t.Errorf("type %d, want %d", got, test.want)
			}
		})
	}
}
