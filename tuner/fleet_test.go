package tuner

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/plugintest"
)

// An openingProcess is a runner that only opens.
type openingProcess struct {
	plugintest.FakeRunner
	opened plugins.Opened
	err    error
	killed *int
}

func (p *openingProcess) Runner() plugins.Runner { return p }
func (p *openingProcess) Kill() error            { *p.killed++; return nil }
func (p *openingProcess) Open(context.Context, plugins.OpenOptions) (plugins.Opened, error) {
	return p.opened, p.err
}

// After its runner is gone a device is asked to execute something before it is trusted again.
func TestADeviceIsProbedAgain(t *testing.T) {
	lost := errors.New("VK_ERROR_DEVICE_LOST")
	works, dead := plugins.Opened{}, plugins.Opened{Inert: true}
	type answer struct {
		opened plugins.Opened
		err    error
	}
	for name, test := range map[string]struct {
		answers []answer
		starts  int
		says    string // error of the second get; empty for none
	}{
		"recovers at once":          {[]answer{{works, nil}, {works, nil}}, 2, ""},
		"recovers after a while":    {[]answer{{works, nil}, {works, lost}, {dead, nil}, {works, nil}}, 4, ""},
		"executes nothing any more": {[]answer{{works, nil}, {dead, nil}, {dead, nil}, {dead, nil}}, 4, "executes nothing any more"},
		"stays lost":                {[]answer{{works, nil}, {works, lost}, {works, lost}, {works, lost}}, 4, "DEVICE_LOST"},
		"never executed: no reason": {[]answer{{dead, nil}, {dead, nil}}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			starts, killed := 0, 0
			f := newFleet(func(context.Context, int) (Process, error) {
				a := test.answers[starts]
				starts++
				return &openingProcess{opened: a.opened, err: a.err, killed: &killed}, nil
			}, func(int) plugins.OpenOptions { return plugins.OpenOptions{} })
			f.pause = time.Millisecond
			if _, err := f.get(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			if err := f.drop(0); err != nil {
				t.Fatal(err)
			}
			_, err := f.get(t.Context(), 0)
			if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
				t.Errorf("error %v, want %q", err, test.says)
			}
			if err := f.close(); err != nil || starts != test.starts || killed != starts {
				t.Errorf("%d runners started and %d ended, want %d; %v", starts, killed, test.starts, err)
			}
		})
	}
	// A first opening that fails is a failure, not a device to wait for.
	starts, killed := 0, 0
	f := newFleet(func(context.Context, int) (Process, error) {
		starts++
		return &openingProcess{err: lost, killed: &killed}, nil
	}, func(int) plugins.OpenOptions { return plugins.OpenOptions{} })
	if _, err := f.get(t.Context(), 0); !errors.Is(err, lost) || starts != 1 {
		t.Errorf("%v after %d starts, want the failure at once", err, starts)
	}
}
