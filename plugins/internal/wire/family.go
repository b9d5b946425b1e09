package wire

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/pb"
)

// familyServer answers the wire's questions with a family of this process.
type familyServer struct {
	pb.UnimplementedFamilyServer
	family plugins.Family
}

func (s *familyServer) Describe(ctx context.Context, _ *pb.DescribeRequest) (*pb.DescribeResponse, error) {
	info, err := s.family.Describe(ctx)
	if err != nil {
		return nil, toStatus(err)
	}
	w, err := infoToWire(info)
	if err != nil {
		return nil, toStatus(err)
	}
	_, computes := s.family.(plugins.FamilyWithReference)
	return &pb.DescribeResponse{Info: w, ComputesReferences: computes}, nil
}

func (s *familyServer) Build(ctx context.Context, req *pb.BuildRequest) (*pb.BuildResponse, error) {
	problem, err := assignmentFromWire(req.GetProblem())
	if err != nil {
		return nil, badRequest(err)
	}
	config, err := assignmentFromWire(req.GetConfig())
	if err != nil {
		return nil, badRequest(err)
	}
	build, err := s.family.Build(ctx, problem, config)
	if err != nil {
		return nil, toStatus(err)
	}
	w, err := buildToWire(build, moduleToWire)
	if err != nil {
		return nil, toStatus(err)
	}
	return &pb.BuildResponse{Build: w}, nil
}

func (s *familyServer) Reference(ctx context.Context, req *pb.ReferenceRequest) (*pb.ReferenceResponse, error) {
	family, ok := s.family.(plugins.FamilyWithReference)
	if !ok {
		return nil, status.Error(codes.Unimplemented, "this family computes no references")
	}
	request, err := referenceFromWire(req)
	if err != nil {
		return nil, badRequest(err)
	}
	if err := family.Reference(ctx, request); err != nil {
		return nil, toStatus(err)
	}
	return &pb.ReferenceResponse{}, nil
}

// A FamilyClient asks a family in another process. Errors are *plugins.RequestError or gRPC
// statuses.
type FamilyClient struct{ client pb.FamilyClient }

// Describe also says whether the family computes references.
func (c *FamilyClient) Describe(ctx context.Context) (info plugins.Info, computesReferences bool, err error) {
	answer, err := c.client.Describe(ctx, &pb.DescribeRequest{})
	if err != nil {
		return plugins.Info{}, false, fromStatus(err)
	}
	info, err = infoFromWire(answer.GetInfo())
	return info, answer.GetComputesReferences(), err
}

func (c *FamilyClient) Build(ctx context.Context, problem plugins.Problem, config plugins.Config) (plugins.Build, error) {
	p, err := assignmentToWire(problem)
	if err != nil {
		return plugins.Build{}, &plugins.RequestError{Reason: "problem: " + err.Error()}
	}
	c2, err := assignmentToWire(config)
	if err != nil {
		return plugins.Build{}, &plugins.RequestError{Reason: "configuration: " + err.Error()}
	}
	answer, err := c.client.Build(ctx, &pb.BuildRequest{Problem: p, Config: c2})
	if err != nil {
		return plugins.Build{}, fromStatus(err)
	}
	return buildFromWire(answer.GetBuild(), moduleFromWire)
}

func (c *FamilyClient) Reference(ctx context.Context, req plugins.ReferenceRequest) error {
	w, err := referenceToWire(req)
	if err != nil {
		return &plugins.RequestError{Reason: err.Error()}
	}
	_, err = c.client.Reference(ctx, w)
	return fromStatus(err)
}
