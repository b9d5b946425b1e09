package plugins

import "context"

// A Family serves one kind of kernel. Its methods are called concurrently and must not keep
// state that changes an answer: equal requests get equal answers.
type Family interface {
	// Describe says what can be tuned. It is called once after start.
	Describe(ctx context.Context) (Info, error)
	// Build turns one problem and one configuration into modules, buffers and passes.
	// A configuration or problem that the family does not support is a *RequestError.
	Build(ctx context.Context, problem Problem, config Config) (Build, error)
}

// A FamilyWithReference computes its own reference, for operations that plugins/reference does
// not name. It is asked only when a Build's Reference has no Op.
type FamilyWithReference interface {
	Family
	// Reference reads the inputs that the runner made and writes, for every output, its
	// float64 value and its error bound.
	Reference(ctx context.Context, req ReferenceRequest) error
}

// A ReferenceRequest names files in the session folder. Each holds one array, little-endian,
// without a header: inputs in the element type of their buffer, references and bounds as
// float64, one value for each element of the output.
type ReferenceRequest struct {
	Problem Problem
	Config  Config
	// Exact is set when the inputs are small integers and the answer must be exact: the
	// bounds are then ignored.
	Exact bool
	// Inputs, Outputs and Bounds map a buffer's name to a file's path.
	Inputs, Outputs, Bounds map[string]string
}

// A RequestError is a problem or configuration that a family refuses, in words for its author.
type RequestError struct{ Reason string }

func (e *RequestError) Error() string { return e.Reason }

// Info is a family's description of itself.
type Info struct {
	Name    string
	Version string
	Doc     string // one line
	// Fields are what a problem consists of.
	Fields []Field
	// Params are the tunables, each with its default domain.
	Params []Param
	// Constraints are boolean expressions over parameters, fields and device limits (the
	// names in LimitNames). A configuration outside them is never built.
	Constraints []string
	// Baseline is the configuration that a user runs today; a spec may name another.
	Baseline Config
}

// A Field is one part of a problem.
type Field struct {
	Name string
	Doc  string
	Type ValueType
	// Values are the values allowed; empty allows every value of Type.
	Values []Value
	// Default stands in where a spec names none; nil makes the field required.
	Default Value
	// Min and Multiple bound an integer field: at least Min, and a multiple of Multiple
	// (0 means 1).
	Min, Multiple int64
	// Tile is an integer expression over the parameters: the size that one workgroup covers
	// in this field. The guard checks sizes around its multiples. Empty means that other
	// sizes than the problem's are not supported.
	Tile string
	// Reduced is set for a field that the kernel sums over: the guard then also checks a
	// size far beyond one tile.
	Reduced bool
}

// A Param is one tunable.
type Param struct {
	Name string
	Doc  string
	Kind ParamKind
	Type ValueType
	// Values is the default domain, in an order in which neighbours are similar.
	Values []Value
}

// A ParamKind says where a parameter acts.
type ParamKind string

const (
	Spec   ParamKind = "spec"   // a specialization constant
	Define ParamKind = "define" // a compile-time define: another shader variant
	Option ParamKind = "option" // a pipeline option, such as the required subgroup size
	Host   ParamKind = "host"   // a choice of the host: split_k, grid, barrier placement
)
