package plugins

// A Config holds one value for every parameter of a family.
type Config map[string]Value

// String is the canonical spelling, in name order: "BK=16,BM=64".
func (c Config) String() string { return format(c) }

// Int returns the integer parameter name.
func (c Config) Int(name string) (int64, error) { return integer(c, name) }

// Text returns the string parameter name.
func (c Config) Text(name string) (string, error) { return text(c, name) }

// A Problem is one shape and data type that a family computes: m=4096,n=512,k=4096,a="f16".
type Problem map[string]Value

// String is the canonical spelling, in name order.
func (p Problem) String() string { return format(p) }

// Int returns the integer field name.
func (p Problem) Int(name string) (int64, error) { return integer(p, name) }

// Text returns the string field name.
func (p Problem) Text(name string) (string, error) { return text(p, name) }
