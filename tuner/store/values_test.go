package store

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krisptune/krisptune/plugins"
)

// Types survive: an int64 comes back as one, and a float64 that happens to be whole too.
func TestValuesRoundTrip(t *testing.T) {
	value := rapid.OneOf(
		rapid.Map(rapid.Int64(), func(v int64) plugins.Value { return v }),
		rapid.Map(rapid.Float64(), func(v float64) plugins.Value { return v }),
		rapid.Map(rapid.IntRange(-99, 99), func(v int) plugins.Value { return float64(v) }),
		rapid.Map(rapid.String(), func(v string) plugins.Value { return v }),
		rapid.Map(rapid.Bool(), func(v bool) plugins.Value { return v }))
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOf(rapid.String(), value).Draw(t, "values")
		text, err := encodeValues(want)
		for _, v := range want {
			if f, ok := v.(float64); ok && (math.IsInf(f, 0) || math.IsNaN(f)) {
				if err == nil {
					t.Fatalf("%v was written as %s", f, text)
				}
				return
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeValues(text)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Fatalf("%s: %v\n%s", text, err, d)
		}
	})
}

func TestValuesRefuse(t *testing.T) {
	for _, bad := range []plugins.Value{nil, 3, []int{1}} {
		if text, err := encodeValues(map[string]plugins.Value{"x": bad}); err == nil {
			t.Errorf("%T was written as %s", bad, text)
		}
	}
	for _, bad := range []string{``, `[]`, `{"x": null}`, `{"x": [1]}`, `{"x": 99999999999999999999}`} {
		if v, err := decodeValues(bad); err == nil {
			t.Errorf("%s was read as %v", bad, v)
		}
	}
}
