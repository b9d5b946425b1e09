package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	pluginrunner "github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/wire"
)

const (
	// startWait bounds a start where the caller's context does not: a cold start takes 0.2 s.
	startWait = 30 * time.Second
	// closeWait is what Close gives a process to end by itself.
	closeWait = 2 * time.Second
)

// A process is a child that answered its handshake and its first call.
type process struct {
	*child
	client   *goplugin.Client
	protocol goplugin.ClientProtocol
	service  any
}

// startProcess returns when the process has answered a health check, or the reason why not.
func startProcess(ctx context.Context, service, name string, verdict plugins.Verdict, path string, args, env []string) (_ *process, err error) {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	begun := time.Now()

	p := &process{}
	folder, err := newSocketFolder()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			folder.remove()
		}
	}()
	started := make(chan *child, 1)
	p.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  wire.Handshake,
		Plugins:          wire.Services(),
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		AutoMTLS:         true,
		SkipHostEnv:      true, // env is the whole environment
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: folder.path},
		StartTimeout:     2 * startWait, // ours comes first and says more
		Logger:           hclog.New(&hclog.LoggerOptions{Level: hclog.Off}),
		GRPCDialOptions: []grpc.DialOption{grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(wire.MessageLimit), grpc.MaxCallSendMsgSize(wire.MessageLimit))},
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, _ string) (pluginrunner.Runner, error) {
			return &attached{start: func() (*child, error) {
				c, err := startChild(name, verdict, service == wire.RunnerService, folder, path, args, append(withoutPluginNames(env), cmd.Env...))
				if err == nil {
					started <- c
				}
				return c, err
			}}, nil
		},
	})

	// go-plugin's start knows no context, and its first stream waits for a connection for ever.
	connected := make(chan error, 1)
	go func() {
		connected <- p.connect()
		close(connected)
	}()
	select {
	case err = <-connected:
	case <-ctx.Done():
		err = ctx.Err()
	}
	select {
	case p.child = <-started:
	default:
		go killLate(started, connected)
		return nil, err
	}
	if err == nil {
		err = p.ping(ctx)
	}
	if err == nil {
		p.service, err = p.protocol.Dispense(service)
	}
	if err != nil {
		return nil, p.startFailure(ctx, err, time.Since(begun))
	}
	return p, nil
}

// killLate ends a child that started after its caller had given up.
func killLate(started <-chan *child, connected <-chan error) {
	select {
	case c := <-started:
		_ = c.kill()
	case <-connected:
		select {
		case c := <-started:
			_ = c.kill()
		default:
		}
	}
}

func (p *process) connect() (err error) {
	defer func() {
		// go-plugin panics on some handshakes, such as a certificate that it did not ask for.
		if r := recover(); r != nil {
			err = fmt.Errorf("handshake: %v", r)
		}
	}()
	p.protocol, err = p.client.Client()
	return err
}

// ping makes the first call: a plugin that ignores AutoMTLS fails only here.
func (p *process) ping(ctx context.Context) error {
	conn, ok := p.protocol.(*goplugin.GRPCClient)
	if !ok {
		return fmt.Errorf("speaks %T, expected gRPC", p.protocol)
	}
	_, err := grpc_health_v1.NewHealthClient(conn.Conn).Check(ctx,
		&grpc_health_v1.HealthCheckRequest{Service: goplugin.GRPCServiceName})
	return err
}

// startFailure ends the process and says what was wrong with it.
func (p *process) startFailure(ctx context.Context, err error, after time.Duration) error {
	if ctx.Err() == nil {
		p.endsWithin(drainWait) // it may be about to tell its own end
	}
	if wedged := p.kill(); wedged != nil {
		return wedged
	}
	go p.client.Kill() // ends go-plugin's goroutines; the process is already gone
	death := p.death()
	if line, wrong := p.hand.wrong(); wrong {
		return fmt.Errorf("%s wrote %q to stdout, expected go-plugin's handshake line%s", p.name, line, lastWords(death.Stderr))
	}
	switch {
	case !death.ByUs:
		return death
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%s did not answer within %v of its start: %w%s", p.name, after.Round(time.Millisecond), ctx.Err(), lastWords(death.Stderr))
	case ctx.Err() != nil:
		return fmt.Errorf("start %s: %w", p.name, ctx.Err())
	}
	reason := statusMessage(err)
	if strings.Contains(reason, "first record does not look like a TLS handshake") {
		reason = "it does not use TLS, expected AutoMTLS (the certificate of PLUGIN_CLIENT_CERT)"
	}
	return fmt.Errorf("start %s: %s%s", p.name, reason, lastWords(death.Stderr))
}

// close asks the process to end, and ends it if it does not.
func (p *process) close() error {
	p.signal(0)           // nothing yet, but from now on the end is ours
	go p.protocol.Close() // waits for an answer without a deadline
	if !p.endsWithin(closeWait) {
		if err := p.child.kill(); err != nil {
			return err
		}
	}
	p.release()
	return nil
}

func (p *process) end() error {
	if err := p.child.kill(); err != nil {
		return err
	}
	p.release()
	return nil
}

// release frees what go-plugin holds for a dead process.
func (p *process) release() { p.client.Kill() }

// withoutPluginNames drops what go-plugin would read as addressed to the child.
func withoutPluginNames(env []string) []string {
	kept := make([]string, 0, len(env))
	for _, e := range env {
		if !strings.HasPrefix(e, "PLUGIN_") {
			kept = append(kept, e)
		}
	}
	return kept
}

// attached shows a child to go-plugin.
type attached struct {
	start func() (*child, error)
	*child
}

var _ pluginrunner.Runner = (*attached)(nil)

func (a *attached) Start(context.Context) (err error) {
	a.child, err = a.start()
	return err
}

func (a *attached) Wait(context.Context) error {
	<-a.done
	return nil
}

// Kill leaves the process alone: go-plugin calls it when a start fails, at a moment when the
// process may be about to end by itself, and whose end it was must stay visible.
func (a *attached) Kill(context.Context) error { return nil }

func (a *attached) Stdout() io.ReadCloser { return a.hand.toRead }

// Stderr is empty: the child keeps its own tail.
func (a *attached) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

func (a *attached) Name() string                    { return a.name }
func (a *attached) ID() string                      { return fmt.Sprint(a.pid) }
func (a *attached) Diagnose(context.Context) string { return "" }

func (a *attached) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

func (a *attached) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
