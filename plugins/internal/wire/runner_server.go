package wire

import (
	"context"
	"sync"

	"google.golang.org/grpc"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/pb"
)

// runnerServer serves a runner of this process.
type runnerServer struct {
	pb.UnimplementedRunnerServer
	runner plugins.Runner
	// turn holds one token. A client that cancels gets its error at once while the runner is
	// still on its way to the next dispatch; the next call waits here for it.
	turn chan struct{}
}

func newRunnerServer(r plugins.Runner) *runnerServer {
	return &runnerServer{runner: r, turn: make(chan struct{}, 1)}
}

// take waits for the runner's turn; the caller must call the result unless err is set.
func (s *runnerServer) take(ctx context.Context) (give func(), err error) {
	select {
	case s.turn <- struct{}{}:
		return func() { <-s.turn }, nil
	case <-ctx.Done():
		return nil, toStatus(ctx.Err())
	}
}

func (s *runnerServer) Devices(ctx context.Context, _ *pb.DevicesRequest) (*pb.DevicesResponse, error) {
	give, err := s.take(ctx)
	if err != nil {
		return nil, err
	}
	defer give()
	devices, err := s.runner.Devices(ctx)
	if err != nil {
		return nil, toStatus(err)
	}
	w, err := convert(devices, deviceToWire)
	if err != nil {
		return nil, toStatus(err)
	}
	return &pb.DevicesResponse{DevicesJson: w}, nil
}

func (s *runnerServer) Open(ctx context.Context, req *pb.OpenRequest) (*pb.OpenResponse, error) {
	give, err := s.take(ctx)
	if err != nil {
		return nil, err
	}
	defer give()
	opened, err := s.runner.Open(ctx, openFromWire(req))
	if err != nil {
		return nil, toStatus(err)
	}
	w, err := openedToWire(opened)
	return w, toStatus(err)
}

func (s *runnerServer) Compile(req *pb.CompileRequest, stream grpc.ServerStreamingServer[pb.Compiled]) error {
	candidates, err := candidatesFromWire(req)
	if err != nil {
		return badRequest(err)
	}
	return serveStream(s, stream, compiledToWire, func(ctx context.Context, each func(plugins.Compiled)) error {
		return s.runner.Compile(ctx, candidates, each)
	})
}

func (s *runnerServer) Inputs(ctx context.Context, req *pb.CheckRequest) (*pb.InputsResponse, error) {
	checks, err := checksFromWire(req)
	if err != nil {
		return nil, badRequest(err)
	}
	give, err := s.take(ctx)
	if err != nil {
		return nil, err
	}
	defer give()
	requests, err := s.runner.Inputs(ctx, checks)
	if err != nil {
		return nil, toStatus(err)
	}
	w, err := convert(requests, referenceToWire)
	if err != nil {
		return nil, toStatus(err)
	}
	return &pb.InputsResponse{Requests: w}, nil
}

func (s *runnerServer) Check(req *pb.CheckRequest, stream grpc.ServerStreamingServer[pb.Checked]) error {
	checks, err := checksFromWire(req)
	if err != nil {
		return badRequest(err)
	}
	return serveStream(s, stream, checkedToWire, func(ctx context.Context, each func(plugins.Checked)) error {
		return s.runner.Check(ctx, checks, each)
	})
}

func (s *runnerServer) Race(req *pb.RaceRequest, stream grpc.ServerStreamingServer[pb.Sample]) error {
	return serveStream(s, stream, sampleToWire, func(ctx context.Context, each func(plugins.Sample)) error {
		return s.runner.Race(ctx, raceFromWire(req), each)
	})
}

func (s *runnerServer) Release(ctx context.Context, req *pb.ReleaseRequest) (*pb.ReleaseResponse, error) {
	give, err := s.take(ctx)
	if err != nil {
		return nil, err
	}
	defer give()
	if err := s.runner.Release(ctx, req.GetIds()); err != nil {
		return nil, toStatus(err)
	}
	return &pb.ReleaseResponse{}, nil
}

// serveStream runs one call whose results come one by one. Results may come from several
// goroutines; a result that cannot be sent stops the call.
func serveStream[D, W any](s *runnerServer, stream grpc.ServerStreamingServer[W],
	toWire func(D) (*W, error), call func(context.Context, func(D)) error) error {
	give, err := s.take(stream.Context())
	if err != nil {
		return err
	}
	defer give()
	ctx, cancel := context.WithCancel(stream.Context())
	defer cancel()

	var mu sync.Mutex
	var failed error
	err = call(ctx, func(d D) {
		mu.Lock()
		defer mu.Unlock()
		if failed != nil {
			return
		}
		w, err := toWire(d)
		if err == nil {
			err = stream.Send(w)
		}
		if err != nil {
			failed = err
			cancel()
		}
	})
	mu.Lock()
	defer mu.Unlock()
	if failed != nil {
		return failed
	}
	return toStatus(err)
}
