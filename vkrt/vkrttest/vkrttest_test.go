package vkrttest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

// TestOpens is what the tests below run again, with and without a driver.
func TestOpens(t *testing.T) {
	if vkrttest.Device(t).Caps().Name == "" {
		t.Error("the device has no name")
	}
}

func withoutDriver(t *testing.T, require string) (string, error) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestOpens$", "-test.v")
	cmd.Env = append(os.Environ(), "VK_DRIVER_FILES=/nowhere.json", "VK_ICD_FILENAMES=/nowhere.json",
		vkrttest.RequireEnv+"="+require)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestSkipsWithoutDevice(t *testing.T) {
	out, err := withoutDriver(t, "")
	if err != nil || !strings.Contains(out, "--- SKIP: TestOpens") || !strings.Contains(out, "no Vulkan") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestFailsWithoutDeviceWhereRequired(t *testing.T) {
	out, err := withoutDriver(t, "1")
	if err == nil || !strings.Contains(out, "--- FAIL: TestOpens") || !strings.Contains(out, "no Vulkan") {
		t.Errorf("%v\n%s", err, out)
	}
}
