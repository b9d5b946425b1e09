package emit

import (
	"encoding/json"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"github.com/krisptune/krisptune/plugins"
)

func ptr[T any](v T) *T { return &v }

func result() Result {
	module := []Module{{"matmul_f32", strings.Repeat("ab", 32)}}
	return Result{
		Kernel: "matmul_f32", Family: "matmul", Outcome: Better,
		Device: Device{Name: `llvmpipe "LLVM" <15>`, Type: "cpu", UUID: "00", VendorID: 0x10005, DriverID: 13,
			DriverName: "llvmpipe", DriverInfo: "Mesa 22.3.6", DriverVersion: "0.0.1", APIVersion: "1.3.230"},
		Winner: &Candidate{
			Config:   Values{"BM": int64(64), "ALPHA": 2.0, "TINY": 1e-300, "a": "f16", "UNROLL": true, "BIG": int64(math.MaxInt64)},
			Settings: map[string]string{"LP_NATIVE_VECTOR_WIDTH": "128"},
			MedianNS: 1234.5, IntervalNS: [2]float64{1200, 1300}, Samples: 31,
			Ratio: ptr(1.5), RatioInterval: ptr([2]float64{1.4, 1.6}), Modules: module,
		},
		Baseline: &Candidate{Config: Values{"BM": int64(32)}, Settings: map[string]string{}, MedianNS: 1851, IntervalNS: [2]float64{1800, 1900},
			Samples: 31, Ratio: ptr(1.0), RatioInterval: ptr([2]float64{1, 1}), Modules: module},
		Problems: []Problem{{Values{"m": int64(256), "a": "f32"}, 0.25, 1234.5, ptr(1.5)}, {Values{"m": int64(64)}, 1, 10, nil}},
		Pareto:   []Tradeoff{{Values{"BM": int64(64)}, map[string]string{"X": "1"}, 1.5, [2]float64{1.4, 1.6}, 4096}},
		AARatio:  ptr(1.001), AARatioInterval: ptr([2]float64{0.99, 1.01}),
		Verdicts:    map[plugins.Verdict]int{plugins.OK: 7, plugins.Wrong: 2, plugins.CompileFailed: 1},
		Evaluations: 10, Stopped: "budget", WallS: Wall{1, 2, 3, 0.5}, Clock: plugins.GPUTimestamp, Gap: plugins.Dependent,
		Strategy: "random", Seed: 7,
		Tool:     Tool{"v0.1.0", []string{"krisptune", "tune", "matmul.toml", "--out", "a b"}},
		Warnings: []string{"the device is a CPU"}, Files: []string{"out/best.toml"},
	}
}

// TestRoundTrip reads back what each format wrote, strictly: every field must come back with
// its type, and no key may be unknown.
func TestRoundTrip(t *testing.T) {
	withoutBaseline := result()
	withoutBaseline.Outcome = NoBaseline
	withoutBaseline.Baseline, withoutBaseline.AARatio, withoutBaseline.AARatioInterval = nil, nil, nil
	withoutBaseline.Winner.Ratio, withoutBaseline.Winner.RatioInterval = nil, nil
	for name, want := range map[string]Result{"full": result(), "without baseline": withoutBaseline} {
		data, err := JSON(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Result
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.DisallowUnknownFields()
		if err := d.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, json: %s", name, diff)
		}
		data, err = TOML(want)
		if err != nil {
			t.Fatal(err)
		}
		got = Result{}
		meta, err := toml.Decode(string(data), &got)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if u := meta.Undecoded(); len(u) > 0 {
			t.Errorf("%s, toml: unknown keys %v", name, u)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, toml: %s", name, diff)
		}
	}
}

// TestContract holds the keys that scripts depend on.
func TestContract(t *testing.T) {
	r := result()
	none := Result{Kernel: "k", Outcome: NonePassed}
	var got map[string]any
	for _, doc := range []Result{r, none} {
		data, err := JSON(doc)
		if err != nil {
			t.Fatal(err)
		}
		got = nil
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"kernel", "outcome", "device", "winner", "baseline", "problems", "aa_ratio", "verdicts",
			"evaluations", "stopped", "wall_s", "files"} {
			if _, ok := got[key]; !ok {
				t.Errorf("%s: no %s", doc.Outcome, key)
			}
		}
	}
	if got["winner"] != nil {
		t.Error("winner is not null when nothing passed")
	}
	if _, ok := got["problems"].([]any); !ok {
		t.Errorf("no problems are %v, want []", got["problems"])
	}
	if _, ok := got["verdicts"].(map[string]any); !ok {
		t.Errorf("no verdicts are %v, want {}", got["verdicts"])
	}
}

// TestHostileStrings writes what a device or a program could say to a terminal or a parser.
func TestHostileStrings(t *testing.T) {
	r := result()
	r.Device.Name = "a\x1b]0;title\x07\"\n[winner]\nx = 'y'\u202e\u2028\xff"
	r.Tool.Version = "v1\noutcome = 'better'"
	r.Warnings = []string{"\x1b[2J"}
	r.Winner.Config = Values{"K\x00EY": "v\u009b"}
	for name, encode := range map[string]func(Result) ([]byte, error){"json": JSON, "toml": TOML} {
		data, err := encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexFunc(string(data), func(c rune) bool {
			return c != '\n' && (c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x202e || c == 0x2028)
		}); i >= 0 {
			t.Errorf("%s holds %q", name, data[i:i+1])
		}
		var got Result
		if name == "json" {
			err = json.Unmarshal(data, &got)
		} else {
			_, err = toml.Decode(string(data), &got)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, data)
		}
		if want := "a]0;title\"[winner]x = 'y'\uFFFD"; got.Device.Name != want || got.Warnings[0] != "[2J" || got.Winner.Config["KEY"] != "v" {
			t.Errorf("%s: %q %q %v, want %q", name, got.Device.Name, got.Warnings, got.Winner.Config, want)
		}
	}
	if r.Warnings[0] != "\x1b[2J" {
		t.Error("the caller's result was changed")
	}
}

func TestRefused(t *testing.T) {
	for name, change := range map[string]func(*Result){
		"nan":               func(r *Result) { r.Winner.MedianNS = math.NaN() },
		"infinite config":   func(r *Result) { r.Winner.Config["ALPHA"] = math.Inf(1) },
		"foreign type":      func(r *Result) { r.Winner.Config["BM"] = int32(1) },
		"no winner":         func(r *Result) { r.Winner = nil },
		"stands on nothing": func(r *Result) { r.Outcome, r.Baseline = BaselineStands, nil },
		"better than what":  func(r *Result) { r.Baseline = nil },
		"outcome":           func(r *Result) { r.Outcome = "great" },
		"none passed":       func(r *Result) { r.Outcome, r.Winner = NonePassed, nil },
	} {
		r := result()
		change(&r)
		dir := filepath.Join(t.TempDir(), "out")
		if err := Write(dir, &r); err == nil {
			t.Errorf("%s: written", name)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s: the folder was made for nothing", name)
		}
	}
}

func TestWrite(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	dir := filepath.Join(t.TempDir(), "a", "out")
	r := result()
	for range 2 { // the second replaces the first
		if err := Write(dir, &r); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(dir, "best.toml"), filepath.Join(dir, "best.json")}
	if diff := cmp.Diff(want, r.Files); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"best.json", "best.toml"}, list(t, dir)); diff != "" {
		t.Error(diff)
	}
	for _, f := range want {
		info, err := os.Lstat(f)
		if err != nil || info.Mode() != 0o644 {
			t.Errorf("%s: %v, %v", f, info.Mode(), err)
		}
	}
	var got Result
	if _, err := toml.DecodeFile(want[0], &got); err != nil || !cmp.Equal(got.Files, want) {
		t.Errorf("files %v, %v", got.Files, err)
	}
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestFullDisk lets every write stop after 1000 bytes, as a full disk would, and looks for
// remains. A limit of the process serves, since tests may run as root.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "best.toml"), []byte("earlier"), 0o644); err != nil {
		t.Fatal(err)
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1000, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	r := result()
	files := r.Files
	err := Write(dir, &r)
	if err2 := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err2 != nil {
		t.Fatal(err2)
	}
	if err == nil {
		t.Fatal("a full disk went unnoticed")
	}
	if diff := cmp.Diff([]string{"best.toml"}, list(t, dir)); diff != "" {
		t.Error(diff)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "best.toml")); string(data) != "earlier" {
		t.Errorf("the earlier file is now %q", data)
	}
	if !cmp.Equal(r.Files, files) {
		t.Errorf("files %v are claimed", r.Files)
	}
}

func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r := result()
	if err := Write(file, &r); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a file as the folder: %v", err)
	}
	blocked := filepath.Join(dir, "blocked")
	if err := os.MkdirAll(filepath.Join(blocked, "best.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(blocked, &r); err == nil {
		t.Error("a folder was replaced by best.json")
	}
	if diff := cmp.Diff([]string{"best.json"}, list(t, blocked)); diff != "" {
		t.Error(diff)
	}
	if os.Geteuid() == 0 {
		return // root writes to read-only folders
	}
	readOnly := filepath.Join(dir, "read-only")
	if err := os.Mkdir(readOnly, 0o555); err != nil {
		t.Fatal(err)
	}
	if err := Write(readOnly, &r); err == nil {
		t.Error("a read-only folder was written to")
	}
}
