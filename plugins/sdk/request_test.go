package sdk_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/sdk"
)

// scale computes y = x * FACTOR.
type scale struct{ described, built int }

func (s *scale) Describe(context.Context) (plugins.Info, error) {
	s.described++
	return plugins.Info{
		Name: "scale",
		Fields: []plugins.Field{
			{Name: "n", Type: plugins.Int, Min: 4, Multiple: 4},
			{Name: "a", Type: plugins.String, Values: []plugins.Value{"f16", "f32"}},
		},
		Params: []plugins.Param{
			{Name: "BLOCK", Type: plugins.Int, Kind: plugins.Spec, Values: []plugins.Value{int64(32)}},
			{Name: "FAST", Type: plugins.Bool, Kind: plugins.Spec, Values: []plugins.Value{true, false}},
		},
	}, nil
}

func (s *scale) Build(context.Context, plugins.Problem, plugins.Config) (plugins.Build, error) {
	s.built++
	return plugins.Build{}, nil
}

type scaleWithReference struct {
	scale
	answered int
}

func (s *scaleWithReference) Reference(context.Context, plugins.ReferenceRequest) error {
	s.answered++
	return nil
}

func TestRequests(t *testing.T) {
	for want, spoil := range map[string]func(plugins.Problem, plugins.Config){
		"":                                func(plugins.Problem, plugins.Config) {},
		"unknown field m, expected a, n":  func(p plugins.Problem, _ plugins.Config) { p["m"] = int64(1) },
		"field n is missing":              func(p plugins.Problem, _ plugins.Config) { delete(p, "n") },
		"field n = 8.0 is a float":        func(p plugins.Problem, _ plugins.Config) { p["n"] = 8.0 },
		"n = 0, expected at least 4":      func(p plugins.Problem, _ plugins.Config) { p["n"] = int64(0) },
		"expected a multiple of 4":        func(p plugins.Problem, _ plugins.Config) { p["n"] = int64(6) },
		"a = f64, expected one of f16, f": func(p plugins.Problem, _ plugins.Config) { p["a"] = "f64" },
		"unknown parameter BM":            func(_ plugins.Problem, c plugins.Config) { c["BM"] = int64(1) },
		"parameter FAST is missing":       func(_ plugins.Problem, c plugins.Config) { delete(c, "FAST") },
		"FAST = 1 is a int":               func(_ plugins.Problem, c plugins.Config) { c["FAST"] = int64(1) },
	} {
		s := &scaleWithReference{}
		family, ok := sdk.Checked(s).(plugins.FamilyWithReference)
		if !ok {
			t.Fatal("the family lost its references")
		}
		problem := plugins.Problem{"n": int64(8), "a": "f16"}
		config := plugins.Config{"BLOCK": int64(1024), "FAST": true} // beyond the default domain, as a spec may go
		spoil(problem, config)
		_, err := family.Build(t.Context(), problem, config)
		referenceErr := family.Reference(t.Context(), plugins.ReferenceRequest{Problem: problem, Config: config})
		if want == "" {
			if err != nil || referenceErr != nil || s.built != 1 || s.answered != 1 {
				t.Errorf("a good request: %v, %v, built %d, answered %d", err, referenceErr, s.built, s.answered)
			}
			continue
		}
		for _, err := range []error{err, referenceErr} {
			var refused *plugins.RequestError
			if !errors.As(err, &refused) || !strings.Contains(refused.Reason, want) {
				t.Errorf("error %v, expected a refusal with %q", err, want)
			}
		}
		if s.built != 0 || s.answered != 0 {
			t.Errorf("%q: the family saw what should have been refused", want)
		}
		if s.described != 1 {
			t.Errorf("described %d times, expected once", s.described)
		}
	}
}

func TestCheckedAddsNoReferences(t *testing.T) {
	if _, ok := sdk.Checked(&scale{}).(plugins.FamilyWithReference); ok {
		t.Error("a family without references got them")
	}
}
