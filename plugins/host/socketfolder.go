package host

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	socketPrefix = "krisptune-socket-"
	// staleAge keeps a folder that another process has made but not yet locked.
	staleAge = time.Minute
)

// A socketFolder holds one process's socket. Only we may enter it. It is locked as long as it
// is in use, so that those of a killed core can be told from the others.
type socketFolder struct {
	path string
	lock *os.File
}

var sweepOnce sync.Once

func newSocketFolder() (*socketFolder, error) {
	parent := os.TempDir()
	if len(parent) > 36 { // a socket's path holds 107 bytes
		parent = "/tmp"
	}
	sweepOnce.Do(func() { sweepSocketFolders(parent) })
	path, err := os.MkdirTemp(parent, socketPrefix) // mode 0700
	if err != nil {
		return nil, err
	}
	lock, err := os.Open(path)
	if err == nil {
		err = unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		lock.Close()
		os.RemoveAll(path)
		return nil, err
	}
	return &socketFolder{path: path, lock: lock}, nil
}

func (f *socketFolder) remove() {
	os.RemoveAll(f.path)
	f.lock.Close()
}

// sweepSocketFolders removes what cores that were killed have left in parent.
func sweepSocketFolders(parent string) {
	paths, _ := filepath.Glob(filepath.Join(parent, socketPrefix+"*"))
	for _, path := range paths {
		var stat unix.Stat_t
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			continue
		}
		if unix.Fstat(fd, &stat) == nil && stat.Uid == uint32(os.Getuid()) &&
			time.Since(time.Unix(stat.Mtim.Unix())) > staleAge &&
			unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) == nil {
			os.RemoveAll(path)
		}
		unix.Close(fd)
	}
}
