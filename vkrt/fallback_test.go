package vkrt

import (
	"os"
	"testing"
	"time"
)

// openForFallbacks opens the first device under the validation layer, which looks on
// while a test makes vkrt believe that the driver has less than it does. The
// messages are checked at the test's end.
func openForFallbacks(t *testing.T) *Device {
	t.Helper()
	in, err := NewInstance(Options{Validate: true})
	if err != nil && os.Getenv("KRISPTUNE_REQUIRE_VULKAN") == "1" {
		t.Fatal(err)
	} else if err != nil {
		t.Skip(err)
	}
	t.Cleanup(in.Close)
	devices, err := in.PhysicalDevices()
	if err != nil || len(devices) == 0 {
		t.Skipf("no device (%v)", err)
	}
	d, err := devices[0].Open(DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		d.Close()
		for _, m := range in.Messages() {
			t.Errorf("%s: %s", m.ID, m.Text)
		}
	})
	return d
}

// A driver without host query reset gets a submit of its own for each reset.
func TestTimestampsResetOnDevice(t *testing.T) {
	d := openForFallbacks(t)
	if d.caps.Limits.TimestampValidBits == 0 {
		t.Skip("the device has no timestamps")
	}
	d.c.ResetQueryPool = nil
	ts, err := d.NewTimestamps(2)
	if err != nil {
		t.Fatal(err)
	}
	defer ts.Close()
	r, err := d.NewRecorder()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Begin(); err != nil {
		t.Fatal(err)
	}
	r.Timestamp(ts, 0)
	r.Barrier()
	r.Timestamp(ts, 1)
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := ts.Read(); err == nil {
			t.Error("slots were read after a reset")
		}
		if err := d.Submit(r, 10*time.Second); err != nil {
			t.Fatal(err)
		}
		ticks, err := ts.Read()
		if err != nil || ticks[1] < ticks[0] {
			t.Fatalf("ticks %d, %v", ticks, err)
		}
		if err := ts.Reset(); err != nil {
			t.Fatal(err)
		}
	}
}

// Few drivers have mapped memory that is not coherent, so a coherent buffer is
// declared not to be: flushing it is legal, and the validation layer looks on.
func TestSubmitFlushesIncoherentMemory(t *testing.T) {
	d := openForFallbacks(t)
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
}
