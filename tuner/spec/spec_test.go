package spec

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krisptune/krisptune/configs"
	"github.com/krisptune/krisptune/plugins"
)

var update = flag.Bool("update", false, "write testdata/bad.golden")

// family is a matmul with one parameter of each type.
var family = plugins.Info{
	Name: "matmul",
	Fields: []plugins.Field{
		{Name: "m", Type: plugins.Int, Min: 1},
		{Name: "n", Type: plugins.Int, Min: 1},
		{Name: "k", Type: plugins.Int, Min: 1, Multiple: 4},
		{Name: "a", Type: plugins.String, Values: []plugins.Value{"f32", "f16"}, Default: "f32"},
	},
	Params: []plugins.Param{
		{Name: "BLOCK_SIZE", Kind: plugins.Spec, Type: plugins.Int, Values: []plugins.Value{int64(32), int64(64)}},
		{Name: "BM", Kind: plugins.Spec, Type: plugins.Int, Values: []plugins.Value{int64(16), int64(32), int64(64)}},
		{Name: "ALPHA", Kind: plugins.Host, Type: plugins.Float, Values: []plugins.Value{0.5, 1.0, 2.0}},
		{Name: "UNROLL", Kind: plugins.Define, Type: plugins.Bool, Values: []plugins.Value{false, true}},
	},
	Constraints: []string{"BM <= 64"},
	Baseline:    plugins.Config{"BLOCK_SIZE": int64(64), "BM": int64(64), "ALPHA": 1.0, "UNROLL": false},
}

// open loads and binds a file as the command line would.
func open(path string) (*Bound, error) {
	s, err := Load(path)
	if err != nil {
		return nil, err
	}
	return s.Bind(family, Options{AllowSettings: []string{"X"}})
}

// TestBad holds the message of every bad spec against testdata/bad.golden.
func TestBad(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d bad specs, error %v", len(files), err)
	}
	var got bytes.Buffer
	for _, f := range files {
		_, err := open(f)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: accepted, or not an *Error: %v", f, err)
			continue
		}
		if e.Line < 1 || e.Column < 1 {
			t.Errorf("%s: no position in %v", f, err)
		}
		if e.Expected == "" {
			t.Errorf("%s: nothing expected in %v", f, err)
		}
		line := strings.TrimPrefix(filepath.ToSlash(err.Error()), "testdata/bad/")
		if strings.ContainsAny(line, "\n\r\x1b") {
			t.Errorf("%s: the message is not one clean line: %q", f, line)
		}
		got.WriteString(line + "\n")
	}
	if *update {
		if err := os.WriteFile("testdata/bad.golden", got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/bad.golden")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Error(diff)
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.toml")
	if err := os.WriteFile(large, bytes.Repeat([]byte("#"), MaxSize+1), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none.toml"): ": cannot open: no such file or directory, expected a spec file that can be read",
		dir:                             ": cannot read: it is a folder, expected a spec file that can be read",
		large:                           ": the spec is too large, expected at most 1 MiB",
	} {
		_, err := Load(path)
		var e *Error
		if !errors.As(err, &e) || err.Error() != path+want {
			t.Errorf("got %v, want %s", err, path+want)
		}
	}
}

func TestFull(t *testing.T) {
	b, err := open("testdata/good/full.toml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Problem{
		{plugins.Problem{"m": int64(4096), "n": int64(512), "k": int64(4096), "a": "f16"}, 1},
		{plugins.Problem{"m": int64(64), "n": int64(64), "k": int64(64), "a": "f32"}, 0.25},
	}, b.Problems); diff != "" {
		t.Error(diff)
	}
	domains := map[string][]plugins.Value{}
	for _, p := range b.Params {
		domains[p.Name] = p.Values
	}
	if diff := cmp.Diff(map[string][]plugins.Value{
		"BLOCK_SIZE": {int64(32), int64(64)}, "BM": {int64(64), int64(32)}, "ALPHA": {1.0, 0.5}, "UNROLL": {false, true},
	}, domains); diff != "" {
		t.Error(diff)
	}
	if got, want := b.Baseline.String(), "ALPHA=1.0,BLOCK_SIZE=64,BM=16,UNROLL=true"; got != want {
		t.Errorf("baseline %s, want %s", got, want)
	}
	settings := b.Settings
	for i := range settings {
		settings[i].At, settings[i].values = Position{}, nil
	}
	if diff := cmp.Diff([]Setting{
		{Name: "HK_LAZY_BARRIER", Kind: Enumeration, Values: []string{"0", "1"}},
		{Name: "HK_PERFTEST", Kind: Flags, Values: []string{"batch", "norobust"}},
		{Name: "HK_CDMBARBITS", Kind: Mask, Bits: 3, Stock: 7},
		{Name: "X", Kind: Presence},
	}, settings, cmp.AllowUnexported(Setting{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"HK_PERFTEST": "batch"}, b.BaselineSettings); diff != "" {
		t.Error(diff)
	}
	b.Search.StrategyAt = Position{}
	if want := (Search{Strategy: "random", Budget: Budget{Duration: 20 * time.Minute}, Seed: 7, Memory: true}); b.Search != want {
		t.Errorf("search %+v, want %+v", b.Search, want)
	}
	if len(b.Warnings) != 2 || !strings.Contains(b.Warnings[0], "HK_LAZY_BARRIER is read by patched drivers only") {
		t.Errorf("warnings %q", b.Warnings)
	}
}

// TestConstraintPositions follows bytes of a constraint back to the file through each of
// TOML's string forms.
func TestConstraintPositions(t *testing.T) {
	b, err := open("testdata/good/full.toml")
	if err != nil {
		t.Fatal(err)
	}
	file := "testdata/good/full.toml"
	for _, test := range []struct {
		constraint int
		find       string
		want       Position
	}{
		{0, "64", Position{"<constraints of family matmul>", 1, 7}},
		{1, "BLOCK_SIZE", Position{file, 2, 27}},
		{2, `"x"`, Position{file, 2, 46}},
		{3, "BM", Position{file, 4, 3}},
		{3, "0", Position{file, 5, 6}},
	} {
		c := b.Constraints[test.constraint]
		offset := strings.Index(c.String, test.find)
		if offset < 0 {
			t.Fatalf("constraint %d is %q", test.constraint, c.String)
		}
		if got := c.At(offset); got != test.want {
			t.Errorf("constraint %d, %s: at %+v, want %+v", test.constraint, test.find, got, test.want)
		}
		if past := c.At(len(c.String) + 10); past.Line == 0 {
			t.Errorf("constraint %d: no position past its end", test.constraint)
		}
	}
	if !b.Constraints[0].Family || b.Constraints[1].Family {
		t.Error("the family's constraints come first and are marked")
	}
}

func TestDefaults(t *testing.T) {
	for _, name := range []string{"minimal", "inline"} {
		b, err := open("testdata/good/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		if b.Baseline.String() != family.Baseline.String() || len(b.Params) != 4 || b.Search.Strategy != "auto" || b.Search.Seed != 1 {
			t.Errorf("%s: %+v", name, b)
		}
	}
	// The family's own baseline must not be shared with callers that change it.
	b, _ := open("testdata/good/minimal.toml")
	b.Baseline["BM"] = int64(1)
	if family.Baseline["BM"] != int64(64) {
		t.Error("Bind hands out the family's own map")
	}
}

// A family is data from another process: its faults are reported, never a panic.
func TestBadFamily(t *testing.T) {
	s, err := Load("testdata/good/minimal.toml")
	if err != nil {
		t.Fatal(err)
	}
	noValues, noBaseline := family, family
	noValues.Params = append([]plugins.Param{{Name: "W", Type: plugins.Int}}, family.Params...)
	noBaseline.Baseline = nil
	for want, info := range map[string]plugins.Info{
		"parameter W has no values":             noValues,
		"the baseline of family matmul has no ": noBaseline,
	} {
		if _, err := s.Bind(info, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestAllowed(t *testing.T) {
	s, err := Load("testdata/bad/setting_unsafe.toml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Bind(family, Options{AllowSettings: []string{"AGX_BARRIER_NONE"}}); err == nil {
		t.Error("--allow-setting stands in for --unsafe")
	}
	if _, err := s.Bind(family, Options{Unsafe: true}); err != nil {
		t.Error(err)
	}
	s, err = Load("testdata/bad/setting_no_profile.toml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Bind(family, Options{AllowSettings: []string{"HK_PERFTEST"}}); err != nil {
		t.Error(err)
	}
}

func TestEmbeddedSpecs(t *testing.T) {
	for _, name := range configs.Kernels() {
		data, _ := configs.Kernel(name)
		if _, err := Parse(name, data); err != nil {
			t.Error(err)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"family", "name", "BLOCK_SIZE", "BM", "BN"}
	for in, want := range map[string]string{"famliy": "family", "nam": "name", "block_size": "BLOCK_SIZE", "BLOCKSIZE": "BLOCK_SIZE", "B": "BM", "zzz": "", "": ""} {
		if got := nearest(in, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", in, got, want)
		}
	}
}
