package constraint

// A Kind is the static type of an expression or of a name.
type Kind uint8

// The kinds of values. Bool counts as the integer 0 or 1 in arithmetic and comparison, as in Python.
const (
	Invalid Kind = iota
	Int
	Float
	Bool
	String
)

func (k Kind) String() string {
	switch k {
	case Int:
		return "int"
	case Float:
		return "float"
	case Bool:
		return "bool"
	case String:
		return "string"
	}
	return "invalid"
}

// KindOf returns the kind of an int64, float64, bool or string, and Invalid for anything else.
func KindOf(v any) Kind {
	switch v.(type) {
	case int64:
		return Int
	case float64:
		return Float
	case bool:
		return Bool
	case string:
		return String
	}
	return Invalid
}

// Env gives the kind of every name that an expression may use.
type Env map[string]Kind
