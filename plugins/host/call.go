package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/krisptune/krisptune/plugins"
)

const (
	// deathWait is how long a lost connection is given to turn out as a death.
	deathWait = 2 * time.Second
	// clockWait is how far the deadlines of caller and process may lie apart.
	clockWait = 200 * time.Millisecond
)

// explain turns the error of a call into what became of it: *plugins.RequestError,
// *DeathError, the context's error, or a failure that the process told.
func (p *process) explain(ctx context.Context, method string, err error) error {
	var refused *plugins.RequestError
	if err == nil || errors.As(err, &refused) {
		return err
	}
	if code := status.Code(err); code == codes.DeadlineExceeded || code == codes.Canceled {
		// The process has the same deadline, and its clock may be first by a little.
		select {
		case <-ctx.Done():
		case <-time.After(clockWait):
		}
	}
	if p.dead() {
		return p.death()
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %s: %w", p.name, method, ctx.Err())
	}
	switch status.Code(err) {
	case codes.Unavailable:
		if p.endsWithin(deathWait) {
			return p.death()
		}
		return fmt.Errorf("%s: %s: it closed its connection but still runs, expected an answer", p.name, method)
	case codes.Unimplemented:
		return fmt.Errorf("%s does not serve %s", p.name, method)
	}
	return fmt.Errorf("%s: %s: %s", p.name, method, statusMessage(err))
}

// statusMessage is err without gRPC's prefix, safe for a terminal.
func statusMessage(err error) string {
	if s, ok := status.FromError(err); ok {
		return printable(s.Message())
	}
	return printable(err.Error())
}
