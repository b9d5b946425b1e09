// Package vkrttest opens Vulkan devices for tests.
package vkrttest

import (
	"os"
	"testing"

	"github.com/krisptune/krisptune/vkrt"
)

// RequireEnv is the environment variable that turns a missing device from a reason
// to skip into a failure, when it is "1".
const RequireEnv = "KRISPTUNE_REQUIRE_VULKAN"

// DeviceEnv is the environment variable that names the device to test on, as for
// vkrt.Select; unset, the default device.
const DeviceEnv = "KRISPTUNE_TEST_DEVICE"

// Device opens a device for the test and closes it at its end. Without one it
// skips the test, or fails it where RequireEnv is "1".
func Device(t testing.TB) *vkrt.Device {
	return Open(t, vkrt.DeviceOptions{})
}

// Open is Device with options.
func Open(t testing.TB, o vkrt.DeviceOptions) *vkrt.Device {
	t.Helper()
	_, d := OpenIn(t, vkrt.Options{}, o)
	return d
}

// OpenIn is Open in an instance with options; the instance, too, closes at the
// test's end.
func OpenIn(t testing.TB, options vkrt.Options, o vkrt.DeviceOptions) (*vkrt.Instance, *vkrt.Device) {
	t.Helper()
	in, err := vkrt.NewInstance(options)
	if err != nil {
		missing(t, err)
	}
	t.Cleanup(in.Close)
	p, err := choose(in)
	if err != nil {
		missing(t, err)
	}
	d, err := p.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return in, d
}

func choose(in *vkrt.Instance) (*vkrt.PhysicalDevice, error) {
	devices, err := in.PhysicalDevices()
	if err != nil {
		return nil, err
	}
	var caps []vkrt.Caps
	for _, p := range devices {
		caps = append(caps, p.Caps())
	}
	i, err := vkrt.Select(caps, os.Getenv(DeviceEnv))
	if err != nil {
		return nil, err
	}
	return devices[i], nil
}

// missing ends the test for want of Vulkan.
func missing(t testing.TB, err error) {
	t.Helper()
	if os.Getenv(RequireEnv) == "1" {
		t.Fatalf("%v (%s=1)", err, RequireEnv)
	}
	t.Skipf("%v (set %s=1 to fail instead)", err, RequireEnv)
}
