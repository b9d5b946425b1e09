package launch

import (
	"errors"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
)

// Verdict says what an error of the device means for the candidate that met it, and whether
// the error is such: any other is a fault of ours or of the system.
func Verdict(err error) (plugins.Verdict, bool) {
	var timeout *vkrt.TimeoutError
	switch {
	case errors.As(err, &timeout):
		return plugins.Timeout, true
	case errors.Is(err, vkrt.ErrDeviceLost):
		return plugins.DeviceLost, true
	case errors.Is(err, vkrt.ErrOutOfMemory):
		return plugins.OutOfMemory, true
	}
	return "", false
}
