package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strings"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// encodeValues writes a configuration or problem as JSON with its names in order. A float
// keeps its point (1.0), so that it comes back as a float.
func encodeValues(m map[string]plugins.Value) (string, error) {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	var b bytes.Buffer
	b.WriteByte('{')
	for i, n := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(n)
		if err != nil {
			return "", err
		}
		b.Write(key)
		b.WriteByte(':')
		switch v := m[n].(type) {
		case int64, bool:
			b.WriteString(plugins.FormatValue(v))
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return "", fmt.Errorf("%s is %v, expected a finite number", n, v)
			}
			b.WriteString(plugins.FormatValue(v))
		case string:
			text, err := json.Marshal(v)
			if err != nil {
				return "", err
			}
			b.Write(text)
		default:
			return "", fmt.Errorf("%s is a %T, expected an int64, float64, string or bool", n, v)
		}
	}
	b.WriteByte('}')
	return b.String(), nil
}

// decodeValues is the inverse of encodeValues.
func decodeValues(text string) (map[string]plugins.Value, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, err
	}
	for n, v := range m {
		switch v := v.(type) {
		case string, bool:
		case json.Number:
			var err error
			if strings.ContainsAny(v.String(), ".eE") {
				m[n], err = v.Float64()
			} else {
				m[n], err = v.Int64()
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", n, err)
			}
		default:
			return nil, fmt.Errorf("%s is a %T, expected an integer, float, string or bool", n, v)
		}
	}
	return m, nil
}

func encode(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// finite maps what SQL has no number for to NULL: NaN is nothing measured, an infinite limit
// is no limit.
func finite(x float64) sql.NullFloat64 {
	return sql.NullFloat64{Float64: x, Valid: !math.IsNaN(x) && !math.IsInf(x, 0)}
}

func orElse(x sql.NullFloat64, otherwise float64) float64 {
	if x.Valid {
		return x.Float64
	}
	return otherwise
}

func decode(text string, into any) error { return json.Unmarshal([]byte(text), into) }

// nanoseconds rounds a stored time to a duration.
func nanoseconds(ns float64) time.Duration { return time.Duration(math.Round(ns)) }

var inf, nan = math.Inf(1), math.NaN()
