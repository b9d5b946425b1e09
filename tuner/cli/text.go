package cli

import (
	"errors"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/tuner/device"
	"github.com/krisptune/krisptune/tuner/spec"
)

// printable replaces control characters, so that a string from a device or a program cannot
// drive the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// noArgs refuses arguments as bad usage.
func noArgs(cmd *cobra.Command, args []string) error { return usage(cobra.NoArgs(cmd, args)) }

// isUsage reports whether an error is the user's input's.
func isUsage(err error) bool {
	var bad *spec.Error
	var which *device.SelectError
	return errors.As(err, &bad) || errors.As(err, &which) || strings.HasPrefix(err.Error(), "unknown command")
}
