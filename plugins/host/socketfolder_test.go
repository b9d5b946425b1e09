package host_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/plugintest"
)

// Sockets lie in a folder that only we can enter, and that goes with its process.
func TestSocketFolder(t *testing.T) {
	tmp, err := os.MkdirTemp("/tmp", "kt")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	t.Setenv("TMPDIR", tmp)
	plugintest.StartRunner(t, "fake", os.Environ())
	sockets, _ := filepath.Glob(tmp + "/krisptune-socket-*/*/*")
	if len(sockets) == 0 {
		t.Fatal("no socket in the temporary folder")
	}
	info, err := os.Stat(filepath.Dir(filepath.Dir(sockets[0])))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v, expected 0700", info.Mode(), err)
	}
	if err := host.KillAll(); err != nil {
		t.Fatal(err)
	}
	if _, err := host.StartFamily(t.Context(), host.FamilyCommand{Path: self(t), Args: []string{"bad-exit"}}); err == nil {
		t.Fatal("a bad plugin started")
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// What a killed core left behind goes; what is in use, or may be in a moment, stays.
func TestSweepOfSocketFolders(t *testing.T) {
	tmp := t.TempDir()
	folder := func(name string, age time.Duration, locked bool) string {
		path := filepath.Join(tmp, name)
		if err := os.MkdirAll(filepath.Join(path, "plugin-dir1"), 0o700); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
		if locked {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	stay := map[string]bool{
		folder("krisptune-socket-1", time.Hour, false): false,
		folder("krisptune-socket-2", time.Hour, true):  true,
		folder("krisptune-socket-3", 0, false):         true,
		folder("somebody-elses", time.Hour, false):     true,
	}
	host.SweepSocketFolders(tmp)
	for path, want := range stay {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s stays: %v, expected %v", path, err == nil, want)
		}
	}
}
