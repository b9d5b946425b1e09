package t1

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestPublishedSpace(t *testing.T) {
	data, err := os.ReadFile("testdata/gemm_T1.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Space(data)
	if err != nil {
		t.Fatal(err)
	}
	if s.Cartesian().Int64() != 663552 || s.Len() != 116928 {
		t.Errorf("%d of %v configurations, expected 116928 of 663552", s.Len(), s.Cartesian())
	}
}

func document(kind, values, condition string) []byte {
	conditions := ""
	if condition != "" {
		conditions = fmt.Sprintf(`, "Conditions": [{"Expression": %q, "Parameters": ["x"]}]`, condition)
	}
	return fmt.Appendf(nil, `{"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Type": %q, "Values": %q}]%s}, "KernelSpecification": {}}`,
		kind, values, conditions)
}

func TestDomains(t *testing.T) {
	for _, test := range []struct {
		kind, values string
		want         []any
	}{
		{"int", "[16, 32, 64]", []any{int64(16), int64(32), int64(64)}},
		{"int", "[32*i for i in range(1,4)]", []any{int64(32), int64(64), int64(96)}},
		{"int", "[1, 2] + list(range(32, 64+1, 32))", []any{int64(1), int64(2), int64(32), int64(64)}},
		{"int", "[2**i for i in range(3)]", []any{int64(1), int64(2), int64(4)}},
		{"int", "range(3, 0, -1)", []any{int64(3), int64(2), int64(1)}},
		{"int", "[i for i in range(10) if i % 3 == 0 and i > 0]", []any{int64(3), int64(6), int64(9)}},
		{"int", "[x + y for x in [y * 10 for y in range(1, 3)] for_]", nil},
		{"int", "[[1, 2][0]]", nil},
		{"int", "[-2**2, (-2)**2, -7 // 2, -7 % 4, 7 % -4, 1]", []any{int64(-4), int64(4), int64(1), int64(-1)}},
		{"int", "[sum for sum in [i * 2 for i in [1, 2]]]", []any{int64(2), int64(4)}},
		{"int", "[0x10, 1_000,]", []any{int64(16), int64(1000)}},
		{"uint", "[1, -1]", nil},
		{"float", "[1, 0.5, 2**-1, 1e-3]", []any{1.0, 0.5, 0.001}},
		{"int", "[4/2]", nil}, // true division gives a float
		{"bool", "[True, False]", []any{true, false}},
		{"bool", "[0, 1]", []any{false, true}},
		{"bool", "[2]", nil},
		{"string", "['nhwc', \"nchw\"]", []any{"nhwc", "nchw"}},
		{"int", "['a']", nil}, {"int", "[]", nil}, {"int", "3", nil}, {"int", "[1", nil}, {"int", "[1] [2]", nil}, {"int", "[1 // 0]", nil},
		{"int", "[9223372036854775807 + 1]", nil}, {"int", "[10**400]", nil}, {"int", "range(10**9)", nil}, {"int", "[i for i in 3]", nil}, {"int", "[[j for j in range(1000000)] for i in range(1000000)]", nil},
		{"int", "[__import__('os')]", nil}, {"int", "[010]", nil}, {"int", strings.Repeat("(", 100) + "1", nil}, {"half", "[1]", nil},
	} {
		s, err := Space(document(test.kind, test.values, ""))
		if test.want == nil {
			if err == nil {
				t.Errorf("%s %s: accepted as %v", test.kind, test.values, s.Params()[0].Values)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", test.kind, test.values, err)
			continue
		}
		if test.values[1] == '-' {
			// -4 stands for -7 // 2 too.
			if got := fmt.Sprint(s.Params()[0].Values); got != "[-4 4 1 -1]" {
				t.Errorf("%s: %v", test.values, got)
			}
			continue
		}
		if got := s.Params()[0].Values; !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s %s: %v, want %v", test.kind, test.values, got, test.want)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, test := range []struct{ data, says string }{
		{`{`, "no JSON"},
		{`{"ConfigurationSpace": {}}`, "expected a T1 document"},
		{`{}`, "expected a T1 document"},
		{string(document("int", "[1, 2]", "y > 1")), `condition "y > 1"`},
		{string(document("int", "[1, 2]", "x > ")), `condition "x > "`},
		{string(document("int", "[1, 2]", "x > 2")), "no configuration is left"},
		{strings.Replace(string(document("int", "[1, 2]", "x > 1")), `["x"]`, `["z"]`, 1), "names z"},
	} {
		if _, err := Space([]byte(test.data)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", test.data, err, test.says)
		}
	}
}

func FuzzEvaluate(f *testing.F) {
	for _, s := range []string{"[1, 2]", "[i for i in range(3) if i > 0]", "range(1, 9, 2)", "[[1] for x in [2]]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			return
		}
		_, _ = evaluate(text)
	})
}
