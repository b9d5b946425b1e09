package wire

import (
	"fmt"
	"maps"
	"slices"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/pb"
)

func valueToWire(v plugins.Value) (*pb.Value, error) {
	switch v := v.(type) {
	case int64:
		return &pb.Value{Kind: &pb.Value_IntValue{IntValue: v}}, nil
	case float64:
		return &pb.Value{Kind: &pb.Value_FloatValue{FloatValue: v}}, nil
	case string:
		return &pb.Value{Kind: &pb.Value_StringValue{StringValue: v}}, nil
	case bool:
		return &pb.Value{Kind: &pb.Value_BoolValue{BoolValue: v}}, nil
	}
	return nil, fmt.Errorf("%T is not a value, expected int64, float64, string or bool", v)
}

func valueFromWire(v *pb.Value) (plugins.Value, error) {
	switch k := v.GetKind().(type) {
	case *pb.Value_IntValue:
		return k.IntValue, nil
	case *pb.Value_FloatValue:
		return k.FloatValue, nil
	case *pb.Value_StringValue:
		return k.StringValue, nil
	case *pb.Value_BoolValue:
		return k.BoolValue, nil
	}
	return nil, fmt.Errorf("a value is empty, expected int, float, string or bool")
}

func valuesToWire(values []plugins.Value) ([]*pb.Value, error) {
	return convert(values, valueToWire)
}

func valuesFromWire(values []*pb.Value) ([]plugins.Value, error) {
	return convert(values, valueFromWire)
}

// assignmentToWire serves Config, Problem and Reference.Args, which are all maps of values.
func assignmentToWire(m map[string]plugins.Value) (map[string]*pb.Value, error) {
	return convertMap(m, valueToWire)
}

func assignmentFromWire(m map[string]*pb.Value) (map[string]plugins.Value, error) {
	return convertMap(m, valueFromWire)
}

func infoToWire(info plugins.Info) (*pb.Info, error) {
	fields, err := convert(info.Fields, fieldToWire)
	if err != nil {
		return nil, fmt.Errorf("fields: %w", err)
	}
	params, err := convert(info.Params, paramToWire)
	if err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	baseline, err := assignmentToWire(info.Baseline)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	return &pb.Info{Name: info.Name, Version: info.Version, Doc: info.Doc, Fields: fields, Params: params,
		Constraints: info.Constraints, Baseline: baseline}, nil
}

func infoFromWire(info *pb.Info) (plugins.Info, error) {
	fields, err := convert(info.GetFields(), fieldFromWire)
	if err != nil {
		return plugins.Info{}, fmt.Errorf("fields: %w", err)
	}
	params, err := convert(info.GetParams(), paramFromWire)
	if err != nil {
		return plugins.Info{}, fmt.Errorf("params: %w", err)
	}
	baseline, err := assignmentFromWire(info.GetBaseline())
	if err != nil {
		return plugins.Info{}, fmt.Errorf("baseline: %w", err)
	}
	return plugins.Info{Name: info.GetName(), Version: info.GetVersion(), Doc: info.GetDoc(), Fields: fields,
		Params: params, Constraints: info.GetConstraints(), Baseline: baseline}, nil
}

func fieldToWire(f plugins.Field) (*pb.Field, error) {
	values, err := valuesToWire(f.Values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	w := &pb.Field{Name: f.Name, Doc: f.Doc, Type: string(f.Type), Values: values, Min: f.Min,
		Multiple: f.Multiple, Tile: f.Tile, Reduced: f.Reduced}
	if f.Default != nil {
		if w.Default, err = valueToWire(f.Default); err != nil {
			return nil, fmt.Errorf("%s: default: %w", f.Name, err)
		}
	}
	return w, nil
}

func fieldFromWire(w *pb.Field) (plugins.Field, error) {
	values, err := valuesFromWire(w.GetValues())
	if err != nil {
		return plugins.Field{}, fmt.Errorf("%s: %w", w.GetName(), err)
	}
	f := plugins.Field{Name: w.GetName(), Doc: w.GetDoc(), Type: plugins.ValueType(w.GetType()), Values: values,
		Min: w.GetMin(), Multiple: w.GetMultiple(), Tile: w.GetTile(), Reduced: w.GetReduced()}
	if w.GetDefault() != nil {
		if f.Default, err = valueFromWire(w.GetDefault()); err != nil {
			return plugins.Field{}, fmt.Errorf("%s: default: %w", f.Name, err)
		}
	}
	return f, nil
}

func paramToWire(p plugins.Param) (*pb.Param, error) {
	values, err := valuesToWire(p.Values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return &pb.Param{Name: p.Name, Doc: p.Doc, Kind: string(p.Kind), Type: string(p.Type), Values: values}, nil
}

func paramFromWire(w *pb.Param) (plugins.Param, error) {
	values, err := valuesFromWire(w.GetValues())
	if err != nil {
		return plugins.Param{}, fmt.Errorf("%s: %w", w.GetName(), err)
	}
	return plugins.Param{Name: w.GetName(), Doc: w.GetDoc(), Kind: plugins.ParamKind(w.GetKind()),
		Type: plugins.ValueType(w.GetType()), Values: values}, nil
}

// buildToWire writes each module's code with module, so that a batch can share it.
func buildToWire(b plugins.Build, module func(plugins.Module) *pb.Module) (*pb.Build, error) {
	args, err := assignmentToWire(b.Reference.Args)
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	w := &pb.Build{Flops: b.Flops, Bytes: b.Bytes,
		Reference: &pb.Reference{Op: b.Reference.Op, Args: args, Operands: b.Reference.Operands}}
	for _, m := range b.Modules {
		w.Modules = append(w.Modules, module(m))
	}
	for _, f := range b.Buffers {
		w.Buffers = append(w.Buffers, &pb.Buffer{Name: f.Name, Type: string(f.Type), Elements: f.Elements,
			Role: string(f.Role), Rows: f.Rows})
	}
	for _, p := range b.Passes {
		w.Passes = append(w.Passes, passToWire(p))
	}
	return w, nil
}

func buildFromWire(w *pb.Build, module func(*pb.Module) (plugins.Module, error)) (plugins.Build, error) {
	args, err := assignmentFromWire(w.GetReference().GetArgs())
	if err != nil {
		return plugins.Build{}, fmt.Errorf("reference: %w", err)
	}
	b := plugins.Build{Flops: w.GetFlops(), Bytes: w.GetBytes(), Reference: plugins.Reference{
		Op: w.GetReference().GetOp(), Args: args, Operands: w.GetReference().GetOperands()}}
	if b.Modules, err = convert(w.GetModules(), module); err != nil {
		return plugins.Build{}, fmt.Errorf("modules: %w", err)
	}
	for _, f := range w.GetBuffers() {
		b.Buffers = append(b.Buffers, plugins.Buffer{Name: f.GetName(), Type: plugins.ElementType(f.GetType()),
			Elements: f.GetElements(), Role: plugins.Role(f.GetRole()), Rows: f.GetRows()})
	}
	for _, p := range w.GetPasses() {
		b.Passes = append(b.Passes, passFromWire(p))
	}
	return b, nil
}

// moduleToWire carries the code inline.
func moduleToWire(m plugins.Module) *pb.Module {
	return &pb.Module{Name: m.Name, Code: &pb.Module_Spirv{Spirv: m.SPIRV}}
}

func moduleFromWire(w *pb.Module) (plugins.Module, error) {
	code, ok := w.GetCode().(*pb.Module_Spirv)
	if !ok {
		return plugins.Module{}, fmt.Errorf("%s carries no SPIR-V", w.GetName())
	}
	return plugins.Module{Name: w.GetName(), SPIRV: code.Spirv}, nil
}

func passToWire(p plugins.Pass) *pb.Pass {
	w := &pb.Pass{Module: int64(p.Module), Entry: p.Entry, Push: p.Push, SubgroupSize: p.SubgroupSize,
		Grid: &pb.Grid{X: p.Grid[0], Y: p.Grid[1], Z: p.Grid[2]}}
	for _, s := range p.Spec {
		w.Spec = append(w.Spec, &pb.SpecConstant{Id: s.ID, Data: s.Data})
	}
	for _, b := range p.Bindings {
		w.Bindings = append(w.Bindings, &pb.Binding{Set: b.Set, Binding: b.Binding, Buffer: int64(b.Buffer)})
	}
	return w
}

func passFromWire(w *pb.Pass) plugins.Pass {
	g := w.GetGrid()
	p := plugins.Pass{Module: int(w.GetModule()), Entry: w.GetEntry(), Push: w.GetPush(),
		SubgroupSize: w.GetSubgroupSize(), Grid: [3]uint32{g.GetX(), g.GetY(), g.GetZ()}}
	for _, s := range w.GetSpec() {
		p.Spec = append(p.Spec, plugins.SpecConstant{ID: s.GetId(), Data: s.GetData()})
	}
	for _, b := range w.GetBindings() {
		p.Bindings = append(p.Bindings, plugins.Binding{Set: b.GetSet(), Binding: b.GetBinding(),
			Buffer: int(b.GetBuffer())})
	}
	return p
}

func referenceToWire(r plugins.ReferenceRequest) (*pb.ReferenceRequest, error) {
	problem, err := assignmentToWire(r.Problem)
	if err != nil {
		return nil, fmt.Errorf("problem: %w", err)
	}
	config, err := assignmentToWire(r.Config)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return &pb.ReferenceRequest{Problem: problem, Config: config, Exact: r.Exact, Inputs: r.Inputs,
		Outputs: r.Outputs, Bounds: r.Bounds}, nil
}

func referenceFromWire(w *pb.ReferenceRequest) (plugins.ReferenceRequest, error) {
	problem, err := assignmentFromWire(w.GetProblem())
	if err != nil {
		return plugins.ReferenceRequest{}, fmt.Errorf("problem: %w", err)
	}
	config, err := assignmentFromWire(w.GetConfig())
	if err != nil {
		return plugins.ReferenceRequest{}, fmt.Errorf("configuration: %w", err)
	}
	return plugins.ReferenceRequest{Problem: problem, Config: config, Exact: w.GetExact(), Inputs: w.GetInputs(),
		Outputs: w.GetOutputs(), Bounds: w.GetBounds()}, nil
}

// convert maps a list; an empty list becomes nil, for the wire does not tell them apart.
func convert[A, B any](list []A, one func(A) (B, error)) ([]B, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		b, err := one(a)
		if err != nil {
			return nil, err
		}
		out[i] = b
	}
	return out, nil
}

// convertMap maps values in name order, so that of several errors always the same one is told.
func convertMap[A, B any](m map[string]A, one func(A) (B, error)) (map[string]B, error) {
	if len(m) == 0 {
		return nil, nil
	}
	out := make(map[string]B, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		b, err := one(m[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = b
	}
	return out, nil
}
