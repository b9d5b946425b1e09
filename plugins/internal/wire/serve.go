package wire

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"

	"github.com/krisptune/krisptune/plugins"
)

// ServeFamily serves f to the process that started this one, and returns when it is told to stop.
func ServeFamily(f plugins.Family) {
	serve(FamilyService, &familyService{family: f})
}

// ServeRunner serves r to the process that started this one, and returns when it is told to stop.
func ServeRunner(r plugins.Runner) {
	serve(RunnerService, &runnerService{runner: r})
}

func serve(name string, service goplugin.Plugin) {
	watchParent()
	stdio, err := claimStdout()
	if err != nil {
		fmt.Fprintln(os.Stderr, "krisptune plugin:", err)
		os.Exit(1)
	}
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: Handshake,
		Plugins:         goplugin.PluginSet{name: service},
		Logger:          hclog.New(&hclog.LoggerOptions{Level: hclog.Error, Output: os.Stderr}),
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts,
				grpc.MaxRecvMsgSize(MessageLimit), grpc.MaxSendMsgSize(MessageLimit),
				grpc.ChainUnaryInterceptor(stdio.unary, unaryRecover),
				grpc.ChainStreamInterceptor(stdio.stream, streamRecover))...)
		},
	})
}

// watchParent ends this process and its group at once when the process that started it is gone,
// whatever else is going on here.
func watchParent() {
	text, ok := os.LookupEnv(ParentFD)
	if !ok {
		return
	}
	os.Unsetenv(ParentFD)
	fd, err := strconv.Atoi(text)
	if err != nil {
		fmt.Fprintf(os.Stderr, "krisptune plugin: %s=%q, expected a file descriptor\n", ParentFD, text)
		os.Exit(1)
	}
	unix.CloseOnExec(fd)
	go func() {
		// Nothing is ever written to the pipe: a read returns only at its end.
		var b [1]byte
		for {
			n, err := unix.Read(fd, b[:])
			if err == unix.EINTR || n > 0 {
				continue
			}
			break
		}
		// Only a leader may kill its group: otherwise the group is somebody else's.
		if unix.Getpgrp() == unix.Getpid() {
			_ = unix.Kill(0, unix.SIGKILL)
		}
		os.Exit(1)
	}()
}

// stdio undoes go-plugin's capture of the standard streams at the first call: it holds output
// back in a pipe of this process, and the last words of a process that dies would die with it.
type stdio struct {
	stdout *os.File // kept: a finalizer would close descriptor 1
	stderr *os.File
	once   sync.Once
}

// claimStdout keeps file descriptor 1 for the handshake line alone. Drivers and libraries that
// print to it reach stderr.
func claimStdout() (*stdio, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("duplicate stdout: %w", err)
	}
	if err := unix.Dup3(2, 1, 0); err != nil {
		return nil, fmt.Errorf("redirect stdout: %w", err)
	}
	s := &stdio{stdout: os.Stdout, stderr: os.Stderr}
	os.Stdout = os.NewFile(uintptr(fd), "handshake")
	return s, nil
}

// release is safe because go-plugin begins to answer calls only after it has set both streams.
func (s *stdio) release() {
	s.once.Do(func() { os.Stdout, os.Stderr = s.stdout, s.stderr })
}

func (s *stdio) unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	s.release()
	return next(ctx, req)
}

func (s *stdio) stream(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	s.release()
	return next(srv, stream)
}
