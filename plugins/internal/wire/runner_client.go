package wire

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/pb"
)

// A RunnerClient drives a runner in another process. Errors are *plugins.RequestError or gRPC
// statuses.
type RunnerClient struct{ client pb.RunnerClient }

var _ plugins.Runner = (*RunnerClient)(nil)

func (c *RunnerClient) Devices(ctx context.Context) ([]plugins.Device, error) {
	answer, err := c.client.Devices(ctx, &pb.DevicesRequest{})
	if err != nil {
		return nil, fromStatus(err)
	}
	return convert(answer.GetDevicesJson(), deviceFromWire)
}

func (c *RunnerClient) Open(ctx context.Context, opts plugins.OpenOptions) (plugins.Opened, error) {
	answer, err := c.client.Open(ctx, openToWire(opts))
	if err != nil {
		return plugins.Opened{}, fromStatus(err)
	}
	return openedFromWire(answer)
}

func (c *RunnerClient) Compile(ctx context.Context, candidates []plugins.Candidate, each func(plugins.Compiled)) error {
	req, err := candidatesToWire(candidates)
	if err != nil {
		return &plugins.RequestError{Reason: err.Error()}
	}
	return readStream(ctx, compiledFromWire, each, func(ctx context.Context) (grpc.ServerStreamingClient[pb.Compiled], error) {
		return c.client.Compile(ctx, req)
	})
}

func (c *RunnerClient) Inputs(ctx context.Context, checks []plugins.Check) ([]plugins.ReferenceRequest, error) {
	req, err := checksToWire(checks)
	if err != nil {
		return nil, &plugins.RequestError{Reason: err.Error()}
	}
	answer, err := c.client.Inputs(ctx, req)
	if err != nil {
		return nil, fromStatus(err)
	}
	return convert(answer.GetRequests(), referenceFromWire)
}

func (c *RunnerClient) Check(ctx context.Context, checks []plugins.Check, each func(plugins.Checked)) error {
	req, err := checksToWire(checks)
	if err != nil {
		return &plugins.RequestError{Reason: err.Error()}
	}
	return readStream(ctx, checkedFromWire, each, func(ctx context.Context) (grpc.ServerStreamingClient[pb.Checked], error) {
		return c.client.Check(ctx, req)
	})
}

func (c *RunnerClient) Race(ctx context.Context, race plugins.Race, each func(plugins.Sample)) error {
	return readStream(ctx, sampleFromWire, each, func(ctx context.Context) (grpc.ServerStreamingClient[pb.Sample], error) {
		return c.client.Race(ctx, raceToWire(race))
	})
}

func (c *RunnerClient) Release(ctx context.Context, ids []string) error {
	_, err := c.client.Release(ctx, &pb.ReleaseRequest{Ids: ids})
	return fromStatus(err)
}

// readStream calls each for every message until the stream ends.
func readStream[D, W any](ctx context.Context, fromWire func(*W) (D, error), each func(D),
	open func(context.Context) (grpc.ServerStreamingClient[W], error)) error {
	// A stream that is left early, by an error or a panic of each, must not live on.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := open(ctx)
	if err != nil {
		return fromStatus(err)
	}
	for {
		w, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fromStatus(err)
		}
		d, err := fromWire(w)
		if err != nil {
			return err
		}
		each(d)
	}
}
