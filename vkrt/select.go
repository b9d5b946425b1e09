package vkrt

import (
	"fmt"
	"strconv"
	"strings"
)

// A SelectError says why Select chose nothing, and what there is.
type SelectError struct {
	Want      string
	Ambiguous []int // the matches, when there are several
	Devices   []string
}

func (e *SelectError) Error() string {
	var b strings.Builder
	switch {
	case len(e.Devices) == 0:
		return "no Vulkan device"
	case len(e.Ambiguous) > 0:
		fmt.Fprintf(&b, "device %q matches %d devices, want one of:", e.Want, len(e.Ambiguous))
		for _, i := range e.Ambiguous {
			fmt.Fprintf(&b, " %d: %s;", i, e.Devices[i])
		}
	default:
		fmt.Fprintf(&b, "no device %q (index, part of a name, UUID or driver name), there is:", e.Want)
		for i, d := range e.Devices {
			fmt.Fprintf(&b, " %d: %s;", i, d)
		}
	}
	return strings.TrimSuffix(b.String(), ";")
}

// Select returns the index in caps of the device that want names: an index, a
// device UUID, a name or part of it, a driver name or part of it, tried in that
// order and without regard to case. An empty want takes the first discrete device,
// then integrated, virtual, other and CPU devices. The error is a *SelectError.
func Select(caps []Caps, want string) (int, error) {
	e := &SelectError{Want: want}
	for _, c := range caps {
		e.Devices = append(e.Devices, fmt.Sprintf("%s (%s)", c.Name, c.DriverName))
	}
	if want == "" {
		for _, kind := range []string{"discrete", "integrated", "virtual", "other", "cpu"} {
			for i, c := range caps {
				if c.Type == kind {
					return i, nil
				}
			}
		}
		return 0, e
	}
	if i, err := strconv.Atoi(want); err == nil && 0 <= i && i < len(caps) {
		return i, nil
	}
	lower := strings.ToLower(want)
	uuid := strings.ReplaceAll(lower, "-", "")
	for _, match := range []func(Caps) bool{
		func(c Caps) bool { return c.DeviceUUID == uuid },
		func(c Caps) bool { return strings.ToLower(c.Name) == lower },
		func(c Caps) bool { return strings.Contains(strings.ToLower(c.Name), lower) },
		func(c Caps) bool { return strings.ToLower(c.DriverName) == lower },
		func(c Caps) bool { return strings.Contains(strings.ToLower(c.DriverName), lower) },
	} {
		var found []int
		for i, c := range caps {
			if match(c) {
				found = append(found, i)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			e.Ambiguous = found
			return 0, e
		}
	}
	return 0, e
}
