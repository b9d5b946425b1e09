package replay

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
)

const cachefile = `{
"device_name": "Some GPU",
"kernel_name": "k",
"tune_params_keys": ["x", "use"],
"tune_params": {"x": [16, 32], "use": [0, 1]},
"objective": "time",
"cache": {
"16,0": {"x": 16, "use": 0, "time": 1.5, "times": [1.4, 1.6], "GFLOP/s": 3},
"16,1": {"x": 16, "use": 1, "time": "CompilationFailedConfig", "times": []},
"32,0": {"x": 32, "use": 0, "time": 2, "nested": {"a": [1, {"b": null}]}}`

func TestCachefile(t *testing.T) {
	for name, end := range map[string]string{"closed": "\n}}", "trailing comma": ",\n", "no end": "", "half closed": "}"} {
		r, err := Read("a.json", strings.NewReader(cachefile+end))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r.Open != (name != "closed") || r.Device != "Some GPU" || r.Space.Len() != 3 {
			t.Errorf("%s: open %v, device %q, %d points", name, r.Open, r.Device, r.Space.Len())
		}
		i, ok := r.Space.Index([]any{int64(16), int64(1)})
		if !ok || r.Verdict[i] != "compile-failed" || !math.IsNaN(r.Times[i]) {
			t.Errorf("%s: the failed point has %v, %v", name, r.Verdict[i], r.Times[i])
		}
		i, _ = r.Space.Index([]any{int64(32), int64(0)})
		if r.Times[i] != 2 || r.Outcome(i).Failed || r.Outcome(i).Cost != math.Log(2) {
			t.Errorf("%s: got %+v", name, r.Outcome(i))
		}
	}
}

const t4file = `{"metadata": {"timeunit": "milliseconds"}, "schema_version": "1.0.0", "results": [
{"configuration": {"x": 1, "t": "f16"}, "times": {"runtimes": [1, 2]}, "invalidity": "correct", "correctness": 1, "measurements": [{"name": "power", "value": "high"}, {"name": "time", "value": 1.5, "unit": "ms"}], "objectives": ["time"]},
{"configuration": {"x": 2.5, "t": "f32"}, "invalidity": "correctness", "correctness": 0, "measurements": [{"name": "time", "value": 0.1}]},
{"configuration": {"x": 2, "t": "f32"}, "invalidity": "correct", "correctness": 1, "measurements": [{"name": "time", "value": "RuntimeFailedConfig"}]}
]}`

func TestT4(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(t4file))
	w.Close()
	for _, in := range []string{t4file, packed.String()} {
		r, err := Read("b.json", strings.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			x       float64
			kind    string
			verdict string
		}{{1, "f16", "ok"}, {2.5, "f32", "wrong"}, {2, "f32", "crash"}} {
			if i, ok := r.Space.Index([]any{c.x, c.kind}); !ok || r.Verdict[i] != c.verdict {
				t.Errorf("%v, %s: want %s", c.x, c.kind, c.verdict)
			}
		}
	}
}

// lines is an exported run with two arms.
const lines = `{"id": 1, "device": {"name": "Some GPU", "limits": {}}, "kernel": "k", "type": "run"}
{"id": 1, "settings": {}, "type": "arm"}
{"id": 2, "settings": {"X": "1"}, "type": "arm"}
{"arm": 1, "config": {"x": 1}, "median_ns": 2e6, "verdict": "ok", "evidence": {"cases": [1]}, "type": "evaluation"}
{"arm": 2, "config": {"x": 2}, "verdict": "device-lost", "type": "evaluation"}
`

func TestLines(t *testing.T) {
	r, err := Read("run.jsonl", strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	if r.Device != "Some GPU" || r.Space.Len() != 2 {
		t.Errorf("device %q, %d points", r.Device, r.Space.Len())
	}
	for x, want := range map[int64]string{1: "ok", 2: "device-lost"} {
		setting := map[int64]string{1: "(unset)", 2: "1"}[x]
		if i, ok := r.Space.Index([]any{x, setting}); !ok || r.Verdict[i] != want || (x == 1) != (r.Times[i] == 2) {
			t.Errorf("x = %d, X = %s: %v, %v, %v", x, setting, ok, r.Verdict, r.Times)
		}
	}
}

func TestFaultsHavePositions(t *testing.T) {
	entry := func(e string) string {
		return `{"tune_params_keys": ["x"], "tune_params": {"x": [1, 2]},` + "\n" + `"cache": {"1": {"x": 1, "time": 1},` + "\n" + e + `}}`
	}
	for _, c := range []struct{ in, want string }{
		{"", "1:1: the file ends early, expected an object"},
		{"[1]", "1:1: unexpected '['"},
		{"{}", "1:1: the file holds no measurements"},
		{`{"cache": {}}`, "no configuration is recorded"},
		{entry(`"1": {"x": 2, "time": 1}`), `3:1: the key "1" stands twice`},
		{entry(`"01": {"x": 1, "time": 1}`), `3:1: the configuration is recorded twice`},
		{entry(`"2": {"x": 2, "x": 2, "time": 1}`), `3:15: the key "x" stands twice`},
		{entry(`"2": {"x": 2, "time": [1]}`), `3:23: unexpected '['`},
		{entry(`"2": {"x": 2, "time": true}`), `3:23: the time is true`},
		{entry(`"2": {"x": 2, "time": -1}`), `3:23: the time is -1`},
		{entry(`"2": {"x": 2}`), `3:1: the configuration has no time`},
		{entry(`"2": {"time": 1}`), `3:1: the configuration has no x`},
		{entry(`"2": {"x": null, "time": 1}`), `3:12: x is null`},
		{entry(`"2": {"x": "a", "time": 1}`), `x has values of different types`},
		{entry(`"2": {"x": 2, "time": 1.x}`), `3:23: unexpected`},
		{`{"tune_params_keys": ["x"], "cache": {"1": {"x": 1, "ti`, "the string has no end"},
		{`{"tune_params_keys": ["x"], "cache": {"1": {"x": 1,`, "1:52: the file ends early"},
		{`{"tune_params_keys": 3}`, "1:22: unexpected '3', expected a list"},
		{entry(`"2": {"x": 2, "time": 1}`) + "x", "3:27: unexpected 'x', expected the end of the file"},
		{`{"a": ` + strings.Repeat("[", 1000), "nested too deep"},
		{`{"results": [{"invalidity": "odd"}]}`, `the invalidity "odd" is unknown`},
		{`{"results": [{"configuration": {"x": 1}, "invalidity": "correct"}]}`, "the result has no time"},
		{`{"results": [{"configuration": {"x": 1}, "invalidity": "compile"}]}`, "no configuration has a time"},
		{"\x1f\x8bgarbage", "no gzip file"},
		{lines + `{"id": 3}`, "6:1: the line has no type"},
		{lines + `{"type": "evaluation", "arm": 1, "config": {"x": 3}}`, "6:1: the evaluation has no verdict"},
		{lines + `{"type": "evaluation", "arm": 7, "config": {"x": 3}, "verdict": "wrong"}`, "6:1: the evaluation's arm 7 is not in the file"},
		{lines + `{"type": "evaluation", "arm": "a"}`, `6:31: a, expected a whole number`},
		{lines + `{"type": "evaluation", "arm": 1, "config": {"x": 3}, "verdict": "ok", "median_ns": -1}`, "6:84: the time is -1"},
		{lines + lines[strings.LastIndex(lines[:len(lines)-1], "\n")+1:], "the configuration is recorded twice"},
		{lines + `{"type": "evaluation", `, "the file ends early"},
		{lines + "]", "6:1: unexpected ']'"},
	} {
		_, err := Read("f.json", strings.NewReader(c.in))
		var at *Error
		if !errors.As(err, &at) || !strings.HasPrefix(err.Error(), "f.json:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q:\n got %v\nwant %s", c.in, err, c.want)
		}
	}
}

// A gzip stream that was cut off is read as far as it goes.
func TestTruncatedGzip(t *testing.T) {
	data, err := os.ReadFile("testdata/kt_pnpoly_RTX_3090/RTX_3090.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Read("cut.gz", bytes.NewReader(data[:len(data)/2]))
	var at *Error
	if !errors.As(err, &at) || at.Line < 100 {
		t.Errorf("got %v, want the place where an entry breaks off", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(cachefile + "}}")
	f.Add(cachefile)
	f.Add(t4file)
	f.Add(lines)
	f.Add(`{"cache": {"": {"time": 1}}}`)
	f.Fuzz(func(t *testing.T, in string) {
		r, err := Read("f", strings.NewReader(in))
		if err != nil {
			var at *Error
			if !errors.As(err, &at) || at.Line < 1 || at.Col < 1 {
				t.Fatalf("%q: %v has no position", in, err)
			}
			return
		}
		if r.Space.Len() != len(r.Times) {
			t.Fatalf("%q: %d points, %d times", in, r.Space.Len(), len(r.Times))
		}
	})
}
