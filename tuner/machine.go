package tuner

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/krisptune/krisptune/configs"
	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/tuner/arm"
	"github.com/krisptune/krisptune/tuner/device"
)

// A Machine is what a session needs of the computer it runs on. This is the real one's
// interface; tests bring machines without a device.
type Machine interface {
	// Family starts the family of that name.
	Family(ctx context.Context, name string) (FamilyProcess, error)
	// Devices lists the devices of every driver.
	Devices(ctx context.Context) ([]device.Found, []device.Failure)
	// Runner starts a runner that sees the device's driver alone, in the arm's environment,
	// and says what that environment is and which of the host's variables it lacks.
	Runner(ctx context.Context, d device.Found, a arm.Arm) (Process, Environment, error)
	// Lock is the lock of a device.
	Lock(uuid string) (DeviceLock, error)
}

// A FamilyProcess is a running family.
type FamilyProcess interface {
	Family() plugins.Family
	Info() plugins.Info
	Kill() error
}

// An Environment is what a runner was started with.
type Environment struct {
	Set, Removed []string
	// CacheDir is the arm's own folder for compiled code.
	CacheDir string
}

// A DeviceLock keeps other tuners of this host off a device: guarding holds it shared, timing
// exclusively. Taking it gives up what is held.
type DeviceLock interface {
	Shared(ctx context.Context) error
	Exclusive(ctx context.Context) error
	Unlock()
}

// Host is the machine that this process runs on.
type Host struct {
	// BuiltIn names the families that this program serves itself.
	BuiltIn []string
	// AllowPlugins are executables of third parties that the user allowed.
	AllowPlugins []string
	// Program is the binary that serves runners; empty takes this process's.
	Program string
}

var _ Machine = (*Host)(nil)

// Family implements Machine.
func (h *Host) Family(ctx context.Context, name string) (FamilyProcess, error) {
	command, err := host.FindFamily(name, h.BuiltIn, h.AllowPlugins)
	if err != nil {
		return nil, err
	}
	return host.StartFamily(ctx, command)
}

// Devices implements Machine.
func (h *Host) Devices(ctx context.Context) ([]device.Found, []device.Failure) {
	return device.Find(ctx, device.Drivers(os.Getenv), func(ctx context.Context, driver string) ([]plugins.Device, error) {
		p, _, err := h.runner(ctx, driver, "devices", arm.New(nil, nil))
		if err != nil {
			return nil, err
		}
		defer p.Kill()
		return p.Runner().Devices(ctx)
	})
}

// Runner implements Machine.
func (h *Host) Runner(ctx context.Context, d device.Found, a arm.Arm) (Process, Environment, error) {
	return h.runner(ctx, d.Driver, cacheName(d.Device, a), a)
}

func (h *Host) runner(ctx context.Context, driver, cache string, a arm.Arm) (*host.RunnerProcess, Environment, error) {
	program := h.Program
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return nil, Environment{}, err
		}
	}
	folder, err := cacheFolder(cache)
	if err != nil {
		return nil, Environment{}, err
	}
	settings := maps.Clone(a.Set)
	if driver != "" {
		// One manifest alone: another vendor's driver can neither crash the runner nor slow it.
		settings["VK_DRIVER_FILES"], settings["VK_ICD_FILENAMES"] = driver, driver
	}
	env, removed := host.Environment(os.Environ(), append(configs.KnobNames(), a.Unset...), settings, folder)
	p, err := host.StartRunner(ctx, host.RunnerCommand{Path: program, Args: []string{"runner"}, Env: env})
	if err != nil {
		return nil, Environment{}, err
	}
	return p, Environment{env, removed, folder}, nil
}

// Lock implements Machine.
func (h *Host) Lock(uuid string) (DeviceLock, error) { return host.NewDeviceLock(uuid) }

// cacheName is the folder of one device, driver and arm: Mesa's shader cache does not key on
// every variable, and a driver update must not meet old pipelines.
func cacheName(d plugins.Device, a arm.Arm) string {
	return fmt.Sprintf("%s-%d-%s-%s", d.UUID, d.DriverID, clean(d.DriverVersion), a.Hash())
}

// clean keeps what is safe in a file's name.
func clean(s string) string {
	out := []rune(s)
	for i, r := range out {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.' {
			out[i] = '_'
		}
	}
	return string(out)
}

// cacheFolder makes a private folder under the user's cache folder.
func cacheFolder(name string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: %w", err)
	}
	dir := filepath.Join(base, "krisptune", "arms", name)
	return dir, os.MkdirAll(dir, 0o700)
}

// cacheFile is the arm's pipeline cache.
func (e Environment) cacheFile() string {
	if e.CacheDir == "" {
		return ""
	}
	return filepath.Join(e.CacheDir, "pipelines.bin")
}
