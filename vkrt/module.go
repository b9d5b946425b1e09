package vkrt

// #include "calls.h"
import "C"

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// A Module is SPIR-V that the driver has taken, not yet compiled.
type Module struct {
	d      *Device
	handle vk.ShaderModule
}

const spirvMagic = 0x07230203

// NewModule makes a module of SPIR-V in either byte order. It checks size and
// magic number only: a driver may crash on invalid code, so run modules of
// unknown origin through a validator first.
func (d *Device) NewModule(spirv []byte) (*Module, error) {
	words, err := spirvWords(spirv)
	if err != nil {
		return nil, err
	}
	var out unsafe.Pointer
	result := C.vkrt_module_create(d.c, (*C.uint32_t)(&words[0]), C.size_t(len(spirv)), &out)
	if err := check("vkCreateShaderModule", vk.Result(result)); err != nil {
		return nil, err
	}
	return &Module{d: d, handle: vk.ShaderModule(out)}, nil
}

// spirvWords copies SPIR-V to words of the host's order: a []byte may lie on an odd address.
func spirvWords(spirv []byte) ([]uint32, error) {
	if len(spirv) < 20 || len(spirv)%4 != 0 {
		return nil, fmt.Errorf("SPIR-V of %d bytes, want a multiple of 4 and at least 20", len(spirv))
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(spirv) != spirvMagic {
		order = binary.BigEndian
	}
	if magic := order.Uint32(spirv); magic != spirvMagic {
		return nil, fmt.Errorf("SPIR-V begins with % x, want the magic number 0x%08x", spirv[:4], spirvMagic)
	}
	words := make([]uint32, len(spirv)/4)
	for i := range words {
		words[i] = order.Uint32(spirv[4*i:])
	}
	return words, nil
}

// Close destroys the module; pipelines made from it stay good.
func (m *Module) Close() {
	if m.d.wedged.Load() {
		return
	}
	vk.DestroyShaderModule(m.d.handle(), m.handle, nil)
	m.handle = vk.NullShaderModule
}
