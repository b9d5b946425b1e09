package constraint

import (
	"errors"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/search"
)

var testEnv = Env{"BM": Int, "BN": Int, "x": Float, "on": Bool, "dtype": String}

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct {
		source  string
		col     int
		problem string
	}{
		{"", 1, "empty"},
		{"BM +", 5, "ends early"},
		{"BM == BQ", 7, `unknown name "BQ"`},
		{"BM // BN // nope", 13, `unknown name "nope"`},
		{"BM * (BN", 9, "ends early"},
		{"BM == 'f16'", 4, "int == string"},
		{"dtype + 1 > 2", 1, "a string beside +"},
		{"BM and BN > 1", 1, "int in"},
		{"on and not BM", 12, "int in"},
		{"BM /* c */ > 1", 4, "comments"},
		{"let a = 1; a > 1", 1, "let"},
		{"BM | max", 4, "unexpected |"},
		{"BM ^ 2 == 4", 4, "^"},
		{"BM # 2", 4, "#"},
		{"BM in BN", 7, "no list"},
		{"BM in ['a']", 8, "string in a list"},
		{"BM in 1..4", 8, "no list"},
		{"log(BM) > 1", 1, `unknown function "log"`},
		{"ceil(BM, 2) > 1", 1, "ceil with 2 arguments"},
		{"min() > 1", 1, "min with 0 arguments"},
		{"BM.x > 1", 4, "unsupported"},
		{"on ? 1 : 2", 4, "unexpected ?"},
		{"BM ?? 1", 4, "unexpected ?"},
		{"BM == not on", 7, "not after"},
		{"BM in [1] == on", 4, "in beside"},
		{"BM < BN in [1]", 9, "in after"},
		{"BM > 99999999999999999999", 6, "integer"},
		{"x > 1e999", 5, "float"},
		{"[1, 2]", 1, "list"},
		{"nil == 1", 1, "unsupported"},
		{"map([1], # > 0)", 10, "#"},
		{"BM > 1; BN > 1", 7, "unexpected ;"},
		{"é > 1", 1, "unknown name"},
		{"dtype == 'é' and BQ > 1", 18, "unknown name"},
	} {
		_, err := CompileBool(c.source, testEnv)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: got %v, want an *Error", c.source, err)
			continue
		}
		if e.Col != c.col || !strings.Contains(e.Problem, c.problem) {
			t.Errorf("%q: got column %d, %q, want column %d, %q", c.source, e.Col, e.Problem, c.col, c.problem)
		}
	}
}

func TestKindOfWhole(t *testing.T) {
	if _, err := CompileBool("BM * BN", testEnv); err == nil || !strings.Contains(err.Error(), "expected bool") {
		t.Errorf("int as a constraint: %v", err)
	}
	if _, err := CompileInt("BM / BN", testEnv); err == nil || !strings.Contains(err.Error(), "write //") {
		t.Errorf("float as an integer: %v", err)
	}
	e, err := CompileInt("ceil(BM / BN) * 2", testEnv)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := e.EvalInt(map[string]any{"BM": int64(7), "BN": int64(2)}); v != 8 || err != nil {
		t.Errorf("got %d, %v, want 8", v, err)
	}
}

func TestPointError(t *testing.T) {
	e, err := CompileBool("BM % BN == 0", testEnv)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.EvalBool(map[string]any{"BM": int64(4), "BN": int64(0)})
	if want := `"BM % BN == 0":4: division by zero at BM=4, BN=0`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestWith(t *testing.T) {
	e, err := CompileBool("n % BM == 0 and BN < m", Env{"n": Int, "m": Int, "BM": Int, "BN": Int})
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := e.With(map[string]any{"n": int64(12), "m": int64(5), "other": "x"})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(fixed.Vars(), " "); got != "BM BN" {
		t.Errorf("variables %s, want BM BN", got)
	}
	for _, c := range []struct {
		bm, bn int64
		want   bool
	}{{4, 4, true}, {5, 4, false}, {4, 5, false}} {
		if got, err := fixed.EvalBool(map[string]any{"BM": c.bm, "BN": c.bn}); got != c.want || err != nil {
			t.Errorf("at %d, %d: got %v, %v", c.bm, c.bn, got, err)
		}
	}
	if _, err := e.With(map[string]any{"n": 1.5}); err == nil {
		t.Error("a float for an int was accepted")
	}
}

func TestSpaceReportsTheFaultyPoint(t *testing.T) {
	params := []search.Param{{Name: "a", Values: []search.Value{int64(4), int64(6)}}, {Name: "b", Values: []search.Value{int64(0), int64(2)}}}
	env := Env{"a": Int, "b": Int}
	compile := func(src string) search.Constraint {
		e, err := CompileBool(src, env)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	_, err := search.NewSpace(params, []search.Constraint{compile("a % b == 0")})
	var fault *PointError
	if !errors.As(err, &fault) || fault.Point != "a=4, b=0" {
		t.Errorf("got %v, want the point a=4, b=0", err)
	}
	for _, guard := range [][]search.Constraint{{compile("b != 0"), compile("a % b == 0")}, {compile("a % b == 0"), compile("b != 0")}, {compile("b != 0 and a % b == 0")}} {
		s, err := search.NewSpace(params, guard)
		if err != nil || s.Len() != 2 {
			t.Errorf("a guarded division: %v", err)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"BM // BN % 4 == 0", "not BM == BN in [1]", "1 < BM < 3 == on", "dtype == 'f16' or x > 1e3", "BM /", "'", "//", "min(max(", "not not on", "-BM ** -2 > 0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		e, err := Compile(source, testEnv)
		if err != nil {
			var at *Error
			if !errors.As(err, &at) {
				t.Fatalf("%q: %v is no *Error", source, err)
			}
			if at.Col < 1 || at.Col > len([]rune(source))+1 && at.Col > maxSource+1 {
				t.Fatalf("%q: column %d", source, at.Col)
			}
			return
		}
		point := map[string]any{"BM": int64(7), "BN": int64(-2), "x": 0.5, "on": true, "dtype": "f16"}
		v, err := e.Eval(point)
		if err == nil && KindOf(v) != e.Kind() {
			t.Fatalf("%q: a %T from an expression of kind %s", source, v, e.Kind())
		}
	})
}
