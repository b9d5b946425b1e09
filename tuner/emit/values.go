package emit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

// Values are a configuration or a problem: names to values of the four types. JSON has one kind
// of number; a float is written with a point or an exponent, so that reading keeps the type.
type Values map[string]plugins.Value

// number writes a float so that it reads back as one.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if _, err := json.Marshal(float64(n)); err != nil {
		return nil, err // NaN and infinities
	}
	return []byte(plugins.FormatValue(float64(n))), nil
}

// MarshalJSON writes the values in name order.
func (v Values) MarshalJSON() ([]byte, error) {
	out := make(map[string]any, len(v))
	for k, x := range v {
		switch x := x.(type) {
		case float64:
			out[k] = number(x)
		case int64, string, bool:
			out[k] = x
		default:
			return nil, fmt.Errorf("%s is a %T, expected an int64, a float64, a string or a bool", k, x)
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (v *Values) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var in map[string]any
	if err := d.Decode(&in); err != nil {
		return err
	}
	out := Values{}
	for k, x := range in {
		switch x := x.(type) {
		case json.Number:
			var err error
			if strings.ContainsAny(x.String(), ".eE") {
				out[k], err = x.Float64()
			} else {
				out[k], err = x.Int64()
			}
			if err != nil {
				return fmt.Errorf("%s: %w", k, err)
			}
		case string, bool:
			out[k] = x
		default:
			return fmt.Errorf("%s is no number, string or boolean", k)
		}
	}
	*v = out
	return nil
}
