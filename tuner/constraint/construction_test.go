package constraint

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/krisptune/krisptune/search"
	"pgregory.net/rapid"
)

// A definition is a published search space; testdata/definitions has their sources and licence.
type definition struct {
	Name       string
	Parameters []struct {
		Name   string
		Values []int64
	}
	Constraints   []string
	ExpectedValid int `json:"expected_valid"`
}

func definitions(t testing.TB) []definition {
	t.Helper()
	files, err := filepath.Glob("testdata/definitions/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no definitions", err)
	}
	var all []definition
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var d definition
		if err := json.Unmarshal(data, &d); err != nil {
			t.Fatal(f, err)
		}
		all = append(all, d)
	}
	return all
}

// build goes the whole way, from source text to a space ready for neighbours.
func (d *definition) build(t testing.TB) *search.Space {
	env := Env{}
	var params []search.Param
	for _, p := range d.Parameters {
		env[p.Name] = Int
		values := make([]search.Value, len(p.Values))
		for i, v := range p.Values {
			values[i] = v
		}
		params = append(params, search.Param{Name: p.Name, Values: values})
	}
	var constraints []search.Constraint
	for _, src := range d.Constraints {
		c, err := CompileBool(src, env)
		if err != nil {
			t.Fatal(d.Name, err)
		}
		constraints = append(constraints, c)
	}
	s, err := search.NewSpace(params, constraints)
	if err != nil {
		t.Fatal(d.Name, err)
	}
	return s
}

func TestPublishedSpaces(t *testing.T) {
	for _, d := range definitions(t) {
		s := d.build(t)
		if d.ExpectedValid != 0 && s.Len() != d.ExpectedValid {
			t.Errorf("%s: %d points, expected %d", d.Name, s.Len(), d.ExpectedValid)
		}
		// Every point keeps the constraints in the plain evaluator and has its own number.
		for i := 0; i < s.Len(); i += 1 + s.Len()/1000 {
			cfg := s.At(i)
			if j, ok := s.Index(cfg); !ok || j != i {
				t.Fatalf("%s: point %d has index %d", d.Name, i, j)
			}
			if removed, err := s.Explain(cfg); err != nil || len(removed) > 0 {
				t.Fatalf("%s: point %d is removed by %v, %v", d.Name, i, removed, err)
			}
		}
	}
}

// sum of x_i * y_i over pairs, of 10^8 points one in a hundred.
func hundredMillion() definition {
	d := definition{Name: "cartesian_1e8", Constraints: []string{"(a*b + c*d + e*f + g*h) % 97 == 3"}}
	for _, name := range strings.Split("abcdefgh", "") {
		d.Parameters = append(d.Parameters, struct {
			Name   string
			Values []int64
		}{name, []int64{1, 2, 3, 5, 7, 11, 13, 17, 19, 23}})
	}
	return d
}

// productBound keeps the one percent of 10^8 points whose product is small.
func productBound() definition {
	d := hundredMillion()
	d.Name, d.Constraints = "cartesian_1e8_product", []string{"a*b*c*d*e*f*g*h <= 15000"}
	return d
}

// chaotic keeps one of 101 points: a state before its last variable says all of its prefix, so that no two have one future.
func chaotic() definition {
	d := hundredMillion()
	d.Name, d.Constraints = "cartesian_1e8_chaotic", []string{"(a*b*c + 31*d*e*a + 17*f*g*b*d + 7*h*c*e*f + a*g*h) * (a + 3*b + 5*c + 7*d + 11*e + 13*f + 17*g + 19*h) % 101 == 7"}
	return d
}

// cpuSeconds is the processor time of this process, the collector's included. Unlike wall time it can be compared
// on a machine that does other work.
func cpuSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func BenchmarkConstruction(b *testing.B) {
	best, memory := map[string]float64{}, map[string]float64{}
	data, err := os.ReadFile("testdata/construction-times.json")
	if err != nil {
		b.Fatal(err)
	}
	var times []struct {
		Space string
		CPUS  float64 `json:"cpu_s"`
		RSSMB float64 `json:"rss_mb"`
	}
	if err := json.Unmarshal(data, &times); err != nil {
		b.Fatal(err)
	}
	for _, t := range times {
		if old, ok := best[t.Space]; !ok || t.CPUS < old {
			best[t.Space], memory[t.Space] = t.CPUS, t.RSSMB
		}
	}
	product, n := 1.0, 0
	for _, d := range append(definitions(b), hundredMillion(), productBound(), chaotic()) {
		var ratio float64
		b.Run(d.Name, func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := cpuSeconds(b)
			for b.Loop() {
				d.build(b)
			}
			seconds := (cpuSeconds(b) - start) / float64(b.N)
			b.ReportMetric(seconds*1e3, "cpu-ms/op")
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/1e6, "allocMB/op")
			if best[d.Name] > 0 {
				ratio = best[d.Name] / seconds
				b.ReportMetric(ratio, "times-faster")
				b.ReportMetric(memory[d.Name], "publicMB")
			}
		})
		if ratio > 0 {
			product *= ratio
			n++
		}
	}
	if n > 0 {
		b.Run("geometric-mean", func(b *testing.B) {
			for b.Loop() {
			}
			b.ReportMetric(math.Pow(product, 1/float64(n)), "times-faster")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// plain hides that an expression can be checked step by step.
type plain struct{ search.Constraint }

// Steps and the plain check agree on the points of a space and on faults.
func TestStepsAgreeWithCheck(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	env := Env{"a": Int, "b": Int, "c": Float, "d": Int}
	rapid.Check(t, func(t *rapid.T) {
		var params []search.Param
		for _, name := range names {
			var values []search.Value
			for _, v := range rapid.SliceOfNDistinct(rapid.Int64Range(-4, 12), 1, 4, rapid.ID).Draw(t, name) {
				if env[name] == Float {
					values = append(values, float64(v)/2)
				} else {
					values = append(values, v)
				}
			}
			params = append(params, search.Param{Name: name, Values: values})
		}
		var stepping, checking []search.Constraint
		for range rapid.IntRange(1, 3).Draw(t, "constraints") {
			source := drawCondition(t, 2, names)
			c, err := CompileBool(source, env)
			if err != nil {
				t.Fatal(err)
			}
			stepping, checking = append(stepping, c), append(checking, plain{c})
		}
		got, err1 := search.NewSpace(params, stepping)
		want, err2 := search.NewSpace(params, checking)
		var fault1, fault2 *PointError
		if errors.As(err1, &fault1) != errors.As(err2, &fault2) || (err1 == nil) != (err2 == nil) {
			t.Fatalf("%v: by steps %v, by checks %v", stepping, err1, err2)
		}
		if err1 != nil {
			return
		}
		if got.Len() != want.Len() {
			t.Fatalf("%v: by steps %d points, by checks %d", stepping, got.Len(), want.Len())
		}
		for i := range got.Len() {
			if _, ok := want.Index(got.At(i)); !ok {
				t.Fatalf("%v: %v is valid by steps only", stepping, got.At(i))
			}
		}
	})
}

func drawArithmetic(t *rapid.T, depth int, names []string) string {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		leaves := append([]string{"1", "2", "3", "0", "7", "0.5"}, names...)
		return rapid.SampledFrom(append(leaves, names...)).Draw(t, "name")
	}
	x, y := drawArithmetic(t, depth-1, names), drawArithmetic(t, depth-1, names)
	form := rapid.SampledFrom([]string{"(%s + %s)", "(%s - %s)", "(%s * %s)", "(%s * %s)", "(%s // %s)", "(%s %% %s)", "(%s / %s)", "min(%s, %s)", "max(%s, %s)",
		"abs(%s - %s)", "ceil(%s / %s)", "floor(%s * %s)", "(-%s + %s)", "(abs(%s) ** abs(%s))"}).Draw(t, "operator")
	return fmt.Sprintf(form, x, y)
}

func drawCondition(t *rapid.T, depth int, names []string) string {
	if depth == 0 || rapid.IntRange(0, 2).Draw(t, "atom") == 0 {
		x, y, z := drawArithmetic(t, 3, names), drawArithmetic(t, 2, names), drawArithmetic(t, 1, names)
		form := rapid.SampledFrom([]string{"%s < %s + %s", "%s <= %s <= %s", "%s == %s + %s", "%s != %s > %s", "%s in [%s, %s]", "%s not in [%s, %s]", "%s %% max(1, %s) == %s"}).Draw(t, "form")
		return fmt.Sprintf(form, x, y, z)
	}
	x, y := drawCondition(t, depth-1, names), drawCondition(t, depth-1, names)
	return fmt.Sprintf(rapid.SampledFrom([]string{"(%s and %s)", "(%s or %s)", "(not %s or %s)", "(%s) == (%s)"}).Draw(t, "logic"), x, y)
}

// A factor that does not divide, or a product that is too large already, ends a prefix before the rest is bound.
func TestPrefixesEndEarly(t *testing.T) {
	env := Env{"a": Int, "b": Int, "c": Int}
	domain := []search.Value{int64(2), int64(3), int64(4)}
	for _, c := range []struct {
		source string
		prefix []int
		want   search.Step
	}{
		{"64 % (a * b * c) == 0", []int{1}, search.Violated},
		{"64 % (a * b * c) == 0", []int{0}, search.Open},
		{"64 % (c * b * a) == 0", []int{0, 1}, search.Violated},
		{"a * b * c <= 15", []int{1, 2}, search.Violated},
		{"a * b * c <= 15", []int{0, 0}, search.Open},
		{"a * b * c <= 64", []int{0}, search.Holds},
		{"a == 2 or b * c == 6", []int{0}, search.Holds},
		{"a != 2 and b * c == 6", []int{0}, search.Violated},
		{"10 < a + b + c < 20", []int{0, 0}, search.Violated},
	} {
		e, err := CompileBool(c.source, env)
		if err != nil {
			t.Fatal(err)
		}
		domains := make([][]search.Value, len(e.Vars()))
		order := make([]int, len(domains))
		for slot, name := range e.Vars() {
			domains[slot] = domain
			order[name[0]-'a'] = slot
		}
		s, err := e.Steps(domains, order)
		if err != nil {
			t.Fatal(err)
		}
		var state []uint64
		got := search.Open
		for k, value := range c.prefix {
			out := make([]uint64, s.Width(k))
			got = s.Step(k, state, value, out)
			state = out
		}
		if got != c.want {
			t.Errorf("%s after %v: %d, want %d", c.source, c.prefix, got, c.want)
		}
	}
}
