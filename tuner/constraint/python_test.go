package constraint

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

type pythonValue struct {
	Int    *string
	Float  *string
	Bool   *bool
	String *string
}

// decode returns ok = false for an integer beyond 64 bits.
func (p *pythonValue) decode(t *testing.T) (v any, ok bool) {
	switch {
	case p.Int != nil:
		i, err := strconv.ParseInt(*p.Int, 10, 64)
		return i, err == nil
	case p.Float != nil:
		s := *p.Float
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return f, true
	case p.Bool != nil:
		return *p.Bool, true
	}
	return *p.String, true
}

// same compares with Python's value. Where Python's min, max or power keeps an integer beside a float we have the float.
func same(got, want any) bool {
	if got == want {
		return true
	}
	f, isFloat := got.(float64)
	i, isInt := want.(int64)
	return isFloat && isInt && compareIntFloat(i, f) == 0
}

func TestPython(t *testing.T) {
	data, err := os.ReadFile("testdata/python.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Expr   string
		Values map[string]*pythonValue
		Value  *pythonValue
		Error  string
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	var values, faults, beyond int
	for _, c := range cases {
		env, point := Env{}, map[string]any{}
		for name, v := range c.Values {
			point[name], _ = v.decode(t)
			env[name] = KindOf(point[name])
		}
		e, err := Compile(c.Expr, env)
		if err != nil {
			t.Errorf("%s: %v", c.Expr, err)
			continue
		}
		got, err := e.Eval(point)
		var fault *PointError
		if err != nil && !errors.As(err, &fault) {
			t.Fatalf("%s: %v", c.Expr, err)
		}
		switch {
		case c.Error != "":
			faults++
			if fault != nil && fault.Problem == overflow.String() && hasExtreme(c.Expr, point) {
				beyond++ // we stop earlier, where Python's integer is still growing
				continue
			}
			if err == nil || !strings.Contains(err.Error(), c.Error) {
				t.Errorf("%s at %v: got %v, %v, Python has %s", c.Expr, point, got, err, c.Error)
			}
		case err != nil:
			// Python's integers do not end; our overflow must be a real one, which only extreme values cause; infinity is one too.
			beyond++
			if fault.Problem == divisionByZero.String() || !hasExtreme(c.Expr, point) {
				t.Errorf("%s at %v: %v, Python has a value", c.Expr, point, err)
			}
		default:
			values++
			want, ok := c.Value.decode(t)
			if !ok || !same(got, want) {
				t.Errorf("%s at %v: got %v (%T), Python has %v (%T)", c.Expr, point, got, got, want, want)
			}
		}
	}
	t.Logf("%d values, %d faults, %d beyond 64 bits", values, faults, beyond)
	if values < 4000 || faults < 100 {
		t.Fatalf("only %d values and %d faults compared", values, faults)
	}
}

func hasExtreme(expr string, point map[string]any) bool {
	for _, v := range point {
		switch v := v.(type) {
		case int64:
			if v > 1000 || v < -1000 {
				return true
			}
		case float64:
			if math.Abs(v) > 1000 || math.Abs(v) < 1e-300 {
				return true
			}
		}
	}
	return strings.Contains(expr, "**")
}
