// Package shaders holds the kernels of the built-in families, GLSL source and SPIR-V side by
// side. TOOLCHAIN says which compiler makes them, and how.
package shaders

import (
	"embed"
	"fmt"
)

//go:generate go run ./internal/generate

//go:embed */*.spv
var modules embed.FS

// SPIRV returns a module by its path without the suffix: "matmul/tiled_f32_f32". The bytes
// are the caller's own.
func SPIRV(name string) ([]byte, error) {
	data, err := modules.ReadFile(name + ".spv")
	if err != nil {
		return nil, fmt.Errorf("no shader %q", name)
	}
	return data, nil
}
