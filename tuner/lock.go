package tuner

import "context"

// A lockMode is how a session holds its device's lock.
type lockMode int

const (
	free lockMode = iota
	shared
	exclusive
)

// hold takes the device's lock and returns the function that goes back to how it was held
// before. What is held already covers what asks for less: a runner that is replaced within a
// race stays within that race's hold.
func (s *Session) hold(ctx context.Context, want lockMode) (release func(), err error) {
	before := s.held
	if before >= want {
		return func() {}, nil
	}
	if err := s.takeLock(ctx, want); err != nil {
		return nil, err
	}
	return func() {
		// Only a done context can stop this, and then nothing more is done on the device.
		_ = s.takeLock(ctx, before)
	}, nil
}

func (s *Session) takeLock(ctx context.Context, mode lockMode) error {
	s.held = free
	var err error
	switch mode {
	case free:
		s.lock.Unlock()
	case shared:
		err = s.lock.Shared(ctx)
	case exclusive:
		err = s.lock.Exclusive(ctx)
	}
	if err == nil {
		s.held = mode
	}
	return err
}
