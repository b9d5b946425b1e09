package guard

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
)

// fileSet makes the trials of a family that computes its own reference. Exact inputs are
// integers from -2 to 2 (0 to 4 in unsigned types), rounded ones normals. An inout buffer
// starts from other values in the second exact trial than in the first.
func fileSet(dir, key string, seed uint64, b plugins.Build) (*TrialSet, error) {
	if dir == "" {
		return nil, fmt.Errorf("the build names no operation, and the runner was opened without a session folder")
	}
	set := &TrialSet{Key: key, bufferOf: make(map[string]string), operandOf: make(map[string]string)}
	exacts := 1
	for _, buf := range b.Buffers {
		set.bufferOf[buf.Name], set.operandOf[buf.Name] = buf.Name, buf.Name
		if buf.Role == plugins.InOut {
			exacts = 2
		}
	}
	for i := range exacts {
		set.Exact = append(set.Exact, newFileTrial(dir, key, fmt.Sprintf("exact%d", i), seed, true, b.Buffers))
	}
	set.Rounded = newFileTrial(dir, key, "rounded", seed, false, b.Buffers)
	return set, nil
}

func newFileTrial(dir, key, kind string, seed uint64, exact bool, buffers []plugins.Buffer) *fileTrial {
	t := &fileTrial{prefix: filepath.Join(dir, key+"-"+kind), exact: exact, buffers: buffers, inputs: make(map[string][]byte)}
	for _, b := range buffers {
		if b.Role != plugins.Input && b.Role != plugins.InOut {
			continue
		}
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %s %q", key, kind, b.Name)
		t.inputs[b.Name] = generate(b, exact, rand.New(rand.NewPCG(seed, h.Sum64())))
	}
	return t
}

func generate(b plugins.Buffer, exact bool, r *rand.Rand) []byte {
	data := make([]byte, b.Size())
	for e := range int(b.Elements) {
		var v float64
		switch {
		case b.Type == plugins.U8 || b.Type == plugins.U32:
			v = float64(r.IntN(5))
		case exact || !isFloat(b.Type):
			v = float64(r.IntN(5) - 2)
		default:
			v = r.NormFloat64()
		}
		put(b.Type, data, e, v)
	}
	return data
}

// Requests says what a family must compute before the build can be checked, writing the inputs
// into the session folder. Nothing for a build that names an operation.
func (t *Trials) Requests(problem plugins.Problem, config plugins.Config, b plugins.Build) ([]plugins.ReferenceRequest, error) {
	if b.Reference.Op != "" {
		return nil, nil
	}
	set, err := t.Set(problem, b)
	if err != nil {
		return nil, err
	}
	var out []plugins.ReferenceRequest
	for _, trial := range set.all() {
		req, missing, err := trial.(*fileTrial).request(problem, config)
		if err != nil {
			return nil, err
		}
		if missing {
			out = append(out, req)
		}
	}
	return out, nil
}

var _ reference.Trial = (*fileTrial)(nil)
