package host

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/krisptune/krisptune/plugins"
)

var (
	familyName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
	identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
)

// CheckInfo says what in a family's description does not hold together: names that cannot
// stand in an expression or stand twice, values of another type, a baseline that is not a
// configuration. Constraints are expressions and checked by the core.
func CheckInfo(info plugins.Info) error {
	if !familyName.MatchString(info.Name) {
		return fmt.Errorf("name %q, expected %s", info.Name, familyName)
	}
	if len(info.Params) == 0 {
		return fmt.Errorf("family %s has no parameters, expected at least one", info.Name)
	}
	seen := map[string]string{}
	for _, name := range plugins.LimitNames {
		seen[name] = "device limit"
	}
	take := func(kind, name string) error {
		if !identifier.MatchString(name) {
			return fmt.Errorf("%s %q, expected a name like %s", kind, name, identifier)
		}
		if other, ok := seen[name]; ok {
			return fmt.Errorf("%s %s has the name of a %s, expected distinct names", kind, name, other)
		}
		seen[name] = kind
		return nil
	}
	for _, f := range info.Fields {
		if err := take("field", f.Name); err != nil {
			return err
		}
		if err := checkFieldInfo(f); err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	for _, p := range info.Params {
		if err := take("parameter", p.Name); err != nil {
			return err
		}
		if err := checkParamInfo(p, info.Baseline); err != nil {
			return fmt.Errorf("parameter %s: %w", p.Name, err)
		}
	}
	for name := range info.Baseline {
		if seen[name] != "parameter" {
			return fmt.Errorf("the baseline sets %s, expected only parameters", name)
		}
	}
	return nil
}

func checkFieldInfo(f plugins.Field) error {
	if err := checkValues(f.Type, f.Values); err != nil {
		return err
	}
	if f.Default != nil {
		if err := checkValues(f.Type, []plugins.Value{f.Default}); err != nil {
			return fmt.Errorf("default: %w", err)
		}
		if len(f.Values) > 0 && !slices.Contains(f.Values, f.Default) {
			return fmt.Errorf("default %s is not among its values", plugins.FormatValue(f.Default))
		}
	}
	integerOnly := f.Min != 0 || f.Multiple != 0 || f.Tile != "" || f.Reduced
	if integerOnly && f.Type != plugins.Int {
		return fmt.Errorf("min, multiple, tile or reduced on a %s, expected an int", f.Type)
	}
	if f.Multiple < 0 {
		return fmt.Errorf("multiple %d, expected at least 0", f.Multiple)
	}
	return nil
}

func checkParamInfo(p plugins.Param, baseline plugins.Config) error {
	if !slices.Contains([]plugins.ParamKind{plugins.Spec, plugins.Define, plugins.Option, plugins.Host}, p.Kind) {
		return fmt.Errorf("kind %q, expected spec, define, option or host", p.Kind)
	}
	if len(p.Values) == 0 {
		return fmt.Errorf("it has no values, expected at least one")
	}
	if err := checkValues(p.Type, p.Values); err != nil {
		return err
	}
	v, ok := baseline[p.Name]
	if !ok {
		return fmt.Errorf("the baseline does not set it")
	}
	if err := checkValues(p.Type, []plugins.Value{v}); err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	return nil
}

func checkValues(t plugins.ValueType, values []plugins.Value) error {
	if !slices.Contains([]plugins.ValueType{plugins.Int, plugins.Float, plugins.String, plugins.Bool}, t) {
		return fmt.Errorf("type %q, expected int, float, string or bool", t)
	}
	for i, v := range values {
		if plugins.TypeOf(v) != t {
			return fmt.Errorf("value %s is a %s, expected a %s", plugins.FormatValue(v), plugins.TypeOf(v), t)
		}
		if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			return fmt.Errorf("value %v, expected a finite number", f)
		}
		if slices.Contains(values[:i], v) {
			return fmt.Errorf("value %s stands twice", plugins.FormatValue(v))
		}
	}
	return nil
}

// CheckBuild says what in a family's build cannot be launched by anybody: indices that point
// nowhere, unknown types, empty grids, code that is not SPIR-V. What a device can launch is the
// runner's to say.
func CheckBuild(b plugins.Build) error {
	if len(b.Passes) == 0 {
		return fmt.Errorf("no passes, expected at least one")
	}
	for i, m := range b.Modules {
		if err := checkModule(m); err != nil {
			return fmt.Errorf("module %d (%s): %w", i, m.Name, err)
		}
	}
	names := map[string]bool{}
	outputs := 0
	for i, f := range b.Buffers {
		if err := checkBuffer(f); err != nil {
			return fmt.Errorf("buffer %d (%s): %w", i, f.Name, err)
		}
		if names[f.Name] {
			return fmt.Errorf("two buffers have the name %s", f.Name)
		}
		names[f.Name] = true
		if f.Role == plugins.Output || f.Role == plugins.InOut {
			outputs++
		}
	}
	if outputs == 0 {
		return fmt.Errorf("no buffer is output or inout, expected at least one")
	}
	for i, p := range b.Passes {
		if err := checkPass(p, b); err != nil {
			return fmt.Errorf("pass %d: %w", i, err)
		}
	}
	for tensor, name := range b.Reference.Operands {
		if !names[name] {
			return fmt.Errorf("reference: operand %s is buffer %q, which does not exist", tensor, name)
		}
	}
	for _, n := range []float64{b.Flops, b.Bytes} {
		if !(n >= 0) || math.IsInf(n, 0) {
			return fmt.Errorf("%v operations or bytes, expected a finite number from 0", n)
		}
	}
	return nil
}

func checkModule(m plugins.Module) error {
	const header = 20 // five words: magic number, version, generator, bound, schema
	s := m.SPIRV
	if len(s) < header || len(s)%4 != 0 || s[0] != 0x03 || s[1] != 0x02 || s[2] != 0x23 || s[3] != 0x07 {
		return fmt.Errorf("%d bytes that do not begin as little-endian SPIR-V does", len(s))
	}
	return nil
}

func checkBuffer(f plugins.Buffer) error {
	if f.Name == "" {
		return fmt.Errorf("it has no name")
	}
	size := f.Type.Size()
	if size == 0 {
		return fmt.Errorf("element type %q, expected f32, f16, bf16, i32, u32, i8 or u8", f.Type)
	}
	if f.Elements < 1 || f.Elements > math.MaxInt64/size {
		return fmt.Errorf("%d elements, expected at least 1 and a size below 2^63 bytes", f.Elements)
	}
	if !slices.Contains([]plugins.Role{plugins.Input, plugins.Output, plugins.InOut, plugins.Scratch}, f.Role) {
		return fmt.Errorf("role %q, expected input, output, inout or scratch", f.Role)
	}
	return nil
}

func checkPass(p plugins.Pass, b plugins.Build) error {
	if p.Module < 0 || p.Module >= len(b.Modules) {
		return fmt.Errorf("module %d of %d", p.Module, len(b.Modules))
	}
	if p.Entry == "" {
		return fmt.Errorf("no entry point")
	}
	if p.Grid[0] == 0 || p.Grid[1] == 0 || p.Grid[2] == 0 {
		return fmt.Errorf("grid %v, expected at least one workgroup in each dimension", p.Grid)
	}
	if len(p.Push)%4 != 0 {
		return fmt.Errorf("%d bytes of push constants, expected a multiple of 4", len(p.Push))
	}
	for _, s := range p.Spec {
		if !slices.Contains([]int{1, 2, 4, 8}, len(s.Data)) {
			return fmt.Errorf("specialization constant %d has %d bytes, expected 1, 2, 4 or 8", s.ID, len(s.Data))
		}
	}
	type place struct{ set, binding uint32 }
	bound := map[place]bool{}
	for _, d := range p.Bindings {
		if d.Buffer < 0 || d.Buffer >= len(b.Buffers) {
			return fmt.Errorf("set %d binding %d: buffer %d of %d", d.Set, d.Binding, d.Buffer, len(b.Buffers))
		}
		if bound[place{d.Set, d.Binding}] {
			return fmt.Errorf("set %d binding %d is bound twice", d.Set, d.Binding)
		}
		bound[place{d.Set, d.Binding}] = true
	}
	return nil
}
