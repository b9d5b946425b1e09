package host_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/plugintest"
)

func TestCheckInfo(t *testing.T) {
	describe := func() plugins.Info {
		info, err := plugintest.FakeFamily{}.Describe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	if err := host.CheckInfo(describe()); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*plugins.Info){
		`name "../x"`:              func(i *plugins.Info) { i.Name = "../x" },
		"no parameters":            func(i *plugins.Info) { i.Params = nil },
		"distinct names":           func(i *plugins.Info) { i.Params[1].Name = "BLOCK" },
		"name of a device limit":   func(i *plugins.Info) { i.Fields[0].Name = "subgroup_size" },
		`field "a b"`:              func(i *plugins.Info) { i.Fields[0].Name = "a b" },
		`kind "magic"`:             func(i *plugins.Info) { i.Params[0].Kind = "magic" },
		`type "int64"`:             func(i *plugins.Info) { i.Params[0].Type = "int64" },
		"no values":                func(i *plugins.Info) { i.Params[0].Values = nil },
		"stands twice":             func(i *plugins.Info) { i.Params[0].Values = []plugins.Value{int64(1), int64(1)} },
		"value 0.5 is a float":     func(i *plugins.Info) { i.Params[0].Values = []plugins.Value{0.5} },
		"finite":                   func(i *plugins.Info) { i.Fields[1].Default = math.NaN() },
		"baseline does not set":    func(i *plugins.Info) { delete(i.Baseline, "BLOCK") },
		"the baseline sets n":      func(i *plugins.Info) { i.Baseline["n"] = int64(1) },
		"default 4096 is not":      func(i *plugins.Info) { i.Fields[0].Values = []plugins.Value{int64(1)} },
		"on a float, expected an":  func(i *plugins.Info) { i.Fields[1].Reduced = true },
		"multiple -1":              func(i *plugins.Info) { i.Fields[0].Multiple = -1 },
		"baseline: value x is a s": func(i *plugins.Info) { i.Baseline["BLOCK"] = "x" },
	} {
		info := describe()
		spoil(&info)
		if err := host.CheckInfo(info); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
}

func TestCheckBuild(t *testing.T) {
	build := func() plugins.Build {
		info, _ := plugintest.FakeFamily{}.Describe(t.Context())
		b, err := plugintest.FakeFamily{}.Build(t.Context(), plugintest.ExampleProblem(info), info.Baseline)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if err := host.CheckBuild(build()); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*plugins.Build){
		"no passes":           func(b *plugins.Build) { b.Passes = nil },
		"begin as":            func(b *plugins.Build) { b.Modules[0].SPIRV = b.Modules[0].SPIRV[:16] },
		"little-endian":       func(b *plugins.Build) { b.Modules[0].SPIRV = make([]byte, 40) },
		"module -1":           func(b *plugins.Build) { b.Passes[0].Module = -1 },
		"module 1 of 1":       func(b *plugins.Build) { b.Passes[0].Module = 1 },
		"no entry point":      func(b *plugins.Build) { b.Passes[0].Entry = "" },
		"grid [0 1 1]":        func(b *plugins.Build) { b.Passes[0].Grid[0] = 0 },
		"push constants":      func(b *plugins.Build) { b.Passes[0].Push = []byte{1} },
		"has 3 bytes":         func(b *plugins.Build) { b.Passes[0].Spec[0].Data = []byte{1, 2, 3} },
		"buffer 2 of 2":       func(b *plugins.Build) { b.Passes[0].Bindings[0].Buffer = 2 },
		"bound twice":         func(b *plugins.Build) { b.Passes[0].Bindings[1].Binding = 0 },
		"name x":              func(b *plugins.Build) { b.Buffers[1].Name = "x" },
		"no name":             func(b *plugins.Build) { b.Buffers[0].Name = "" },
		`type "f8"`:           func(b *plugins.Build) { b.Buffers[0].Type = "f8" },
		"0 elements":          func(b *plugins.Build) { b.Buffers[0].Elements = 0 },
		"below 2^63":          func(b *plugins.Build) { b.Buffers[0].Elements = math.MaxInt64 / 2 },
		`role "out"`:          func(b *plugins.Build) { b.Buffers[0].Role = "out" },
		"output or inout":     func(b *plugins.Build) { b.Buffers[1].Role = plugins.Input },
		"does not exist":      func(b *plugins.Build) { b.Reference.Operands = map[string]string{"A": "z"} },
		"finite number":       func(b *plugins.Build) { b.Flops = math.Inf(1) },
		"NaN operations or b": func(b *plugins.Build) { b.Bytes = math.NaN() },
	} {
		b := build()
		spoil(&b)
		if err := host.CheckBuild(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain ö":                          "plain ö",
		"\x1b[31mred\x1b[0m":               "red",
		"\x1b]0;title\x07text":             "text",
		"a\x00b\x08c\u009bd\u202ee":        "abcde",
		"tab\there\r":                      "tab here",
		"bad \xff byte":                    "bad \uFFFD byte",
		strings.Repeat("x", 2000):          strings.Repeat("x", 1000) + "…",
		"\x1b]0;a title that has no end\n": "",
	} {
		if got := host.Printable(in); got != want {
			t.Errorf("%q: %q, expected %q", in, got, want)
		}
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	flood := strings.Repeat(strings.Repeat("x", 99)+"\n", 5000)
	got := host.TailLines(flood+"first\n\n\x1b[2K\nlast without newline", 2)
	if want := []string{"first", "last without newline"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	crash := "driver: assertion failed\nSIGABRT: abort\nPC=0x1\n\ngoroutine 1 [running]:\n" + strings.Repeat("main.f()\n", 50)
	if got, want := host.TailLines(crash, 20), []string{"driver: assertion failed", "SIGABRT: abort", "PC=0x1"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}

func TestWedged(t *testing.T) {
	err := host.KillUnkillable(10 * time.Millisecond)
	var wedged *host.WedgedError
	if !errors.As(err, &wedged) || !strings.Contains(err.Error(), "wedged") {
		t.Errorf("error %v, expected a *WedgedError", err)
	}
}

func TestEnvironment(t *testing.T) {
	env, removed := host.Environment(
		[]string{"HOME=/root", "HK_X=1", "VK_LOADER_LAYERS_ENABLE=*", "VK_ICD_FILENAMES=/icd", "HK_Y=2", "MESA_SHADER_CACHE_DIR=/old", "ODD"},
		[]string{"HK_X", "HK_Y", "HK_Z"}, map[string]string{"HK_Y": "2", "HK_Z": "a=b"}, "/cache")
	want := []string{"HOME=/root", "VK_ICD_FILENAMES=/icd", "ODD", "HK_Y=2", "HK_Z=a=b", "MESA_SHADER_CACHE_DIR=/cache",
		"VK_LOADER_LAYERS_DISABLE=~implicit~"}
	if !slices.Equal(env, want) {
		t.Errorf("environment %q, expected %q", env, want)
	}
	// HK_Y stays as it was: nothing was taken away.
	if want := []string{"HK_X=1", "MESA_SHADER_CACHE_DIR=/old", "VK_LOADER_LAYERS_ENABLE=*"}; !slices.Equal(removed, want) {
		t.Errorf("removed %q, expected %q", removed, want)
	}
}
