package host

import "time"

// NewDeviceLockIn is a lock in a folder of the test's own.
var NewDeviceLockIn = newDeviceLock

// LockFolder is where every user's locks lie.
var LockFolder = lockFolder

// SweepSocketFolders removes what killed cores have left.
var SweepSocketFolders = sweepSocketFolders

// Printable is what is left of a stranger's line.
var Printable = printable

// TailLines is what an error shows of output.
func TailLines(output string, n int) []string {
	var t tail
	for _, part := range []string{output[:len(output)/2], output[len(output)/2:]} {
		_, _ = t.Write([]byte(part))
	}
	return t.lines(n)
}

// KillUnkillable kills a child whose end never comes, waiting d.
func KillUnkillable(d time.Duration) error {
	c := &child{name: "runner", pid: 1 << 30, done: make(chan struct{}), reaped: true}
	return c.killWithin(d)
}
