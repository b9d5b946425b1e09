package store

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"testing"
)

// validate checks v against the part of JSON Schema that the T4 schemas use, and fails on a
// keyword that it does not know rather than ignore it.
func validate(schema map[string]any, v any, at string) error {
	for keyword, arg := range schema {
		switch keyword {
		case "$schema", "$id", "description", "title", "example":
		case "type":
			names, ok := arg.([]any)
			if !ok {
				names = []any{arg}
			}
			match := false
			for _, n := range names {
				match = match || n == jsonType(v)
			}
			if !match {
				return fmt.Errorf("%s is a %s, expected %v", at, jsonType(v), names)
			}
		case "pattern":
			if s, ok := v.(string); ok && !regexp.MustCompile(arg.(string)).MatchString(s) {
				return fmt.Errorf("%s = %q does not match %s", at, s, arg)
			}
		case "enum":
			match := false
			for _, x := range arg.([]any) {
				match = match || reflect.DeepEqual(x, v)
			}
			if !match {
				return fmt.Errorf("%s = %v, expected one of %v", at, v, arg)
			}
		case "required":
			if m, ok := v.(map[string]any); ok {
				for _, n := range arg.([]any) {
					if _, ok := m[n.(string)]; !ok {
						return fmt.Errorf("%s lacks %s", at, n)
					}
				}
			}
		case "properties":
			if m, ok := v.(map[string]any); ok {
				for n, sub := range arg.(map[string]any) {
					if x, ok := m[n]; ok {
						if err := validate(sub.(map[string]any), x, at+"."+n); err != nil {
							return err
						}
					}
				}
			}
		case "items":
			if a, ok := v.([]any); ok {
				for i, x := range a {
					if err := validate(arg.(map[string]any), x, fmt.Sprintf("%s[%d]", at, i)); err != nil {
						return err
					}
				}
			}
		default:
			return fmt.Errorf("schema keyword %q at %s is not known to this test", keyword, at)
		}
	}
	return nil
}

func jsonType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func readSchema(t *testing.T, name string) map[string]any {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]any
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestValidateSeesErrors(t *testing.T) {
	schema := readSchema(t, "results-schema.json")
	for _, bad := range []string{`[]`, `{"schema_version": "one"}`, `{"results": {}}`, `{"results": [{}]}`,
		`{"results": [{"configuration": {}, "times": {}, "correctness": 1, "invalidity": "wrong"}]}`,
		`{"results": [{"configuration": {}, "times": {"runtimes": 3}, "correctness": 1, "invalidity": "correct"}]}`,
		`{"results": [{"configuration": {}, "times": {}, "correctness": 1, "invalidity": "correct", "measurements": [{"value": null}]}]}`} {
		var v any
		if err := json.Unmarshal([]byte(bad), &v); err != nil {
			t.Fatal(err)
		}
		if validate(schema, v, "$") == nil {
			t.Errorf("%s passed", bad)
		}
	}
}
