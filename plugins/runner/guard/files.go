package guard

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
)

// A fileTrial is checked against what the family computed: float64 values and bounds in files
// of the session folder.
type fileTrial struct {
	prefix  string // of every file's path
	exact   bool
	buffers []plugins.Buffer
	inputs  map[string][]byte

	once    sync.Once
	answers map[string]answer
	err     error
}

type answer struct{ values, bounds []float64 }

// Inputs implements reference.Trial; operands are buffers here.
func (t *fileTrial) Inputs() map[string][]byte { return t.inputs }

// Prepare reads the family's files.
func (t *fileTrial) Prepare() error {
	t.once.Do(func() { t.answers, t.err = t.read() })
	return t.err
}

func (t *fileTrial) read() (map[string]answer, error) {
	answers := make(map[string]answer)
	for i, b := range t.buffers {
		if !writes(b.Role) {
			continue
		}
		var a answer
		var err error
		if a.values, err = readFloats(t.path("out", i), b); err != nil {
			return nil, err
		}
		if !t.exact {
			if a.bounds, err = readFloats(t.path("bound", i), b); err != nil {
				return nil, err
			}
		}
		answers[b.Name] = a
	}
	return answers, nil
}

// Verify implements reference.Trial.
func (t *fileTrial) Verify(outputs map[string][]byte) ([]*reference.Diff, error) {
	if err := t.Prepare(); err != nil {
		return nil, err
	}
	var diffs []*reference.Diff
	for _, b := range t.buffers {
		if !writes(b.Role) {
			continue
		}
		a, d := t.answers[b.Name], reference.NewDiff(b.Name, b)
		for e := range a.values {
			bound := 0.0
			if !t.exact {
				bound = a.bounds[e]
			}
			d.Add(int64(e), value(b.Type, outputs[b.Name], e), a.values[e], bound)
		}
		diffs = append(diffs, d)
	}
	return diffs, nil
}

// Bytes implements reference.Trial.
func (t *fileTrial) Bytes() (n int64) {
	for _, b := range t.buffers {
		n += b.Size()
		if writes(b.Role) {
			n += 16 * b.Elements
		}
	}
	return n
}

func (t *fileTrial) path(kind string, buffer int) string {
	return fmt.Sprintf("%s-%s%d.bin", t.prefix, kind, buffer)
}

// request names the trial's files to the family. ok is false when its answers lie there.
func (t *fileTrial) request(problem plugins.Problem, config plugins.Config) (req plugins.ReferenceRequest, ok bool, err error) {
	req = plugins.ReferenceRequest{Problem: problem, Config: config, Exact: t.exact,
		Inputs: map[string]string{}, Outputs: map[string]string{}, Bounds: map[string]string{}}
	missing := false
	for i, b := range t.buffers {
		if data, isInput := t.inputs[b.Name]; isInput {
			req.Inputs[b.Name] = t.path("in", i)
			if err := writeFile(t.path("in", i), data); err != nil {
				return req, false, err
			}
		}
		if !writes(b.Role) {
			continue
		}
		req.Outputs[b.Name], req.Bounds[b.Name] = t.path("out", i), t.path("bound", i)
		for _, path := range []string{t.path("out", i), t.path("bound", i)} {
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				missing = true
			}
		}
	}
	return req, missing, nil
}

// writeFile writes data unless a file of its size is there: inputs are a function of the name.
func writeFile(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(data)) {
		return nil
	}
	temporary := path + ".tmp"
	if err := os.WriteFile(temporary, data, 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

func readFloats(path string, b plugins.Buffer) ([]float64, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reference of output %q: %w", b.Name, err)
	}
	if int64(len(data)) != 8*b.Elements {
		return nil, fmt.Errorf("reference of output %q: %s has %d bytes, expected %d float64 values",
			b.Name, filepath.Base(path), len(data), b.Elements)
	}
	out := make([]float64, b.Elements)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		if math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			return nil, fmt.Errorf("reference of output %q: %s has %v at element %d, expected a finite number",
				b.Name, filepath.Base(path), out[i], i)
		}
	}
	return out, nil
}
