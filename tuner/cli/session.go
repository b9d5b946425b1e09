package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/configs"
	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner"
	"github.com/krisptune/krisptune/tuner/spec"
)

// specFlags are the flags of every command that reads a spec and opens a device.
type specFlags struct {
	set           []string
	allowSettings []string
	allowPlugins  []string
	unsafe        bool
	validate      bool
	seed          uint64
	budget        string
	strategy      string
	mode, gap     string
}

func (f *specFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.set, "set", nil, "driver setting NAME=VALUE for every arm (repeatable)")
	flags.StringArrayVar(&f.allowSettings, "allow-setting", nil, "driver variable that no knob table lists (repeatable)")
	flags.StringArrayVar(&f.allowPlugins, "allow-plugin", nil, "path of a third party's family executable (repeatable)")
	flags.BoolVar(&f.unsafe, "unsafe", false, "allow settings that are known to hang a device")
	flags.BoolVar(&f.validate, "validate", false, "turn the Khronos validation layer on: any message fails the candidate")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of search, inputs and order (default: the spec's)")
}

// registerMeasure adds the flags of commands that time.
func (f *specFlags) registerMeasure(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.mode, "mode", "", "hot (every launch uses the same buffers) or cold (buffers rotate past the last-level cache) (default: the spec's, else hot)")
	cmd.Flags().StringVar(&f.gap, "gap", "", "dependent (launches streamed in one submit) or submit (each waited for) (default: the spec's, else dependent)")
}

// registerSearch adds the flags of commands that search.
func (f *specFlags) registerSearch(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.budget, "budget", "", "evaluations (200) or a duration (20m) (default: the spec's)")
	cmd.Flags().StringVar(&f.strategy, "strategy", "", strings.Join(search.Names(), ", ")+" (default: the spec's)")
}

// open reads the spec, starts its family and opens the device. It returns the spec's text too.
func (f *specFlags) open(ctx context.Context, cmd *cobra.Command, c *common, name string, observer tuner.Observer) (*tuner.Session, string, error) {
	sp, text, err := loadSpec(name)
	if err != nil {
		return nil, "", usage(err)
	}
	if cmd.Flags().Changed("seed") {
		sp.Search.Seed = f.seed
	}
	if f.budget != "" {
		if sp.Search.Budget, err = spec.ParseBudget(f.budget); err != nil {
			return nil, "", usage(fmt.Errorf("--budget: %w", err))
		}
	}
	if f.strategy != "" {
		sp.Search.Strategy = f.strategy
		sp.Search.StrategyAt = spec.Position{File: "--strategy"}
	}
	mode, gap := plugins.Mode(f.mode), plugins.Gap(f.gap)
	if mode != "" {
		if _, err := plugins.ParseMode(f.mode); err != nil {
			return nil, "", usage(fmt.Errorf("--mode: %w", err))
		}
	}
	if gap != "" {
		if _, err := plugins.ParseGap(f.gap); err != nil {
			return nil, "", usage(fmt.Errorf("--gap: %w", err))
		}
	}
	settings, err := parseSettings(f.set)
	if err != nil {
		return nil, "", usage(err)
	}
	machine := &tuner.Host{BuiltIn: c.families, AllowPlugins: f.allowPlugins}
	s, err := tuner.Open(ctx, machine, sp, tuner.Options{Device: c.device, Settings: settings, AllowSettings: f.allowSettings,
		Unsafe: f.unsafe, Validate: f.validate, Mode: mode, Gap: gap}, observer)
	return s, text, err
}

// loadSpec reads a file or, if none has that name, an embedded spec.
func loadSpec(name string) (*spec.Spec, string, error) {
	if data, ok := configs.Kernel(name); ok {
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			sp, err := spec.Parse("configs/kernels/"+name+".toml", data)
			return sp, string(data), err
		}
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, "", &spec.Error{File: name, What: "there is no such file", Expected: "a spec, or an embedded one: " + strings.Join(configs.Kernels(), ", ")}
	}
	data, err := spec.Read(name)
	if err != nil {
		return nil, "", err
	}
	sp, err := spec.Parse(name, data)
	return sp, string(data), err
}

// parseSettings reads NAME=VALUE flags; a value may hold commas and equals signs.
func parseSettings(list []string) (map[string]string, error) {
	settings := map[string]string{}
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--set %q, expected NAME=VALUE", text)
		}
		settings[name] = value
	}
	return settings, nil
}
