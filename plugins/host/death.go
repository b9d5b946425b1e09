package host

import (
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// A DeathError answers every call on a process that is gone.
type DeathError struct {
	// Process says which: "runner", "family matmul".
	Process string
	PID     int
	// Verdict is Crash for a runner and PluginError for a family, and none if ByUs is set: only
	// the caller who had the process killed knows why.
	Verdict plugins.Verdict
	// ExitCode is the exit status, -1 if Signal ended the process.
	ExitCode int
	Signal   syscall.Signal
	// ByUs is set if this process ended it: Kill, Close, KillAll, or a deadline at its start.
	ByUs bool
	// Stderr are its last lines, safe for a terminal.
	Stderr []string
}

func (e *DeathError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (pid %d) ", e.Process, e.PID)
	switch {
	case e.ByUs:
		b.WriteString("was stopped")
	case e.ExitCode >= 0:
		fmt.Fprintf(&b, "ended with exit status %d, expected it to keep answering", e.ExitCode)
	default:
		fmt.Fprintf(&b, "was ended by signal %d (%v), expected it to keep answering", int(e.Signal), e.Signal)
	}
	b.WriteString(lastWords(e.Stderr))
	return b.String()
}

// A WedgedError is a process that SIGKILL did not end: it waits inside the kernel, in most
// cases in the GPU driver. The device must not be used again before that process is gone.
type WedgedError struct {
	Process string
	PID     int
	Waited  time.Duration
}

func (e *WedgedError) Error() string {
	return fmt.Sprintf("%s (pid %d) is still there %v after SIGKILL, waiting in the kernel (GPU driver?): the device is wedged",
		e.Process, e.PID, e.Waited)
}

func lastWords(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "; its last lines:\n\t" + strings.Join(lines, "\n\t")
}
