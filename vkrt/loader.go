package vkrt

/*
#cgo CFLAGS: -std=gnu11 -Wall
#cgo LDFLAGS: -ldl -pthread
#include "calls.h"
*/
import "C"

import (
	"sync"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// loadVulkan opens libvulkan.so.1 once and returns its vkGetInstanceProcAddr.
// The binding's own loader wants libvulkan.so, which only development packages have.
var loadVulkan = sync.OnceValues(func() (unsafe.Pointer, error) {
	var reason [512]C.char
	getProc := C.vkrt_loader(&reason[0], C.size_t(len(reason)))
	if getProc == nil {
		return nil, &NoLoaderError{Reason: C.GoString(&reason[0])}
	}
	vk.SetGetInstanceProcAddr(getProc)
	if err := vk.Init(); err != nil {
		return nil, &NoLoaderError{Reason: err.Error()}
	}
	return getProc, nil
})

var bindOnce sync.Once

// bindInstance fills the binding's process-wide function table. Core functions of
// the Khronos loader are trampolines that serve every instance, so the first
// instance's stay good after it is closed.
func bindInstance(handle vk.Instance) error {
	var err error
	bindOnce.Do(func() { err = vk.InitInstance(handle) })
	return err
}
