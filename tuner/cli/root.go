// Package cli is the command line: one file for each command, each a thin layer over the core.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/tuner"
)

// Exit codes are a contract with scripts.
const (
	exitDone        = 0
	exitFailure     = 1
	exitUsage       = 2   // bad usage or a bad input file
	exitRejected    = 3   // the check failed, nothing passed the guard, or the baseline is wrong
	exitInterrupted = 130 // results kept
)

// An exitError carries an exit code; an empty message prints nothing.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}
func (e *exitError) Unwrap() error { return e.err }

// usage marks err as the user's: exit code 2.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitUsage, err}
}

// common holds the flags that every command takes.
type common struct {
	device string
	json   bool
	quiet  bool

	stdout, stderr io.Writer
	args           []string // the command line, for evidence
	families       []string // those that this program serves itself
}

// Run executes one command line and returns its exit code. Families names the built-in ones.
func Run(ctx context.Context, args, families []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	c := &common{stdout: stdout, stderr: stderr, args: args, families: families}
	root := &cobra.Command{
		Use:           "krisptune",
		Short:         "Tune Vulkan compute kernels: prove each candidate correct, then time it",
		Version:       tuner.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
	root.PersistentFlags().StringVar(&c.device, "device", "", "index, part of the name, UUID or driver name (default: discrete, then integrated, CPU last)")
	root.PersistentFlags().BoolVar(&c.json, "json", false, "print one JSON document on standard output")
	root.PersistentFlags().BoolVar(&c.quiet, "quiet", false, "print results and errors only")
	root.AddCommand(devicesCommand(c), tuneCommand(c), spaceCommand(c), checkCommand(c), pluginsCommand(c),
		benchCommand(c), runsCommand(c), showCommand(c), exportCommand(c), simulateCommand(c))

	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil {
		if err != nil && !errors.Is(err, context.Canceled) && err.Error() != "" {
			fmt.Fprintln(stderr, "krisptune:", err)
		}
		return exitInterrupted
	}
	var exit *exitError
	if errors.As(err, &exit) {
		if exit.err != nil {
			fmt.Fprintln(stderr, "krisptune:", exit.err)
		}
		return exit.code
	}
	fmt.Fprintln(stderr, "krisptune:", err)
	if isUsage(err) {
		return exitUsage
	}
	return exitFailure
}
