package vkrt_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
	vk "github.com/vulkan-go/vulkan"
)

func TestElapsed(t *testing.T) {
	for _, test := range []struct {
		name       string
		start, end uint64
		bits       uint32
		period     float64
		want       time.Duration
	}{
		{"plain", 100, 350, 64, 1, 250},
		{"nothing", 7, 7, 64, 1, 0},
		{"period", 0, 24, 64, 1000 / 24.0, 1000},
		{"fractions are rounded", 0, 3, 64, 0.5, 2},
		{"36 bits wrap", 1<<36 - 10, 15, 36, 1, 25},
		{"48 bits wrap", 1<<48 - 1, 0, 48, 2, 2},
		{"64 bits wrap", math.MaxUint64 - 4, 5, 64, 1, 10},
		{"bits above the valid ones are noise", 1<<40 | 5, 1<<50 | 9, 36, 1, 4},
		{"longer than a Duration", 0, math.MaxUint64, 64, 1, math.MaxInt64},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := vkrt.Elapsed(test.start, test.end, test.bits, test.period); got != test.want {
				t.Errorf("Elapsed(%d, %d, %d, %g) = %d ns, want %d", test.start, test.end, test.bits, test.period, got, test.want)
			}
		})
	}
}

// measureSpin returns the shortest time of a dispatch of testdata/spin.comp by the
// device's clock, of seven, and the host's time around the same one.
func measureSpin(t *testing.T, d *vkrt.Device, n int32) (device, host time.Duration) {
	t.Helper()
	m := must[*vkrt.Module](t)(d.NewModule(spinSPIRV))
	defer m.Close()
	bindings := []vkrt.Binding{{}}
	p := must[*vkrt.Pipeline](t)(d.NewPipeline(vkrt.PipelineInfo{Module: m, Entry: "main", Bindings: bindings, PushBytes: 4}))
	defer p.Close()
	out := must[*vkrt.Buffer](t)(d.NewBuffer(4*64, vkrt.DeviceLocal))
	defer out.Close()
	b := must[*vkrt.Bindings](t)(d.NewBindings(p, []vkrt.BoundBuffer{{Buffer: out}}))
	defer b.Close()
	ts := must[*vkrt.Timestamps](t)(d.NewTimestamps(2))
	defer ts.Close()
	r := must[*vkrt.Recorder](t)(d.NewRecorder())
	defer r.Close()
	check(t, r.Begin())
	r.Timestamp(ts, 0)
	r.Barrier()
	r.Dispatch(p, b, int32s(1, func(int) int32 { return n }), 1, 1, 1)
	r.Timestamp(ts, 1)
	check(t, r.End())
	device = math.MaxInt64
	for range 7 {
		check(t, ts.Reset())
		begin := time.Now()
		check(t, d.Submit(r, testDeadline))
		around := time.Since(begin)
		ticks := must[[]uint64](t)(ts.Read())
		limits := d.Caps().Limits
		took := vkrt.Elapsed(ticks[0], ticks[1], limits.TimestampValidBits, limits.TimestampPeriod)
		if took < device {
			device, host = took, around
		}
	}
	return device, host
}

func TestTimestampsMeasure(t *testing.T) {
	d := vkrttest.Device(t)
	if d.Caps().Limits.TimestampValidBits == 0 {
		t.Skip("the device has no timestamps")
	}
	// Steps low enough for lavapipe 22.3, which ends loops after 65,535.
	short, _ := measureSpin(t, d, 100)
	long, host := measureSpin(t, d, 60000)
	t.Logf("100 steps %v, 60000 steps %v on the device and %v on the host", short, long, host)
	if long < 10*short {
		t.Errorf("600 times the work takes %v against %v", long, short)
	}
	if long > host {
		t.Errorf("%v by the device's clock, %v by the host's around it", long, host)
	}
}

func TestTimestampsNotWritten(t *testing.T) {
	d := vkrttest.Device(t)
	if d.Caps().Limits.TimestampValidBits == 0 {
		t.Skip("the device has no timestamps")
	}
	ts := must[*vkrt.Timestamps](t)(d.NewTimestamps(2))
	defer ts.Close()
	_, err := ts.Read()
	var result *vkrt.ResultError
	if !errors.As(err, &result) || result.Result != vk.NotReady {
		t.Errorf("error is %v, want VK_NOT_READY", err)
	}
	r := must[*vkrt.Recorder](t)(d.NewRecorder())
	defer r.Close()
	check(t, r.Begin())
	r.Timestamp(ts, 2)
	if r.End() == nil {
		t.Error("slot 2 of 2 was taken")
	}
}
