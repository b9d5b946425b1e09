package vkrt

import (
	"errors"
	"fmt"
	"time"

	vk "github.com/vulkan-go/vulkan"
)

// Errors that a *ResultError wraps, for errors.Is.
var (
	ErrDeviceLost  = errors.New("device lost")
	ErrOutOfMemory = errors.New("out of memory")
)

// A ResultError is a Vulkan call that returned an error code.
type ResultError struct {
	Op     string // the Vulkan function
	Result vk.Result
}

func (e *ResultError) Error() string {
	if name, ok := resultNames[e.Result]; ok {
		return e.Op + ": " + name
	}
	return fmt.Sprintf("%s: VkResult %d", e.Op, e.Result)
}

// Unwrap maps the code to ErrDeviceLost or ErrOutOfMemory where it is one of them.
func (e *ResultError) Unwrap() error {
	switch e.Result {
	case vk.ErrorDeviceLost:
		return ErrDeviceLost
	case vk.ErrorOutOfHostMemory, vk.ErrorOutOfDeviceMemory, vk.ErrorOutOfPoolMemory,
		vk.ErrorFragmentedPool, vk.ErrorTooManyObjects:
		return ErrOutOfMemory
	}
	return nil
}

// check turns the result of the Vulkan function op into an error.
func check(op string, result vk.Result) error {
	if result == vk.Success {
		return nil
	}
	return &ResultError{Op: op, Result: result}
}

// A TimeoutError is a submit that did not finish by its deadline. The device may
// still be running it: the process must exit without closing the device.
type TimeoutError struct{ Deadline time.Duration }

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("the device did not finish within %v", e.Deadline)
}

// Timeout reports true, as net.Error's does.
func (e *TimeoutError) Timeout() bool { return true }

// A NoLoaderError says that libvulkan.so.1 cannot be opened.
type NoLoaderError struct{ Reason string }

func (e *NoLoaderError) Error() string {
	return "no Vulkan loader: " + e.Reason + " (Debian package libvulkan1, Fedora vulkan-loader)"
}

// A MissingLayerError says that the validation layer, or the debug utils
// extension that it reports through, is not installed.
type MissingLayerError struct{ Layer string }

func (e *MissingLayerError) Error() string {
	return "Vulkan layer " + e.Layer + " with VK_EXT_debug_utils is not installed" +
		" (Debian package vulkan-validationlayers, Fedora vulkan-validation-layers)"
}

var resultNames = map[vk.Result]string{
	vk.NotReady:                  "VK_NOT_READY",
	vk.Timeout:                   "VK_TIMEOUT",
	vk.Incomplete:                "VK_INCOMPLETE",
	vk.ErrorOutOfHostMemory:      "VK_ERROR_OUT_OF_HOST_MEMORY",
	vk.ErrorOutOfDeviceMemory:    "VK_ERROR_OUT_OF_DEVICE_MEMORY",
	vk.ErrorInitializationFailed: "VK_ERROR_INITIALIZATION_FAILED",
	vk.ErrorDeviceLost:           "VK_ERROR_DEVICE_LOST",
	vk.ErrorMemoryMapFailed:      "VK_ERROR_MEMORY_MAP_FAILED",
	vk.ErrorLayerNotPresent:      "VK_ERROR_LAYER_NOT_PRESENT",
	vk.ErrorExtensionNotPresent:  "VK_ERROR_EXTENSION_NOT_PRESENT",
	vk.ErrorFeatureNotPresent:    "VK_ERROR_FEATURE_NOT_PRESENT",
	vk.ErrorIncompatibleDriver:   "VK_ERROR_INCOMPATIBLE_DRIVER",
	vk.ErrorTooManyObjects:       "VK_ERROR_TOO_MANY_OBJECTS",
	vk.ErrorFragmentedPool:       "VK_ERROR_FRAGMENTED_POOL",
	vk.ErrorOutOfPoolMemory:      "VK_ERROR_OUT_OF_POOL_MEMORY",
	vk.ErrorInvalidShaderNv:      "VK_ERROR_INVALID_SHADER_NV",
	vk.Result(-13):               "VK_ERROR_UNKNOWN",
}
