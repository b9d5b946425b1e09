package spec

import (
	"math"
	"regexp"
	"sort"
	"strconv"

	"github.com/krisptune/krisptune/plugins"
)

// A node is one value of the decoded document, with its place.
type node struct {
	x     *index
	path  path
	name  string // last key
	label string // "driver.settings.HK_PERFTEST"
	value any
}

func (n node) at() Position    { return n.x.valueAt(n.path) }
func (n node) keyAt() Position { return n.x.keyAt(n.path) }

// mistyped reports that n is not what was expected.
func (n node) mistyped(expected string) *Error {
	return n.at().Errorf(expected, "%s is %s", n.label, form(n.value))
}

// form names a TOML value's type for an error.
func form(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "an integer"
	case float64:
		return "a float"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "a list of tables"
	}
	return "a date or time"
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func (n node) child(key string, value any) node {
	label := key
	if !bareKey.MatchString(key) {
		label = quote(key)
	}
	if n.label != "" {
		label = n.label + "." + label
	}
	return node{n.x, n.path.key(key), key, label, value}
}

// entries are a table's children in the order of the file.
func (n node) entries(expected string) ([]node, error) {
	m, ok := n.value.(map[string]any)
	if !ok {
		return nil, n.mistyped(expected)
	}
	out := make([]node, 0, len(m))
	for k, v := range m {
		out = append(out, n.child(k, v))
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i].keyAt(), out[j].keyAt()
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		if a.Column != b.Column {
			return a.Column < b.Column
		}
		return out[i].name < out[j].name
	})
	return out, nil
}

// table returns a table's children by key, each of which must be known. Keys in later belong
// to the dialect, but to parts that nothing reads yet.
func (n node) table(expected string, known, later []string) (map[string]node, error) {
	entries, err := n.entries(expected)
	if err != nil {
		return nil, err
	}
	out := map[string]node{}
	for _, e := range entries {
		if !contains(known, e.name) {
			if contains(later, e.name) {
				return nil, e.keyAt().Errorf(oneOf(known), "%s is not supported by this version", e.label)
			}
			return nil, e.keyAt().Errorf(oneOf(known), "unknown key %s%s", e.label, suggest(e.name, known))
		}
		out[e.name] = e
	}
	return out, nil
}

// list returns the elements of a list or of an array of tables.
func (n node) list(expected string) ([]node, error) {
	var values []any
	switch v := n.value.(type) {
	case []any:
		values = v
	case []map[string]any:
		for _, m := range v {
			values = append(values, m)
		}
	default:
		return nil, n.mistyped(expected)
	}
	out := make([]node, len(values))
	for i, v := range values {
		out[i] = node{n.x, n.path.element(i), n.name, n.label + "[" + strconv.Itoa(i) + "]", v}
	}
	return out, nil
}

// text returns a string.
func (n node) text(expected string) (string, error) {
	s, ok := n.value.(string)
	if !ok {
		return "", n.mistyped(expected)
	}
	return s, nil
}

// integer returns an integer from lo to hi.
func (n node) integer(expected string, lo, hi int64) (int64, error) {
	v, ok := n.value.(int64)
	if !ok {
		return 0, n.mistyped(expected)
	}
	if v < lo || v > hi {
		return 0, n.at().Errorf(expected, "%s is %d", n.label, v)
	}
	return v, nil
}

// scalar returns a value that a parameter or a field can take.
func (n node) scalar() (named, error) {
	if f, ok := n.value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return named{}, n.at().Errorf("a finite number", "%s is %v", n.label, f)
	}
	if plugins.TypeOf(n.value) == "" {
		return named{}, n.mistyped("an integer, a float, a string or a boolean")
	}
	return named{name: n.name, value: n.value, keyAt: n.keyAt(), at: n.at()}, nil
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
