package tuner

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/search"
)

// deadPoints is how many random points of the space, besides the baseline, a parameter must
// leave unchanged under all its values before it is called dead.
const deadPoints = 24

// dropDead finds parameters that reach nothing: changing them at any of the points looked at
// changes no byte of what the device would run, on any problem. Such a parameter is reported and
// held at one value; otherwise the search would rank its values by noise.
func (s *Session) dropDead(ctx context.Context) error {
	for i := range s.bound.Params {
		p := &s.bound.Params[i]
		if len(p.Values) < 2 {
			continue
		}
		dead, err := s.dead(ctx, *p)
		if err != nil {
			return err
		}
		if !dead {
			continue
		}
		value, space, err := s.pin(i)
		if err != nil {
			return err
		}
		s.space = space
		s.warn(fmt.Sprintf("parameter %s is dead: it reaches neither code, specialization, grid, push constants nor buffers of any problem; "+
			"it is held at %s", p.Name, plugins.FormatValue(value)))
	}
	return nil
}

// dead compares the launches of one parameter's values where nothing else changes.
func (s *Session) dead(ctx context.Context, p plugins.Param) (bool, error) {
	rng := rand.New(rand.NewPCG(s.seed, 0xdead))
	bases := []plugins.Config{s.bound.Baseline}
	for range deadPoints {
		base := s.space.Named(s.space.Sample(rng))
		delete(base, settingsParam)
		bases = append(bases, base)
	}
	compared := map[plugins.Value]bool{}
	for _, base := range bases {
		first, known := "", false
		var seen []plugins.Value
		for _, v := range p.Values {
			config := plugins.Config{}
			for k, old := range base {
				config[k] = old
			}
			config[p.Name] = v
			if !s.inSpace(config) {
				continue
			}
			sign, ok, err := s.signature(ctx, config)
			if err != nil {
				return false, err
			}
			switch {
			case !ok:
				return false, nil // refused: the guard's business, and a difference
			case !known:
				first, known = sign, true
			case sign != first:
				return false, nil
			}
			seen = append(seen, v)
		}
		if len(seen) > 1 {
			for _, v := range seen {
				compared[v] = true
			}
		}
	}
	return len(compared) == len(p.Values), nil
}

// inSpace reports whether a configuration is in the space, in the baseline's arm.
func (s *Session) inSpace(config plugins.Config) bool {
	named := map[string]search.Value{}
	for k, v := range config {
		named[k] = v
	}
	if len(s.arms) > 1 {
		named[settingsParam] = s.arms[0].Name
	}
	point, err := s.space.Config(named)
	if err != nil {
		return false
	}
	_, ok := s.space.Index(point)
	return ok
}

// signature is all that reaches the device under a configuration; false if it cannot be built.
func (s *Session) signature(ctx context.Context, config plugins.Config) (string, bool, error) {
	h := sha256.New()
	for _, problem := range s.problems {
		var b plugins.Build
		err := s.ask(ctx, func(ctx context.Context, f plugins.Family) (err error) {
			b, err = f.Build(ctx, problem, config)
			return err
		})
		var refused *plugins.RequestError
		switch {
		case errors.As(err, &refused):
			return "", false, nil
		case err != nil:
			return "", false, err
		}
		fmt.Fprintf(h, "%v\n", b.Buffers)
		for _, pass := range b.Passes {
			if pass.Module < 0 || pass.Module >= len(b.Modules) {
				return "", false, nil
			}
			module := b.Modules[pass.Module]
			used := s.modules.usedSpec(module)
			pass.Spec = slices.DeleteFunc(slices.Clone(pass.Spec), func(c plugins.SpecConstant) bool { return !used[c.ID] })
			pass.Module = 0
			fmt.Fprintf(h, "%s %+v\n", module.SHA256(), pass)
		}
	}
	return string(h.Sum(nil)), true, nil
}

// pin narrows parameter i to the value that leaves the largest space, the baseline's among
// equals, and returns that space.
func (s *Session) pin(i int) (plugins.Value, *search.Space, error) {
	p := &s.bound.Params[i]
	values := slices.Clone(p.Values)
	if at := slices.Index(values, s.bound.Baseline[p.Name]); at > 0 {
		values[0], values[at] = values[at], values[0]
	}
	var best plugins.Value
	var largest *search.Space
	for _, v := range values {
		p.Values = []plugins.Value{v}
		space, err := NewSpace(s.bound, s.info, s.device(), s.arms)
		if err == nil && (largest == nil || space.Len() > largest.Len()) {
			best, largest = v, space
		}
	}
	if largest == nil {
		return nil, nil, fmt.Errorf("no value of the dead parameter %s leaves a configuration", p.Name)
	}
	p.Values = []plugins.Value{best}
	return best, largest, nil
}

// literalOps are instructions whose words are literals, names and types, or that annotate and so
// read nothing: OpSource to OpMemberName, OpString to OpMemoryModel but OpExtInst, OpExecutionMode,
// OpCapability, OpTypeVoid to OpTypeVector, OpConstant, OpDecorate, OpMemberDecorate (SPIR-V
// specification, section 3.49).
var literalOps = []uint32{3, 4, 5, 6, 7, 8, 10, 11, 14, 16, 17, 19, 20, 21, 22, 23, 43, 71, 72}

// usedSpecIDs are the specialization constants of a module that some instruction reads. Names
// and decorations read nothing. A literal that happens to equal a constant's result id counts
// as a use: an error in that direction only calls a dead parameter alive.
func usedSpecIDs(spirv []byte) map[uint32]bool {
	const (
		header           = 5
		opDecorate       = 71
		firstSpec        = 48 // OpSpecConstantTrue, OpSpecConstantFalse, OpSpecConstant
		lastSpec         = 50
		decorationSpecID = 1
	)
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(spirv[4*i:]) }
	ids := map[uint32]uint32{} // result id to SpecId
	read := map[uint32]bool{}
	for at := header; 4*at+4 <= len(spirv); {
		count, op := int(word(at)>>16), word(at)&0xffff
		if count == 0 || 4*(at+count) > len(spirv) {
			break
		}
		switch {
		case op == opDecorate && count >= 4 && word(at+2) == decorationSpecID:
			ids[word(at+1)] = word(at + 3)
		case slices.Contains(literalOps, op):
		case op >= firstSpec && op <= lastSpec:
			// Its own definition: type, result, default value.
		default:
			for i := at + 1; i < at+count; i++ {
				read[word(i)] = true
			}
		}
		at += count
	}
	used := map[uint32]bool{}
	for result, id := range ids {
		if read[result] {
			used[id] = true
		}
	}
	return used
}
