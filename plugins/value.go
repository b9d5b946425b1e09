package plugins

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// A Value is one value of a parameter or of a problem's field: an int64, a float64, a string
// or a bool. Nil is not a value.
type Value = any

// A ValueType names the four forms that a Value takes; it is spelled the same in Describe
// answers, specs and JSON.
type ValueType string

const (
	Int    ValueType = "int"
	Float  ValueType = "float"
	String ValueType = "string"
	Bool   ValueType = "bool"
)

// TypeOf returns the type of v, or "" if v is not a Value.
func TypeOf(v Value) ValueType {
	switch v.(type) {
	case int64:
		return Int
	case float64:
		return Float
	case string:
		return String
	case bool:
		return Bool
	}
	return ""
}

// FormatValue writes v as specs and the command line spell it: 16, 0.5, f16, true.
func FormatValue(v Value) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if v == math.Trunc(v) && !strings.ContainsAny(s, "e.") && !math.IsInf(v, 0) {
			s += ".0"
		}
		return s
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	}
	return fmt.Sprintf("!%T", v)
}

// ParseValue reads text as a value of type t, the inverse of FormatValue.
func ParseValue(t ValueType, text string) (Value, error) {
	switch t {
	case Int:
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not an integer", text)
		}
		return n, nil
	case Float:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("%q is not a finite number", text)
		}
		return f, nil
	case Bool:
		switch text {
		case "true", "1":
			return true, nil
		case "false", "0":
			return false, nil
		}
		return nil, fmt.Errorf("%q is not true or false", text)
	case String:
		return text, nil
	}
	return nil, fmt.Errorf("unknown value type %q", t)
}

// format writes named values in name order: "BK=16,BM=64". It is the canonical spelling: equal
// maps give equal text.
func format(m map[string]Value) string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	var b strings.Builder
	for i, n := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(n)
		b.WriteByte('=')
		b.WriteString(FormatValue(m[n]))
	}
	return b.String()
}

// integer returns the int64 at name.
func integer(m map[string]Value, name string) (int64, error) {
	v, ok := m[name]
	if !ok {
		return 0, fmt.Errorf("%s is missing", name)
	}
	n, ok := v.(int64)
	if !ok {
		return 0, fmt.Errorf("%s = %s is a %s, expected an integer", name, FormatValue(v), TypeOf(v))
	}
	return n, nil
}

// text returns the string at name.
func text(m map[string]Value, name string) (string, error) {
	v, ok := m[name]
	if !ok {
		return "", fmt.Errorf("%s is missing", name)
	}
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%s = %s is a %s, expected a string", name, FormatValue(v), TypeOf(v))
	}
	return s, nil
}
