package store

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// ErrRunning means that another process is at work on the run.
var ErrRunning = errors.New("another process is working on this run")

// runLocks tells a run that is being worked on from one whose process died. A working process
// holds a lock on the byte of the lock file that the run's id numbers; the kernel lets go of
// it however the process ends. Locks belong to the open file, so that two stores in one
// process exclude each other too.
type runLocks struct {
	file *os.File
	mu   sync.Mutex
	held map[int64]bool
}

func openRunLocks(path string) (*runLocks, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	return &runLocks{file: f, held: map[int64]bool{}}, nil
}

func (l *runLocks) close() error { return l.file.Close() }

// hold returns ErrRunning if another store holds the run.
func (l *runLocks) hold(run int64) error { return l.set(run, true) }

func (l *runLocks) release(run int64) error { return l.set(run, false) }

// mine says whether this store holds the run.
func (l *runLocks) mine(run int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held[run]
}

// heldElsewhere says whether another store holds the run.
func (l *runLocks) heldElsewhere(run int64) (bool, error) {
	k := unix.Flock_t{Type: unix.F_WRLCK, Start: run, Len: 1}
	if err := unix.FcntlFlock(l.file.Fd(), unix.F_OFD_GETLK, &k); err != nil {
		return false, fmt.Errorf("lock file: %w", err)
	}
	return k.Type != unix.F_UNLCK, nil
}

func (l *runLocks) set(run int64, hold bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := unix.Flock_t{Type: unix.F_UNLCK, Start: run, Len: 1}
	if hold {
		k.Type = unix.F_WRLCK
	}
	err := unix.FcntlFlock(l.file.Fd(), unix.F_OFD_SETLK, &k)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return ErrRunning
	}
	if err != nil {
		return fmt.Errorf("lock file: %w", err)
	}
	l.held[run] = hold
	return nil
}
