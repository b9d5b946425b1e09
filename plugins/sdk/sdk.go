// Package sdk is what the author of a kernel family imports. A family is one Go type with two
// methods, Describe and Build; its program is
//
//	func main() { sdk.Main(myFamily{}) }
//
// built as krisptune-family-NAME. It needs no Vulkan and no device.
package sdk

import (
	"context"
	"sync"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/wire"
)

// Main serves f to the krisptune process that started this one, and returns when it is told to
// stop. It ends the process at once when that process is gone. Standard output belongs to it:
// print to standard error.
//
// Requests that do not fit f's own description (CheckRequest) are refused before f sees them,
// and a method that panics answers with an error.
func Main(f plugins.Family) {
	wire.ServeFamily(Checked(f))
}

// Checked is f behind CheckRequest. It computes references if f does.
func Checked(f plugins.Family) plugins.Family {
	c := &checked{family: f}
	if r, ok := f.(plugins.FamilyWithReference); ok {
		return &checkedWithReference{checked: c, reference: r}
	}
	return c
}

type checked struct {
	family plugins.Family
	mu     sync.Mutex
	info   *plugins.Info
}

var _ plugins.Family = (*checked)(nil)
var _ plugins.FamilyWithReference = (*checkedWithReference)(nil)

func (c *checked) Describe(ctx context.Context) (plugins.Info, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.info != nil {
		return *c.info, nil
	}
	info, err := c.family.Describe(ctx)
	if err != nil {
		return plugins.Info{}, err
	}
	c.info = &info
	return info, nil
}

func (c *checked) Build(ctx context.Context, problem plugins.Problem, config plugins.Config) (plugins.Build, error) {
	info, err := c.Describe(ctx)
	if err != nil {
		return plugins.Build{}, err
	}
	if err := CheckRequest(info, problem, config); err != nil {
		return plugins.Build{}, err
	}
	return c.family.Build(ctx, problem, config)
}

type checkedWithReference struct {
	*checked
	reference plugins.FamilyWithReference
}

func (c *checkedWithReference) Reference(ctx context.Context, req plugins.ReferenceRequest) error {
	info, err := c.Describe(ctx)
	if err != nil {
		return err
	}
	if err := CheckRequest(info, req.Problem, req.Config); err != nil {
		return err
	}
	return c.reference.Reference(ctx, req)
}
