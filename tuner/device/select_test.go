package device

import (
	"errors"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
)

func TestSelect(t *testing.T) {
	all := []Found{
		{Device: plugins.Device{Index: 0, Name: "llvmpipe (LLVM 15)", DriverName: "llvmpipe", Type: "cpu", UUID: "aa"}},
		{Device: plugins.Device{Index: 1, Name: "Apple M1 (G13G A0)", DriverName: "Honeykrisp", Type: "integrated", UUID: "bb"}},
		{Device: plugins.Device{Index: 2, Name: "NVIDIA H200", DriverName: "NVIDIA", Type: "discrete", UUID: "cc"}},
		{Device: plugins.Device{Index: 3, Name: "NVIDIA H200", DriverName: "NVIDIA", Type: "discrete", UUID: "dd"}},
	}
	for _, test := range []struct {
		want  string
		index int // -1: an error
		says  string
	}{
		{"", 2, ""},
		{"0", 0, ""},
		{"4", -1, "is not there"},
		{"BB", 1, ""},
		{"honeykrisp", 1, ""},
		{"g13g", 1, ""},
		{"H200", -1, "names 2 devices"},
		{"dd", 3, ""},
		{"radeon", -1, "is not there"},
	} {
		got, err := Select(all, test.want)
		if test.index >= 0 {
			if err != nil || got.Index != test.index {
				t.Errorf("Select(%q) = %d, %v; want %d", test.want, got.Index, err, test.index)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("Select(%q): error %v, want one that says %q", test.want, err, test.says)
		}
	}
	if _, err := Select(nil, ""); !errors.Is(err, ErrNone) {
		t.Errorf("no devices: %v", err)
	}
}
