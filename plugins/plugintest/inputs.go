package plugintest

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/x448/float16"

	"github.com/krisptune/krisptune/plugins"
)

// writeInputs writes small integers for every buffer of b that a kernel reads, under
// dir/name.BUFFER.in, and returns the request for the references.
func writeInputs(dir, name string, seed uint64, problem plugins.Problem, config plugins.Config, b plugins.Build) (plugins.ReferenceRequest, error) {
	req := plugins.ReferenceRequest{Problem: problem, Config: config, Exact: true,
		Inputs: map[string]string{}, Outputs: map[string]string{}, Bounds: map[string]string{}}
	for i, f := range b.Buffers {
		path := func(what string) string { return filepath.Join(dir, fmt.Sprintf("%s.%s.%s", name, f.Name, what)) }
		if f.Role == plugins.Input || f.Role == plugins.InOut {
			req.Inputs[f.Name] = path("in")
			if err := os.WriteFile(path("in"), smallIntegers(f, rand.New(rand.NewPCG(seed, uint64(i)))), 0o600); err != nil {
				return plugins.ReferenceRequest{}, err
			}
		}
		if f.Role == plugins.Output || f.Role == plugins.InOut {
			req.Outputs[f.Name], req.Bounds[f.Name] = path("out"), path("bound")
		}
	}
	return req, nil
}

// smallIntegers fills a buffer with values of 0 to 7, which every element type holds exactly.
func smallIntegers(f plugins.Buffer, r *rand.Rand) []byte {
	var out []byte
	for range f.Elements {
		v := r.IntN(8)
		switch f.Type {
		case plugins.F32:
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
		case plugins.F16:
			out = binary.LittleEndian.AppendUint16(out, float16.Fromfloat32(float32(v)).Bits())
		case plugins.BF16:
			out = binary.LittleEndian.AppendUint16(out, uint16(math.Float32bits(float32(v))>>16))
		case plugins.I32, plugins.U32:
			out = binary.LittleEndian.AppendUint32(out, uint32(v))
		case plugins.I8, plugins.U8:
			out = append(out, byte(v))
		}
	}
	return out
}

// checkAnswers says what is missing of the references that a family was asked for.
func checkAnswers(req plugins.ReferenceRequest, b plugins.Build) error {
	for _, f := range b.Buffers {
		for _, path := range []string{req.Outputs[f.Name], req.Bounds[f.Name]} {
			if path == "" {
				continue
			}
			stat, err := os.Stat(path)
			if err != nil {
				return fmt.Errorf("reference of %s: %w", f.Name, err)
			}
			if stat.Size() != 8*f.Elements {
				return fmt.Errorf("reference of %s: %s has %d bytes, expected %d float64", f.Name, path, stat.Size(), f.Elements)
			}
		}
	}
	return nil
}
