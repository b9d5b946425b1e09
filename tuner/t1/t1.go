// Package t1 reads the autotuning community's input format (T1, Open Autotuning Schema 1.0.0,
// github.com/odgaard/TuningSchema) as a description of a search space. Its other sections are
// for the programs that compile and run kernels: it has no field for specialization constants,
// push constants, descriptor sets or driver settings, so that no kernel can be launched from it.
package t1

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner/constraint"
)

// A file holds the fields of the schema that a space has use for.
type file struct {
	ConfigurationSpace *struct {
		TuningParameters []parameter
		Conditions       []condition
	}
}

type parameter struct {
	Name   string
	Type   string // int, uint, float, bool, string
	Values string // a list expression as Python writes it
}

type condition struct {
	Expression string
	Parameters []string
}

// MaxSize is the largest file that is read, in bytes.
const MaxSize = 1 << 20

// Space reads a T1 document. An error names the parameter or condition that is wrong.
func Space(data []byte) (*search.Space, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%d bytes, expected at most %d", len(data), MaxSize)
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("no JSON of a T1 document: %w", err)
	}
	if f.ConfigurationSpace == nil || len(f.ConfigurationSpace.TuningParameters) == 0 {
		return nil, fmt.Errorf("no ConfigurationSpace with TuningParameters, expected a T1 document")
	}
	env := constraint.Env{}
	var params []search.Param
	for i, p := range f.ConfigurationSpace.TuningParameters {
		if p.Name == "" {
			return nil, fmt.Errorf("TuningParameters[%d] has no Name", i)
		}
		values, kind, err := p.domain()
		if err != nil {
			return nil, fmt.Errorf("parameter %s: Values %q: %w", p.Name, p.Values, err)
		}
		params = append(params, search.Param{Name: p.Name, Values: values})
		env[p.Name] = kind
	}
	var constraints []search.Constraint
	for _, c := range f.ConfigurationSpace.Conditions {
		for _, name := range c.Parameters {
			if _, ok := env[name]; !ok {
				return nil, fmt.Errorf("condition %q names %s, which is no parameter", c.Expression, name)
			}
		}
		e, err := constraint.CompileBool(c.Expression, env)
		if err != nil {
			return nil, fmt.Errorf("condition %q: %w", c.Expression, err)
		}
		constraints = append(constraints, e)
	}
	return search.NewSpace(params, constraints)
}

// domain evaluates the list and gives every value the parameter's type.
func (p parameter) domain() ([]search.Value, constraint.Kind, error) {
	kinds := map[string]constraint.Kind{"int": constraint.Int, "uint": constraint.Int, "float": constraint.Float,
		"bool": constraint.Bool, "string": constraint.String}
	kind, ok := kinds[p.Type]
	if !ok {
		return nil, 0, fmt.Errorf("type %q, expected int, uint, float, bool or string", p.Type)
	}
	list, err := evaluate(p.Values)
	if err != nil {
		return nil, 0, err
	}
	var out []search.Value
	for _, v := range list {
		if n, ok := v.(int64); ok {
			switch {
			case kind == constraint.Float:
				v = float64(n)
			case kind == constraint.Bool && (n == 0 || n == 1):
				v = n == 1
			case p.Type == "uint" && n < 0:
				return nil, 0, fmt.Errorf("%d is negative, expected an unsigned integer", n)
			}
		}
		if constraint.KindOf(v) != kind {
			return nil, 0, fmt.Errorf("%v is %s, expected %s", v, constraint.KindOf(v), kind)
		}
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return nil, 0, fmt.Errorf("the list is empty, expected at least one value")
	}
	return out, kind, nil
}
