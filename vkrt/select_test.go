package vkrt

import (
	"errors"
	"strings"
	"testing"
)

func TestSelect(t *testing.T) {
	caps := []Caps{
		{Name: "llvmpipe (LLVM 15.0.6, 256 bits)", DriverName: "llvmpipe", Type: "cpu", DeviceUUID: "6d657361000000000000000000000000"},
		{Name: "Apple M1 (G13G A0)", DriverName: "Honeykrisp", Type: "integrated", DeviceUUID: "00112233445566778899aabbccddeeff"},
		{Name: "NVIDIA H200", DriverName: "NVIDIA", Type: "discrete", DeviceUUID: "aa"},
		{Name: "NVIDIA H200 NVL", DriverName: "NVIDIA", Type: "discrete", DeviceUUID: "ab"},
	}
	for _, test := range []struct {
		want string
		caps []Caps
		i    int
		err  string
	}{
		{"", caps, 2, ""},
		{"", caps[:2], 1, ""},
		{"", caps[:1], 0, ""},
		{"", nil, 0, "no Vulkan device"},
		{"0", caps, 0, ""},
		{"3", caps, 3, ""},
		{"4", caps, 0, `no device "4"`},
		{"apple", caps, 1, ""},
		{"NVIDIA H200", caps, 2, ""}, // a whole name beats part of another
		{"NVL", caps, 3, ""},
		{"honeykrisp", caps, 1, ""},
		{"00112233-4455-6677-8899-AABBCCDDEEFF", caps, 1, ""},
		{"h200", caps, 0, "matches 2 devices"},
		{"radeon", caps, 0, "1: Apple M1 (G13G A0) (Honeykrisp)"},
	} {
		i, err := Select(test.caps, test.want)
		if test.err == "" {
			if err != nil || i != test.i {
				t.Errorf("Select(%q) = %d, %v, want %d", test.want, i, err, test.i)
			}
			continue
		}
		var selectErr *SelectError
		if !errors.As(err, &selectErr) || !strings.Contains(err.Error(), test.err) {
			t.Errorf("Select(%q): error is %v, want one with %q", test.want, err, test.err)
		}
	}
}

func TestDriverVersion(t *testing.T) {
	for _, test := range []struct {
		driver int
		vendor uint32
		v      uint32
		want   string
	}{
		{13, 0x10005, 22<<22 | 3<<12 | 6, "22.3.6"},
		{26, 0x10005, 26<<22 | 1<<12 | 6, "26.1.6"},
		{4, 0x10de, 570<<22 | 86<<14 | 15<<6, "570.86.15"},
		{4, 0x10de, 550<<22 | 54<<14, "550.54"},
		{4, 0x10de, 550<<22 | 5<<14 | 2<<6 | 1, "550.05.02.01"},
		{24, 0x10de, 25<<22 | 0<<12 | 7, "25.0.7"}, // NVK counts as Mesa does
		{0, 0x10de, 390<<22 | 157<<14, "390.157"},  // too old to give its id
		{5, 0x8086, 101<<14 | 5333, "101.5333"},
		{6, 0x8086, 23<<22 | 2<<12 | 1, "23.2.1"},
	} {
		if got := driverVersion(test.driver, test.vendor, test.v); got != test.want {
			t.Errorf("driverVersion(%d, %#x, %#x) = %q, want %q", test.driver, test.vendor, test.v, got, test.want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"llvmpipe (LLVM 15.0.6)": "llvmpipe (LLVM 15.0.6)",
		"a\x1b[2Jb\x00c":         "a[2Jbc",
		"line\nline\tx":          "line line x",
		"Café\u202e gpu\xff":     "Café gpu",
	} {
		if got := printable(in); got != want {
			t.Errorf("printable(%q) = %q, want %q", in, got, want)
		}
	}
}
