package wire

import (
	"context"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/pb"
)

// Handshake is what both ends of a connection must agree on. The cookie protects nobody: it
// lets a plugin that a person starts by hand say so.
var Handshake = goplugin.HandshakeConfig{
	ProtocolVersion:  uint(pb.Protocol_PROTOCOL_VERSION),
	MagicCookieKey:   "KRISPTUNE_PLUGIN",
	MagicCookieValue: "c5a0f1d6-kernel-autotuner",
}

// MessageLimit bounds one message in bytes, both ways. SPIR-V is what is large: thousands of
// candidates of one family share a few modules of tens of kilobytes.
const MessageLimit = 64 << 20

// ParentFD names the environment variable with the number of an inherited pipe's read end. It
// gives end of file when the process that started us is gone.
const ParentFD = "KRISPTUNE_PARENT_FD"

// The names under which a process serves.
const (
	FamilyService = "family"
	RunnerService = "runner"
)

// Services are what a host can dispense from a process.
func Services() goplugin.PluginSet {
	return goplugin.PluginSet{FamilyService: &familyService{}, RunnerService: &runnerService{}}
}

type familyService struct {
	goplugin.NetRPCUnsupportedPlugin
	family plugins.Family
}

func (s *familyService) GRPCServer(_ *goplugin.GRPCBroker, server *grpc.Server) error {
	pb.RegisterFamilyServer(server, &familyServer{family: s.family})
	return nil
}

func (s *familyService) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return &FamilyClient{client: pb.NewFamilyClient(conn)}, nil
}

type runnerService struct {
	goplugin.NetRPCUnsupportedPlugin
	runner plugins.Runner
}

func (s *runnerService) GRPCServer(_ *goplugin.GRPCBroker, server *grpc.Server) error {
	pb.RegisterRunnerServer(server, newRunnerServer(s.runner))
	return nil
}

func (s *runnerService) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return &RunnerClient{client: pb.NewRunnerClient(conn)}, nil
}
