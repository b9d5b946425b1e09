package vkrt_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

func TestTransfer(t *testing.T) {
	d := vkrttest.Device(t)
	for _, kind := range []vkrt.MemoryKind{vkrt.HostVisible, vkrt.DeviceLocal} {
		b := must[*vkrt.Buffer](t)(d.NewBuffer(100_003, kind))
		if kind == vkrt.HostVisible && int64(len(b.Mapped())) != b.Size() {
			t.Errorf("%d bytes are mapped of %d", len(b.Mapped()), b.Size())
		}
		data := make([]byte, 70_001)
		for i := range data {
			data[i] = byte(rand.Uint32())
		}
		check(t, d.Upload(b, 13, data))
		got := make([]byte, len(data))
		check(t, d.Download(b, 13, got))
		if !bytes.Equal(got, data) {
			t.Errorf("kind %d: what was uploaded does not come back", kind)
		}
		check(t, d.Upload(b, b.Size(), nil))
		for _, offset := range []int64{-1, b.Size() - int64(len(data)) + 1, 1 << 62} {
			if d.Upload(b, offset, data) == nil || d.Download(b, offset, got) == nil {
				t.Errorf("offset %d was taken", offset)
			}
		}
		b.Close()
	}
}

func TestBufferRefused(t *testing.T) {
	d := vkrttest.Device(t)
	for _, size := range []int64{0, -1} {
		if b, err := d.NewBuffer(size, vkrt.HostVisible); err == nil {
			b.Close()
			t.Errorf("a buffer of %d bytes was made", size)
		}
	}
	b, err := d.NewBuffer(1<<50, vkrt.DeviceLocal)
	if err == nil {
		b.Close()
	}
	if !errors.Is(err, vkrt.ErrOutOfMemory) {
		t.Errorf("a buffer of 2^50 bytes: error is %v, want ErrOutOfMemory", err)
	}
}
