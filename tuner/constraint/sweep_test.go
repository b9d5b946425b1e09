package constraint

import (
	"testing"

	"github.com/krisptune/krisptune/search"
)

// Values near and beyond 32 bits, where columns must not wrap, count as they do in the plain check, and so do faults.
func TestSweepOfLargeNumbers(t *testing.T) {
	values := []search.Value{int64(-1 << 33), int64(-1<<31 - 1), int64(-1 << 31), int64(-3), int64(0), int64(5), int64(1<<31 - 1), int64(1 << 31), int64(1 << 33)}
	params := []search.Param{{Name: "a", Values: values}, {Name: "b", Values: values}}
	for source, faulty := range map[string]bool{
		"a * b % 7 == 3":                          true, // 2^66 overflows
		"a * 1024 * b > 4 and a - b < 9":          true,
		"(a + b) % 5 == 2 or a - b >= 2147483648": false,
		"a * 536870912 - b * 2 != 6":              false,
		"a % b == 2":                              true, // b is 0
		"b % 5 * 3 + a == 3":                      false,
		"not (a + b <= 7) and a * 3 != b":         false,
	} {
		c, err := CompileBool(source, Env{"a": Int, "b": Int})
		if err != nil {
			t.Fatal(err)
		}
		got, err1 := search.NewSpace(params, []search.Constraint{c})
		want, err2 := search.NewSpace(params, []search.Constraint{plain{c}})
		if (err1 != nil) != faulty || (err2 != nil) != faulty {
			t.Errorf("%s: by columns %v, by points %v", source, err1, err2)
			continue
		}
		if faulty {
			continue
		}
		if got.Len() != want.Len() || got.Len() == 0 {
			t.Errorf("%s: %d points by columns, %d by points", source, got.Len(), want.Len())
			continue
		}
		for i := range got.Len() {
			if _, ok := want.Index(got.At(i)); !ok {
				t.Errorf("%s: %v is valid by columns only", source, got.At(i))
			}
		}
	}
}
