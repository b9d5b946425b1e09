package launch

import (
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
)

// A Set is the device buffers of one build, each exactly as large as the problem says and with
// a guard band on either side. Candidates of one problem share it.
type Set struct {
	Buffers []plugins.Buffer

	device  *vkrt.Device
	layouts []layout
	memory  []*vkrt.Buffer
	host    [][]byte // copies of what is not mapped
	loaded  string   // which inputs lie on the device
}

// NewSet allocates buffers. An element count that is not positive is an error.
func NewSet(device *vkrt.Device, buffers []plugins.Buffer) (*Set, error) {
	s := &Set{Buffers: buffers, device: device, host: make([][]byte, len(buffers))}
	for _, b := range buffers {
		if b.Size() <= 0 {
			s.Close()
			return nil, fmt.Errorf("buffer %q has %d elements of type %q, expected a positive size", b.Name, b.Elements, b.Type)
		}
		l := layoutOf(b)
		m, err := device.NewBuffer(l.total(), vkrt.DeviceLocal)
		if err != nil {
			s.Close()
			return nil, fmt.Errorf("buffer %q of %d bytes: %w", b.Name, l.total(), err)
		}
		s.layouts = append(s.layouts, l)
		s.memory = append(s.memory, m)
	}
	return s, nil
}

// Bytes is the device memory that the set holds.
func (s *Set) Bytes() int64 { return Bytes(s.Buffers) }

// Bytes is the device memory that a set of these buffers takes.
func Bytes(buffers []plugins.Buffer) (n int64) {
	for _, b := range buffers {
		n += layoutOf(b).total()
	}
	return n
}

// Load puts inputs, by buffer name, on the device. Inputs that already lie there under the
// same key are left; inout buffers, which kernels change, are written each time.
func (s *Set) Load(key string, inputs map[string][]byte) error {
	fresh := s.loaded != key
	s.loaded = ""
	for i, b := range s.Buffers {
		if b.Role != plugins.InOut && (b.Role != plugins.Input || !fresh) {
			continue
		}
		data, ok := inputs[b.Name]
		if !ok || int64(len(data)) != b.Size() {
			return fmt.Errorf("buffer %q has %d bytes of input, expected %d", b.Name, len(data), b.Size())
		}
		if err := s.device.Upload(s.memory[i], Band, data); err != nil {
			return err
		}
		if pad := s.layouts[i].padded - s.layouts[i].data; pad > 0 {
			if err := s.device.Upload(s.memory[i], Band+s.layouts[i].data, make([]byte, pad)); err != nil {
				return err
			}
		}
	}
	s.loaded = key
	return nil
}

// Holds says whether the inputs of key lie on the device.
func (s *Set) Holds(key string) bool { return s.loaded == key }

// Forget makes the next Load write every input again.
func (s *Set) Forget() { s.loaded = "" }

// Fill records the writing of guard bands and poison. A barrier must follow.
func (s *Set) Fill(rec *vkrt.Recorder, f Fill) {
	for i, b := range s.Buffers {
		l := s.layouts[i]
		rec.Fill(s.memory[i], 0, Band, f.CanaryOf(i))
		rec.Fill(s.memory[i], l.back(), Band, f.CanaryOf(i))
		switch b.Role {
		case plugins.Output:
			rec.Fill(s.memory[i], Band, l.padded, f.Poison)
		case plugins.Scratch:
			rec.Fill(s.memory[i], Band, l.padded, f.Scratch)
		}
	}
}

// Contents reads buffer i, valid until the next run.
func (s *Set) Contents(i int) (Contents, error) {
	l := s.layouts[i]
	if m := s.memory[i].Mapped(); m != nil {
		return l.split(m), nil
	}
	if s.host[i] == nil {
		s.host[i] = make([]byte, l.total())
	}
	if err := s.device.Download(s.memory[i], 0, s.host[i]); err != nil {
		return Contents{}, err
	}
	return l.split(s.host[i]), nil
}

// Close frees the buffers.
func (s *Set) Close() {
	for _, m := range s.memory {
		m.Close()
	}
	s.memory, s.host, s.loaded = nil, nil, ""
}
