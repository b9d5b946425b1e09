package host_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/krisptune/krisptune/plugins/host"
)

const uuid = "66616b65-0000-0000-0000-000000000001"

// holdLock is another process: it takes the lock, says so, and gives it back when stdin ends.
func holdLock(args []string) {
	l, err := host.NewDeviceLockIn(args[0], uuid)
	if err != nil {
		panic(err)
	}
	fmt.Println("asking")
	take := map[string]func(context.Context) error{"exclusive": l.Exclusive, "shared": l.Shared}[args[1]]
	if err := take(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin)
	l.Unlock()
	fmt.Println("free")
}

// other is a process that holds or waits for the lock.
type other struct {
	stdin io.WriteCloser
	said  chan string
	cmd   *exec.Cmd
}

func startOther(t *testing.T, folder, how string) *other {
	t.Helper()
	return startCommand(t, exec.Command(self(t), "lock", folder, how))
}

func startCommand(t *testing.T, cmd *exec.Cmd) *other {
	t.Helper()
	o := &other{cmd: cmd, said: make(chan string, 10)}
	o.cmd.Stderr = os.Stderr
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if o.stdin, err = o.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := o.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			o.said <- s.Text()
		}
	}()
	t.Cleanup(func() {
		_ = o.cmd.Process.Kill()
		_ = o.cmd.Wait()
	})
	o.expect(t, "asking")
	return o
}

func (o *other) expect(t *testing.T, want string) {
	t.Helper()
	select {
	case got := <-o.said:
		if got != want {
			t.Fatalf("the other process says %q, expected %q", got, want)
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("the other process does not say %q", want)
	}
}

func (o *other) silent(t *testing.T, why string) {
	t.Helper()
	select {
	case got := <-o.said:
		t.Fatalf("the other process says %q, expected it to wait: %s", got, why)
	case <-time.After(200 * time.Millisecond):
	}
}

func lock(t *testing.T, folder string) *host.DeviceLock {
	t.Helper()
	l, err := host.NewDeviceLockIn(folder, uuid)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Unlock)
	return l
}

// soon is a context for what must not have to wait, brief one for what must not succeed.
func soon(t *testing.T) context.Context  { return within(t, 10*time.Second) }
func brief(t *testing.T) context.Context { return within(t, 200*time.Millisecond) }

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func TestLockBetweenProcesses(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "locks")
	l := lock(t, folder)

	sharer := startOther(t, folder, "shared")
	sharer.expect(t, "held")
	if err := l.Shared(soon(t)); err != nil {
		t.Fatalf("two shared holds: %v", err)
	}
	if err := l.Exclusive(brief(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("exclusive beside a shared hold: %v, expected to wait until the deadline", err)
	}
	sharer.stdin.Close()
	sharer.expect(t, "free")
	if err := l.Exclusive(soon(t)); err != nil {
		t.Fatalf("exclusive of a free device: %v", err)
	}

	owner := startOther(t, folder, "exclusive")
	owner.silent(t, "we hold the device")
	l.Unlock()
	owner.expect(t, "held")
	for name, take := range map[string]func(context.Context) error{"shared": l.Shared, "exclusive": l.Exclusive} {
		if err := take(brief(t)); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%s beside an exclusive hold: %v, expected to wait until the deadline", name, err)
		}
	}
	// A killed holder holds nothing.
	if err := owner.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := l.Exclusive(soon(t)); err != nil {
		t.Fatalf("after the holder was killed: %v", err)
	}
}

// Shared holders that follow each other without a gap must not keep an exclusive one out.
func TestLockIsFair(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "locks")
	first, second := lock(t, folder), lock(t, folder)
	if err := first.Shared(soon(t)); err != nil {
		t.Fatal(err)
	}
	owner := startOther(t, folder, "exclusive")
	owner.silent(t, "the device is shared")
	if err := second.Shared(brief(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("shared behind a waiting exclusive: %v, expected to wait behind it", err)
	}
	first.Unlock()
	owner.expect(t, "held")
}

func TestLockFilesServeEveryUser(t *testing.T) {
	old := unix.Umask(0o077)
	defer unix.Umask(old)
	folder := filepath.Join(t.TempDir(), "locks")
	if err := lock(t, folder).Exclusive(soon(t)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{
		folder:                              os.ModeDir | os.ModeSticky | 0o777,
		filepath.Join(folder, uuid+".lock"): 0o666,
		filepath.Join(folder, uuid+".turn"): 0o666,
	} {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %v, expected %v", path, info.Mode(), want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".new-*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// Whoever comes first makes the folder and the files; all others must get past the kernel's
// protection of other users' files in sticky folders.
func TestLockBetweenUsers(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be several users")
	}
	root, err := os.MkdirTemp("/tmp", "krisptune-lock-test")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(root)
	if err := os.Chmod(root, os.ModeSticky|0o777); err != nil {
		t.Fatal(err)
	}
	// The test's own folders are closed to other users.
	program := filepath.Join(root, "program")
	binary, err := os.ReadFile(self(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(root, "locks")
	as := func(uid uint32, how string) *other {
		cmd := exec.Command(program, "lock", folder, how)
		cmd.Dir = root
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		return startCommand(t, cmd)
	}
	first := as(61001, "exclusive")
	first.expect(t, "held")
	second := as(61002, "exclusive")
	second.silent(t, "another user holds the device")
	first.stdin.Close()
	first.expect(t, "free")
	second.expect(t, "held")
	if err := lock(t, folder).Shared(brief(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("root beside another user's exclusive hold: %v, expected to wait until the deadline", err)
	}
	second.stdin.Close()
	second.expect(t, "free")
	if err := lock(t, folder).Exclusive(soon(t)); err != nil {
		t.Fatal(err)
	}
}

func TestLockTraps(t *testing.T) {
	traps := map[string]func(folder, file string) error{
		"symbolic link": func(folder, file string) error {
			target := filepath.Join(filepath.Dir(folder), "victim")
			if err := os.WriteFile(target, nil, 0o600); err != nil {
				return err
			}
			return os.Symlink(target, file)
		},
		"not a regular file": func(_, file string) error { return unix.Mkfifo(file, 0o666) },
		"not a folder": func(folder, _ string) error {
			if err := os.Remove(folder); err != nil {
				return err
			}
			return os.Symlink(t.TempDir(), folder)
		},
		"mode 1777": func(folder, _ string) error { return os.Chmod(folder, 0o755) },
	}
	for want, lay := range traps {
		folder := filepath.Join(t.TempDir(), "locks")
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder, os.ModeSticky|0o777); err != nil {
			t.Fatal(err)
		}
		if err := lay(folder, filepath.Join(folder, uuid+".turn")); err != nil {
			t.Fatal(err)
		}
		if err := lock(t, folder).Exclusive(soon(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
	for _, bad := range []string{"", "../x", "a/b", strings.Repeat("a", 65)} {
		if _, err := host.NewDeviceLock(bad); err == nil {
			t.Errorf("UUID %q: no error", bad)
		}
	}
}

// A lock on a file that was replaced meanwhile would keep nobody out.
func TestLockSurvivesCleaning(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "locks")
	first, second := lock(t, folder), lock(t, folder)
	if err := first.Exclusive(soon(t)); err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error, 1)
	go func() { waiting <- second.Exclusive(soon(t)) }()
	time.Sleep(100 * time.Millisecond) // second polls the file that goes
	if err := os.Remove(filepath.Join(folder, uuid+".lock")); err != nil {
		t.Fatal(err)
	}
	first.Unlock()
	if err := <-waiting; err != nil {
		t.Fatal(err)
	}
	third := lock(t, folder)
	if err := third.Shared(brief(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("two exclusive holds after the file was cleaned away: %v", err)
	}
}

func TestLockFolderIsTheHosts(t *testing.T) {
	if f := host.LockFolder(); f != "/run/lock/krisptune" && f != "/tmp/krisptune-lock" {
		t.Errorf("%s", f)
	}
}
