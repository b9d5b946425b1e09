package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"golang.org/x/sys/unix"
)

// A DeviceLock is this process's claim on one device against every other process of the host,
// whoever runs it. Timing holds it exclusively; guarding, and compiling on CPU devices, hold it
// shared. It is for one goroutine; several in one process each need their own.
type DeviceLock struct {
	folder, name string
	device       *os.File // nil while not held
}

// NewDeviceLock is the lock of the device with this UUID. It takes nothing yet.
func NewDeviceLock(uuid string) (*DeviceLock, error) {
	return newDeviceLock(lockFolder(), uuid)
}

var lockName = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

func newDeviceLock(folder, uuid string) (*DeviceLock, error) {
	if !lockName.MatchString(uuid) {
		return nil, fmt.Errorf("device UUID %q, expected letters, digits and dashes", uuid)
	}
	return &DeviceLock{folder: folder, name: uuid}, nil
}

// lockFolder must be the same for every user, root too: only what all of them see the same way
// may decide.
func lockFolder() string {
	if info, err := os.Lstat("/run/lock"); err == nil && info.IsDir() && worldUsable(info.Mode()) {
		return "/run/lock/krisptune"
	}
	return "/tmp/krisptune-lock"
}

func worldUsable(m os.FileMode) bool { return m&os.ModeSticky != 0 && m.Perm()&0o007 == 0o007 }

// Exclusive waits until nobody else holds the device. Processes that come later and ask for a
// shared hold wait behind it.
func (l *DeviceLock) Exclusive(ctx context.Context) error { return l.take(ctx, unix.LOCK_EX) }

// Shared waits until nobody holds the device exclusively or waits to.
func (l *DeviceLock) Shared(ctx context.Context) error { return l.take(ctx, unix.LOCK_SH) }

// take gives up what is held first. Two files make it fair: whoever waits for the device holds
// the turn, so that a stream of shared holders cannot keep an exclusive one out for ever.
func (l *DeviceLock) take(ctx context.Context, how int) error {
	l.Unlock()
	turn, err := l.hold(ctx, l.name+".turn", unix.LOCK_EX)
	if err != nil {
		return err
	}
	defer turn.Close()
	l.device, err = l.hold(ctx, l.name+".lock", how)
	return err
}

// Unlock gives the device back. It is harmless when nothing is held.
func (l *DeviceLock) Unlock() {
	if l.device != nil {
		l.device.Close()
		l.device = nil
	}
}

// hold polls, for a blocking flock cannot be cancelled.
func (l *DeviceLock) hold(ctx context.Context, name string, how int) (*os.File, error) {
	pause := time.Millisecond
	for {
		file, err := l.open(name)
		if err != nil {
			return nil, fmt.Errorf("device lock: %w", err)
		}
		err = unix.Flock(int(file.Fd()), how|unix.LOCK_NB)
		if err == nil && sameAsNamed(file) {
			return file, nil
		}
		file.Close()
		if err != nil && !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return nil, fmt.Errorf("device lock %s: %w", filepath.Join(l.folder, name), err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("device %s is held by another process: %w", l.name, ctx.Err())
		case <-time.After(pause):
			pause = min(2*pause, 50*time.Millisecond)
		}
	}
}

// sameAsNamed is false if the file was replaced since it was opened: a lock on it keeps nobody out.
func sameAsNamed(file *os.File) bool {
	held, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(file.Name())
	return err == nil && os.SameFile(held, named)
}

// open opens or makes the file. Files are never written, only locked, so that a trap laid here
// by another user costs waiting and nothing else.
func (l *DeviceLock) open(name string) (*os.File, error) {
	if err := l.makeFolder(); err != nil {
		return nil, err
	}
	path := filepath.Join(l.folder, name)
	for {
		// Without O_CREAT: the kernel refuses that on another user's file in a sticky folder
		// (fs.protected_regular). Without O_NONBLOCK a FIFO would wait for its other end.
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
		if err == nil {
			file := os.NewFile(uintptr(fd), path)
			if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
				file.Close()
				return nil, fmt.Errorf("%s is not a regular file, expected a lock file", path)
			}
			return file, nil
		}
		if errors.Is(err, unix.ELOOP) {
			return nil, fmt.Errorf("%s is a symbolic link, expected a lock file", path)
		}
		if !errors.Is(err, unix.ENOENT) {
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
		if err := l.create(path); err != nil {
			return nil, err
		}
	}
}

// create makes the file under another name first: it must never be seen with a mode that the
// umask has narrowed.
func (l *DeviceLock) create(path string) error {
	file, err := os.CreateTemp(l.folder, ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := file.Chmod(0o666); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// makeFolder makes a folder like /tmp: anybody may add a lock, nobody may remove another's.
func (l *DeviceLock) makeFolder() error {
	const mode = os.ModeSticky | 0o777
	err := os.Mkdir(l.folder, 0o777)
	if err == nil {
		return os.Chmod(l.folder, mode)
	}
	if !errors.Is(err, os.ErrExist) {
		return err
	}
	for range 100 { // another process may stand between Mkdir and Chmod
		info, err := os.Lstat(l.folder)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder (%v), expected one for lock files", l.folder, info.Mode())
		}
		if worldUsable(info.Mode()) {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("%s cannot be used by every user, expected mode 1777: remove it or chmod it", l.folder)
}
