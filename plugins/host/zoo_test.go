package host_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/plugintest"
)

// programs are what this test binary can be besides a plugin: bad plugins, and a core that is
// killed.
var programs = map[string]func(args []string){
	"bad-exit": func([]string) {
		fmt.Fprintln(os.Stderr, "libvulkan.so.1: cannot open shared object file")
		os.Exit(127)
	},
	"bad-garbage": func([]string) {
		fmt.Println("Hello! I am a plugin.")
		sleep()
	},
	"bad-flood": func([]string) {
		for {
			if _, err := os.Stdout.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	},
	"bad-silent": func([]string) { sleep() },
	"bad-version": func([]string) {
		fmt.Println("1|9|unix|/nowhere|grpc|")
		sleep()
	},
	"bad-core-version": func([]string) {
		fmt.Println("7|1|unix|/nowhere|grpc|")
		sleep()
	},
	"bad-netrpc": func([]string) {
		fmt.Println("1|1|unix|/nowhere|netrpc|")
		sleep()
	},
	"bad-no-socket": func([]string) {
		fmt.Printf("1|1|unix|/nowhere|grpc|%s\n", certificate())
		sleep()
	},
	"bad-mute": func([]string) { // accepts and never speaks
		handshake(certificate(), func(c net.Conn) { sleep() })
	},
	"bad-closer": func([]string) { // accepts and closes
		handshake(certificate(), func(c net.Conn) { c.Close() })
	},
	"bad-plain": func([]string) { // ignores AutoMTLS, speaks HTTP/2 in the clear
		handshake("", func(c net.Conn) {
			_, _ = c.Write([]byte("\x00\x00\x00\x04\x00\x00\x00\x00\x00"))
			_, _ = io.Copy(io.Discard, c)
		})
	},
	"bad-certificate": func([]string) {
		fmt.Printf("1|1|unix|/nowhere|grpc|%s\n", strings.Repeat("A", 100))
		sleep()
	},
	"core": core,
	"lock": holdLock,
}

// sleep outlives every deadline of the tests.
func sleep() { time.Sleep(10 * time.Minute) }

func handshake(cert string, serve func(net.Conn)) {
	path := filepath.Join(os.Getenv("PLUGIN_UNIX_SOCKET_DIR"), "bad")
	l, err := net.Listen("unix", path)
	if err != nil {
		panic(err)
	}
	fmt.Printf("1|1|unix|%s|grpc|%s\n", path, cert)
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go serve(c)
	}
}

func certificate() string {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	return base64.RawStdEncoding.EncodeToString(der)
}

// Every bad plugin is an error that says what was wrong, in time, and none is left behind.
func TestBadPlugins(t *testing.T) {
	const deadline = 2 * time.Second
	for name, want := range map[string][]string{
		"bad-exit":         {"exit status 127", "cannot open shared object file"},
		"bad-garbage":      {`wrote "Hello! I am a plugin." to stdout`, "handshake"},
		"bad-flood":        {"to stdout", "handshake"},
		"bad-silent":       {"did not answer within", "deadline"},
		"bad-version":      {"incompatible API version", "9"},
		"bad-core-version": {"incompatible core API version", "7"},
		"bad-netrpc":       {"netrpc"},
		"bad-no-socket":    {"/nowhere"},
		"bad-mute":         {"did not answer within", "deadline"},
		"bad-closer":       {"start family plugin"},
		"bad-plain":        {"does not use TLS"},
		"bad-certificate":  {"cert"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			defer cancel()
			begun := time.Now()
			p, err := host.StartFamily(ctx, host.FamilyCommand{Path: self(t), Args: []string{name}})
			took := time.Since(begun)
			if err == nil {
				_ = p.Kill()
				t.Fatal("it started, expected an error")
			}
			t.Logf("%v after %v", err, took)
			for _, w := range want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q lacks %q", err, w)
				}
			}
			if took > deadline+time.Second {
				t.Errorf("the error came after %v, deadline was %v", took, deadline)
			}
			if left := children(t, name); len(left) > 0 {
				t.Errorf("processes %v are left", left)
			}
		})
	}
}

func TestStartOfNothing(t *testing.T) {
	_, err := host.StartFamily(t.Context(), host.FamilyCommand{Path: "/nonexistent/krisptune-family-x"})
	if err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("error %v, expected that the file is not there", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := host.StartFamily(ctx, plugintest.FamilyCommand("fake")); err == nil {
		t.Error("started under a context that had ended")
	}
	if _, err := host.StartFamily(t.Context(), host.FamilyCommand(plugintest.RunnerCommand("fake", os.Environ()))); err == nil ||
		!strings.Contains(err.Error(), "does not serve Describe") {
		t.Errorf("a runner started as a family: error %v", err)
	}
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// children lists the running children of this process whose first argument is name.
func children(t *testing.T, name string) (pids []int) {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		args, err := os.ReadFile(dir + "/cmdline")
		if err != nil {
			continue
		}
		if fields := strings.Split(string(args), "\x00"); len(fields) > 1 && fields[0] == self(t) && fields[1] == name {
			pid, _ := strconv.Atoi(filepath.Base(dir))
			pids = append(pids, pid)
		}
	}
	return pids
}

// core starts a family, a runner with a process of its own and a plugin that will never answer,
// prints their numbers and waits to be killed.
func core([]string) {
	ctx := context.Background()
	family, err := host.StartFamily(ctx, plugintest.FamilyCommand("fake"))
	if err != nil {
		panic(err)
	}
	runner, err := host.StartRunner(ctx, plugintest.RunnerCommand("parent", os.Environ()))
	if err != nil {
		panic(err)
	}
	devices, err := runner.Runner().Devices(ctx)
	if err != nil {
		panic(err)
	}
	go func() {
		path, _ := os.Executable()
		_, _ = host.StartFamily(ctx, host.FamilyCommand{Path: path, Args: []string{"bad-silent", "of", "core"}})
	}()
	fmt.Println(family.PID(), runner.PID(), devices[0].Index)
	sleep()
}

func TestNothingOutlivesAKilledCore(t *testing.T) {
	cmd := exec.Command(self(t), "core")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var pids [4]int
	if _, err := fmt.Sscan(line, &pids[0], &pids[1], &pids[2]); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	waitFor(t, "the silent plugin", 5*time.Second, func() bool {
		silent := children(t, "bad-silent")
		if len(silent) == 1 {
			pids[3] = silent[0]
		}
		return len(silent) == 1
	})
	for i, pid := range pids {
		if gone(pid) {
			t.Fatalf("process %d (%d) is gone before its time", i, pid)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	_ = cmd.Wait()
	for i, pid := range pids {
		waitFor(t, fmt.Sprintf("the end of process %d (%d)", i, pid), time.Second-time.Since(killed), func() bool { return gone(pid) })
	}
	t.Logf("all gone %v after SIGKILL", time.Since(killed))
}
