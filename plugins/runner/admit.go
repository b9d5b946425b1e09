package runner

import (
	"fmt"
	"math"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/spirv"
)

// admit looks at a build before the driver sees any of it. Drivers compile kernels beyond
// their limits without a word, and a family may be a stranger's: what it says is not trusted.
func admit(caps vkrt.Caps, b plugins.Build) (plugins.Verdict, plugins.Evidence) {
	if err := wellFormed(b); err != nil {
		return plugins.Invalid, plugins.Evidence{Check: "build", Message: err.Error()}
	}
	if err := withinLimits(caps, b); err != nil {
		return plugins.DeviceLimit, plugins.Evidence{Check: "limits", Message: err.Error()}
	}
	for i, pass := range b.Passes {
		verdict, check := plugins.Invalid, "build"
		module, err := spirv.Reflect(b.Modules[pass.Module].SPIRV)
		if err == nil {
			err = moduleWellFormed(module, pass)
		}
		if err == nil {
			verdict, check = plugins.DeviceLimit, "limits"
			err = moduleWithinLimits(caps, module, pass)
		}
		if err != nil {
			return verdict, plugins.Evidence{Check: check,
				Message: fmt.Sprintf("pass %d, module %s: %v", i, b.Modules[pass.Module].Name, err)}
		}
	}
	return plugins.OK, plugins.Evidence{}
}

// wellFormed says what makes no sense in a build on any device.
func wellFormed(b plugins.Build) error {
	if len(b.Passes) == 0 {
		return fmt.Errorf("the build has no pass")
	}
	names := make(map[string]bool)
	outputs := 0
	for _, buf := range b.Buffers {
		switch {
		case buf.Type.Size() == 0:
			return fmt.Errorf("buffer %q has the unknown type %q", buf.Name, buf.Type)
		case buf.Elements <= 0 || buf.Elements > math.MaxInt64/8 || buf.Rows < 0:
			return fmt.Errorf("buffer %q has %d elements in rows of %d, expected positive numbers", buf.Name, buf.Elements, buf.Rows)
		case names[buf.Name]:
			return fmt.Errorf("two buffers are named %q", buf.Name)
		}
		names[buf.Name] = true
		switch buf.Role {
		case plugins.Output, plugins.InOut:
			outputs++
		case plugins.Input, plugins.Scratch:
		default:
			return fmt.Errorf("buffer %q has the unknown role %q", buf.Name, buf.Role)
		}
	}
	if outputs == 0 {
		return fmt.Errorf("the build has no output or inout buffer: there is nothing to check")
	}
	for i, pass := range b.Passes {
		if err := passWellFormed(b, pass); err != nil {
			return fmt.Errorf("pass %d: %w", i, err)
		}
	}
	return nil
}

func passWellFormed(b plugins.Build, pass plugins.Pass) error {
	if pass.Module < 0 || pass.Module >= len(b.Modules) {
		return fmt.Errorf("module %d of %d does not exist", pass.Module, len(b.Modules))
	}
	if pass.Entry == "" {
		return fmt.Errorf("the entry point has no name")
	}
	if len(pass.Push)%4 != 0 {
		return fmt.Errorf("%d bytes of push constants, expected a multiple of 4", len(pass.Push))
	}
	for axis, n := range pass.Grid {
		if n == 0 {
			return fmt.Errorf("the grid is %v: axis %d is empty", pass.Grid, axis)
		}
	}
	for _, s := range pass.Spec {
		switch len(s.Data) {
		case 1, 2, 4, 8:
		default:
			return fmt.Errorf("specialization constant %d has %d bytes, expected 1, 2, 4 or 8", s.ID, len(s.Data))
		}
	}
	at := make(map[[2]uint32]bool)
	for _, bind := range pass.Bindings {
		if bind.Buffer < 0 || bind.Buffer >= len(b.Buffers) {
			return fmt.Errorf("binding (%d, %d) is buffer %d of %d", bind.Set, bind.Binding, bind.Buffer, len(b.Buffers))
		}
		if at[[2]uint32{bind.Set, bind.Binding}] {
			return fmt.Errorf("binding (%d, %d) is given twice", bind.Set, bind.Binding)
		}
		at[[2]uint32{bind.Set, bind.Binding}] = true
	}
	return nil
}
