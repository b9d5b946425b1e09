package arm

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krisptune/krisptune/tuner/spec"
)

func names(arms []Arm) []string {
	var out []string
	for _, a := range arms {
		out = append(out, a.Name)
	}
	return out
}

func TestProduct(t *testing.T) {
	flags := spec.Setting{Name: "HK_PERFTEST", Kind: spec.Flags, Values: []string{"batch", "norobust"}}
	lazy := spec.Setting{Name: "HK_LAZY_BARRIER", Kind: spec.Enumeration, Values: []string{"0", "1"}}
	tests := []struct {
		name     string
		settings []spec.Setting
		baseline map[string]string
		want     []string
	}{
		{"nothing", nil, nil, []string{"stock"}},
		{"baseline alone", nil, map[string]string{"A": "1"}, []string{"A=1"}},
		{"flags", []spec.Setting{flags}, nil,
			[]string{"stock", "HK_PERFTEST=batch", "HK_PERFTEST=norobust", "HK_PERFTEST=batch,norobust"}},
		{"enumeration keeps stock", []spec.Setting{lazy}, nil,
			[]string{"stock", "HK_LAZY_BARRIER=0", "HK_LAZY_BARRIER=1"}},
		{"presence", []spec.Setting{{Name: "X", Kind: spec.Presence}}, nil, []string{"stock", "X=1"}},
		{"mask without its stock value", []spec.Setting{{Name: "M", Kind: spec.Mask, Bits: 2, Stock: 3}}, nil,
			[]string{"stock", "M=0x0", "M=0x1", "M=0x2"}},
		{"product, baseline first and once", []spec.Setting{lazy, {Name: "X", Kind: spec.Presence}},
			map[string]string{"HK_LAZY_BARRIER": "1"},
			[]string{"HK_LAZY_BARRIER=1", "HK_LAZY_BARRIER=0", "HK_LAZY_BARRIER=0 X=1", "HK_LAZY_BARRIER=1 X=1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			arms, err := Product(test.settings, test.baseline)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, names(arms)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A variable that an arm leaves out must be named, or the user's shell would supply it.
func TestUnset(t *testing.T) {
	arms, err := Product([]spec.Setting{{Name: "X", Kind: spec.Presence}}, map[string]string{"B": "2"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Arm{
		{Name: "B=2", Set: map[string]string{"B": "2"}, Unset: []string{"X"}},
		{Name: "stock", Set: map[string]string{}, Unset: []string{"B", "X"}},
		{Name: "X=1", Set: map[string]string{"X": "1"}, Unset: []string{"B"}},
	}
	if diff := cmp.Diff(want, arms); diff != "" {
		t.Error(diff)
	}
}

func TestNamesAreCanonical(t *testing.T) {
	a := New(map[string]string{"A": "1 B=2"}, nil)
	b := New(map[string]string{"A": "1", "B": "2"}, nil)
	if a.Name == b.Name {
		t.Errorf("two environments share the name %s", a.Name)
	}
	if got := New(map[string]string{"A": ""}, nil).Name; got != `A=` {
		t.Errorf("an empty value is %s", got)
	}
}

func TestTooLarge(t *testing.T) {
	at := spec.Position{File: "s.toml", Line: 7, Column: 1}
	mask := spec.Setting{Name: "MASK", Kind: spec.Mask, Bits: 20, Stock: 0xfffff, At: at}
	wide := spec.Setting{Name: "W", Kind: spec.Enumeration, Values: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, At: at}
	again := wide
	again.Name = "V"
	for _, test := range []struct {
		settings []spec.Setting
		want     string
	}{
		{[]spec.Setting{mask}, `s.toml:7:1: MASK has more than 64 values: trying it bit by bit is for ablate, which this version does not have, so it takes listed values only, expected a list of values such as MASK = ["0x1", "0x3"]`},
		{[]spec.Setting{wide, again}, "s.toml:7:1: the driver settings up to V span 81 arms, expected at most 64"},
	} {
		_, err := Product(test.settings, nil)
		var e *spec.Error
		if !errors.As(err, &e) || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}
