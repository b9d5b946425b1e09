package vkrt

import (
	"os"
	"testing"
	"time"
)

// Few drivers have mapped memory that is not coherent, so a coherent buffer is
// declared not to be: flushing it is legal, and the validation layer looks on.
func TestSubmitFlushesIncoherentMemory(t *testing.T) {
	in, err := NewInstance(Options{Validate: true})
	if err != nil && os.Getenv("KRISPTUNE_REQUIRE_VULKAN") == "1" {
		t.Fatal(err)
	} else if err != nil {
		t.Skip(err)
	}
	defer in.Close()
	devices, err := in.PhysicalDevices()
	if err != nil || len(devices) == 0 {
		t.Skipf("no device (%v)", err)
	}
	d, err := devices[0].Open(DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for i := range d.memory {
		d.memory[i] &^= hostCoherent
	}
	b, err := d.NewBuffer(10, HostVisible)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.incoherent) != 1 {
		t.Errorf("%d buffers need flushing, want 1", len(d.incoherent))
	}
	r, err := d.NewRecorder()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Begin(); err != nil {
		t.Fatal(err)
	}
	r.Fill(b, 0, 8, 0x07070707)
	r.HostBarrier()
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	b.Mapped()[9] = 3
	if err := d.Submit(r, 10*time.Second); err != nil {
		t.Fatal(err)
	}
	if m := b.Mapped(); m[0] != 7 || m[7] != 7 || m[9] != 3 {
		t.Errorf("buffer is % x", m)
	}
	b.Close()
	if len(d.incoherent) != 0 {
		t.Error("a closed buffer would be flushed")
	}
	for _, m := range in.Messages() {
		t.Errorf("%s: %s", m.ID, m.Text)
	}
}

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
