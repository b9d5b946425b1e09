package host

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/wire"
)

const (
	killWait  = 30 * time.Second       // after SIGKILL, before the device counts as wedged
	drainWait = 200 * time.Millisecond // for output after the end, if something else holds the pipes
)

// A child is one process group of ours.
type child struct {
	name    string // "runner", "family matmul"
	verdict plugins.Verdict
	cmd     *exec.Cmd
	pid     int
	output  *tail
	hand    *handshake
	folder  *socketFolder // goes with it
	// parent is the end of the pipe that the child watches; it closes when this process dies.
	parent *os.File
	// done closes when the child is reaped and its output read.
	done chan struct{}

	mu     sync.Mutex
	byUs   bool
	asked  bool // by anything gentler than SIGKILL
	reaped bool
}

// startChild runs path with exactly env, in a group of its own. A program that watches the
// parent's pipe ends its whole group by it; the kernel's parent-death signal would end the
// leader first and leave the rest. It is for programs that may not watch: a stranger's.
func startChild(name string, verdict plugins.Verdict, watches bool, folder *socketFolder, path string, args, env []string) (*child, error) {
	nowhere, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer nowhere.Close()
	var pipes [3][2]*os.File // stdout, stderr, parent
	for i := range pipes {
		if pipes[i][0], pipes[i][1], err = os.Pipe(); err != nil {
			closePipes(pipes[:i])
			return nil, err
		}
	}
	c := &child{name: name, verdict: verdict, output: &tail{}, hand: newHandshake(), folder: folder,
		parent: pipes[2][1], done: make(chan struct{})}
	c.cmd = exec.Command(path, args...)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = nowhere, pipes[0][1], pipes[1][1]
	c.cmd.ExtraFiles = []*os.File{pipes[2][0]} // descriptor 3
	c.cmd.Env = append(env, wire.ParentFD+"="+strconv.Itoa(3))
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if !watches {
		c.cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	}
	if err := onLastingThread(c.cmd.Start); err != nil {
		closePipes(pipes[:])
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	c.pid = c.cmd.Process.Pid
	pipes[0][1].Close()
	pipes[1][1].Close()
	pipes[2][0].Close()
	live.add(c)

	var readers sync.WaitGroup
	readers.Go(func() { c.hand.read(pipes[0][0], c.output) })
	readers.Go(func() { drain(pipes[1][0], c.output) })
	go c.reap(&readers, pipes[0][0], pipes[1][0])
	return c, nil
}

func closePipes(pipes [][2]*os.File) {
	for _, p := range pipes {
		p[0].Close()
		p[1].Close()
	}
}

var starter = sync.OnceValue(func() chan func() {
	starts := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range starts {
			f()
		}
	}()
	return starts
})

// onLastingThread runs f on a thread that lives as long as this process: the parent-death
// signal comes when the thread that started the child ends, not the process.
func onLastingThread(f func() error) error {
	result := make(chan error, 1)
	starter() <- func() { result <- f() }
	return <-result
}

// reap waits for the leader, kills what is left of its group, and lets the output run dry.
func (c *child) reap(readers *sync.WaitGroup, pipes ...*os.File) {
	c.waitable(0)
	c.mu.Lock()
	// As long as the leader is not reaped its number is not given to another group.
	_ = unix.Kill(-c.pid, unix.SIGKILL)
	_ = c.cmd.Wait()
	c.reaped = true
	c.mu.Unlock()

	// A descendant that left the group may hold the pipes open.
	timer := time.AfterFunc(drainWait, func() {
		for _, p := range pipes {
			p.Close()
		}
	})
	readers.Wait()
	timer.Stop()
	for _, p := range pipes {
		p.Close()
	}
	c.parent.Close()
	c.folder.remove()
	live.remove(c)
	close(c.done)
}

// waitable reports whether the leader has ended, without reaping it.
func (c *child) waitable(flags int) bool {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, c.pid, &info, unix.WEXITED|unix.WNOWAIT|flags, nil)
		if err != unix.EINTR {
			return err != nil || info.Signo != 0
		}
	}
}

// signal sends sig to the whole group and notes that the end is ours, unless the child had
// already ended by itself.
func (c *child) signal(sig unix.Signal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reaped {
		return
	}
	if !c.byUs && !c.waitable(unix.WNOHANG) {
		c.byUs = true
	}
	c.asked = c.asked || sig != unix.SIGKILL
	_ = unix.Kill(-c.pid, sig)
}

// kill ends the group and waits until it is gone; the error is a *WedgedError.
func (c *child) kill() error { return c.killWithin(killWait) }

func (c *child) killWithin(d time.Duration) error {
	c.signal(unix.SIGKILL)
	if !c.endsWithin(d) {
		return &WedgedError{Process: c.name, PID: c.pid, Waited: d}
	}
	return nil
}

func (c *child) endsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.done:
		return true
	case <-timer.C:
		return false
	}
}

func (c *child) dead() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// death describes the end of a child that is dead.
func (c *child) death() *DeathError {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &DeathError{Process: c.name, PID: c.pid, ExitCode: c.cmd.ProcessState.ExitCode(), ByUs: c.byUs,
		Stderr: c.output.lines(tailLines)}
	if status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.Signal = status.Signal()
	}
	if e.ByUs && !c.asked && e.Signal != syscall.SIGKILL {
		e.ByUs = false // it was already ending when our SIGKILL came
	}
	if !e.ByUs {
		e.Verdict = c.verdict
	}
	return e
}
