package wire

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/krisptune/krisptune/plugins"
)

// toStatus keeps a refused request apart from a failed process.
func toStatus(err error) error {
	var refused *plugins.RequestError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return status.Error(codes.InvalidArgument, err.Error())
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return status.FromContextError(err).Err()
	}
	return status.Error(codes.Unknown, err.Error())
}

// fromStatus undoes toStatus for refused requests; other errors stay statuses, for the host to
// judge together with what became of the process.
func fromStatus(err error) error {
	if status.Code(err) == codes.InvalidArgument {
		return &plugins.RequestError{Reason: status.Convert(err).Message()}
	}
	return err
}

// badRequest is a message that does not convert.
func badRequest(err error) error {
	return status.Error(codes.InvalidArgument, err.Error())
}

// answered turns a panic into an error that names it: one bad request must not cost the process.
func answered(method string, err *error) {
	if p := recover(); p != nil {
		fmt.Fprintf(os.Stderr, "panic in %s: %v\n%s", method, p, debug.Stack())
		*err = status.Errorf(codes.Internal, "panic: %v", p)
	}
}

func unaryRecover(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (answer any, err error) {
	defer answered(info.FullMethod, &err)
	return next(ctx, req)
}

func streamRecover(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
	defer answered(info.FullMethod, &err)
	return next(srv, stream)
}
