package sdk

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

// CheckRequest refuses, with a *plugins.RequestError, a problem that has not exactly the fields
// of info, or a configuration that has not exactly its parameters, each with a value of its
// type; for fields also values outside Values, Min or Multiple. Values of parameters are not
// held to their default domain: a spec may go beyond it.
func CheckRequest(info plugins.Info, problem plugins.Problem, config plugins.Config) error {
	fields := make(map[string]plugins.ValueType, len(info.Fields))
	for _, f := range info.Fields {
		fields[f.Name] = f.Type
	}
	if err := checkNames("field", fields, problem); err != nil {
		return err
	}
	for _, f := range info.Fields {
		if err := checkField(f, problem[f.Name]); err != nil {
			return err
		}
	}
	params := make(map[string]plugins.ValueType, len(info.Params))
	for _, p := range info.Params {
		params[p.Name] = p.Type
	}
	return checkNames("parameter", params, config)
}

func checkNames(what string, expected map[string]plugins.ValueType, got map[string]plugins.Value) error {
	for _, name := range slices.Sorted(maps.Keys(got)) {
		t, ok := expected[name]
		if !ok {
			return refuse("unknown %s %s, expected %s", what, name,
				strings.Join(slices.Sorted(maps.Keys(expected)), ", "))
		}
		if plugins.TypeOf(got[name]) != t {
			return refuse("%s %s = %s is a %s, expected a %s", what, name, plugins.FormatValue(got[name]),
				plugins.TypeOf(got[name]), t)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		if _, ok := got[name]; !ok {
			return refuse("%s %s is missing, expected a %s", what, name, expected[name])
		}
	}
	return nil
}

func checkField(f plugins.Field, v plugins.Value) error {
	if len(f.Values) > 0 && !slices.Contains(f.Values, v) {
		allowed := make([]string, len(f.Values))
		for i, a := range f.Values {
			allowed[i] = plugins.FormatValue(a)
		}
		return refuse("field %s = %s, expected one of %s", f.Name, plugins.FormatValue(v), strings.Join(allowed, ", "))
	}
	n, ok := v.(int64)
	if !ok {
		return nil
	}
	if n < f.Min {
		return refuse("field %s = %d, expected at least %d", f.Name, n, f.Min)
	}
	if f.Multiple > 1 && n%f.Multiple != 0 {
		return refuse("field %s = %d, expected a multiple of %d", f.Name, n, f.Multiple)
	}
	return nil
}

func refuse(format string, args ...any) error {
	return &plugins.RequestError{Reason: fmt.Sprintf(format, args...)}
}
