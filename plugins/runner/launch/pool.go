package launch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
)

// A Pool keeps the sets of recent problems, so that the candidates of one problem share
// buffers and the inputs in them. The least recently used go first.
type Pool struct {
	device   *vkrt.Device
	maxBytes int64
	maxSets  int
	bytes    int64
	sets     []*pooled // most recently used last
	held     bool
}

type pooled struct {
	key string
	set *Set
}

// NewPool keeps at most maxBytes and maxSets, but always the one in use.
func NewPool(device *vkrt.Device, maxBytes int64, maxSets int) *Pool {
	return &Pool{device: device, maxBytes: maxBytes, maxSets: maxSets}
}

// Set gives the buffers for one build's inputs; key names the inputs. Where the device has no
// memory left, every other set is dropped first.
func (p *Pool) Set(key string, buffers []plugins.Buffer) (*Set, error) {
	key = signature(key, buffers)
	for i, e := range p.sets {
		if e.key == key {
			p.sets = append(append(p.sets[:i:i], p.sets[i+1:]...), e)
			return e.set, nil
		}
	}
	need := Bytes(buffers)
	for !p.held && len(p.sets) > 0 && (p.bytes+need > p.maxBytes || len(p.sets) >= p.maxSets) {
		p.dropOldest()
	}
	set, err := NewSet(p.device, buffers)
	if errors.Is(err, vkrt.ErrOutOfMemory) && len(p.sets) > 0 && !p.held {
		p.Clear()
		set, err = NewSet(p.device, buffers)
	}
	if err != nil {
		return nil, err
	}
	p.sets = append(p.sets, &pooled{key, set})
	p.bytes += set.Bytes()
	return set, nil
}

// Hold keeps every set from now on, whatever the limits, until the returned function is called:
// the entrants of a race use theirs in turn.
func (p *Pool) Hold() (release func()) {
	p.held = true
	return func() { p.held = false }
}

func (p *Pool) dropOldest() {
	p.bytes -= p.sets[0].set.Bytes()
	p.sets[0].set.Close()
	p.sets = append([]*pooled(nil), p.sets[1:]...)
}

// Forget distrusts the inputs of every set: a kernel wrote where it must not.
func (p *Pool) Forget() {
	for _, e := range p.sets {
		e.set.Forget()
	}
}

// Clear frees every set.
func (p *Pool) Clear() {
	for len(p.sets) > 0 {
		p.dropOldest()
	}
}

func signature(key string, buffers []plugins.Buffer) string {
	var b strings.Builder
	b.WriteString(key)
	for _, buf := range buffers {
		fmt.Fprintf(&b, "|%q %s %d %s", buf.Name, buf.Type, buf.Elements, buf.Role)
	}
	return b.String()
}
