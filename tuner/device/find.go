package device

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/krisptune/krisptune/plugins"
)

// A Found is one device and the manifest of the driver that offers it ("" for the loader's own
// search, where no manifest was found).
type Found struct {
	plugins.Device
	Driver string
}

// A Failure is a driver that could not be asked.
type Failure struct {
	Driver string
	Err    error
}

// Lister asks one runner, confined to one driver manifest, for its devices.
type Lister func(ctx context.Context, driver string) ([]plugins.Device, error)

// ListTimeout is how long one driver may take to list its devices.
const ListTimeout = 20 * time.Second

// Find lists every device of every driver, numbered in order. A device that two manifests offer
// with the same driver is listed once.
func Find(ctx context.Context, drivers []string, list Lister) ([]Found, []Failure) {
	if len(drivers) == 0 {
		drivers = []string{""}
	}
	answers := make([][]plugins.Device, len(drivers))
	var mu sync.Mutex
	var failures []Failure
	g := errgroup.Group{}
	g.SetLimit(4)
	for i, d := range drivers {
		g.Go(func() error {
			ctx, cancel := context.WithTimeout(ctx, ListTimeout)
			defer cancel()
			devices, err := list(ctx, d)
			if err != nil {
				mu.Lock()
				failures = append(failures, Failure{d, err})
				mu.Unlock()
			}
			answers[i] = devices
			return nil
		})
	}
	_ = g.Wait() // failures carry the errors

	type key struct {
		uuid   string
		driver uint32
	}
	seen := map[key]bool{}
	var found []Found
	for i, devices := range answers {
		for _, d := range devices {
			if k := (key{d.UUID, d.DriverID}); !seen[k] {
				seen[k] = true
				d.Index = len(found)
				found = append(found, Found{d, drivers[i]})
			}
		}
	}
	return found, failures
}

// ErrNone is returned where a machine has no Vulkan device at all.
var ErrNone = errors.New("no Vulkan device was found, expected a driver (on a machine without a GPU, Mesa's lavapipe)")

// A SelectError is a --device that names no device, or more than one.
type SelectError struct {
	Want    string
	Matches []Found
	All     []Found
}

func (e *SelectError) Error() string {
	names := func(fs []Found) string {
		s := ""
		for i, f := range fs {
			if i > 0 {
				s += ", "
			}
			s += fmt.Sprintf("%d %s (%s)", f.Index, f.Name, f.DriverName)
		}
		return s
	}
	if len(e.Matches) > 1 {
		return fmt.Sprintf("device %q names %d devices, expected one: %s", e.Want, len(e.Matches), names(e.Matches))
	}
	return fmt.Sprintf("device %q is not there, expected an index, a part of a name, a UUID or a driver of: %s", e.Want, names(e.All))
}
