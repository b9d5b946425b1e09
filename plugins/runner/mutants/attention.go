package mutants

import (
	"math"
	"math/rand/v2"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
)

func init() { register("attention", operation{exacts: 2, make: attentionTrial}) }

// attention is one head with a running softmax.
func attention() *Kernel {
	setting := func(name string, block, d int64) Setting {
		return Setting{Name: name, Config: plugins.Config{"BLOCK": block, "D": d},
			Problem: plugins.Problem{"queries": int64(80), "keys": int64(80), "d": d},
			Tails:   []Tail{{"queries", 24, 1, false}, {"keys", block, 1, true}}}
	}
	return &Kernel{
		Name:      "attention",
		Files:     []string{"plugins/runner/mutants/testdata/attention.comp"},
		Variants:  []Variant{{Name: "f32", Modules: [][]string{nil}}},
		Settings:  []Setting{setting("32x24", 32, 24), setting("64x32", 64, 32)},
		Build:     buildAttention,
		Mutations: attentionMutations,
	}
}

// scale of the scores; a power of two, so that exact inputs stay exact.
const scale = 0.25

func buildAttention(_ Variant, modules [][]byte, p plugins.Problem, c plugins.Config) (plugins.Build, error) {
	n, err := sizes(p, "queries", "keys", "d")
	if err != nil {
		return plugins.Build{}, err
	}
	spec, err := constants(c, "BLOCK", "D")
	if err != nil {
		return plugins.Build{}, err
	}
	queries, keys, d := n[0], n[1], n[2]
	matrix := func(name string, rows int64, role plugins.Role) plugins.Buffer {
		return plugins.Buffer{Name: name, Type: plugins.F32, Elements: rows * d, Rows: d, Role: role}
	}
	return plugins.Build{
		Modules: []plugins.Module{{Name: "attention", SPIRV: modules[0]}},
		Buffers: []plugins.Buffer{matrix("q", queries, plugins.Input), matrix("k", keys, plugins.Input),
			matrix("v", keys, plugins.Input), matrix("o", queries, plugins.Output)},
		Passes: []plugins.Pass{{Entry: "main", Spec: spec, Bindings: bind(0, 1, 2, 3),
			Push: words(uint32(queries), uint32(keys), math.Float32bits(scale)), Grid: [3]uint32{uint32(queries), 1, 1}}},
		Reference: plugins.Reference{Op: operationName("attention"), Args: p,
			Operands: map[string]string{"q": "q", "k": "k", "v": "v", "o": "o"}},
		Flops: 4 * float64(queries*keys*d),
	}, nil
}

// attentionTrial has two exact sets. In the first every query picks one key, all other scores
// being so far below that their weights are 0 in f32: the output is a row of V. In the second a
// query picks four keys with equal scores, spread over all of them: the output is their mean.
// Which keys is a function of the query, so that together the queries read every key.
func attentionTrial(args plugins.Problem, operands reference.Operands, exact int, r *rand.Rand) (*trial, error) {
	n, err := sizes(args, "queries", "keys", "d")
	if err != nil {
		return nil, err
	}
	queries, keys, d := n[0], n[1], n[2]
	vs, vData := f32s(keys*d, nonzero(r, 64))
	if exact < 0 {
		qs, qData := f32s(queries*d, r.NormFloat64)
		ks, kData := f32s(keys*d, r.NormFloat64)
		vs, vData = f32s(keys*d, r.NormFloat64)
		return &trial{inputs: map[string][]byte{"q": qData, "k": kData, "v": vData}, output: operands["o"], name: "o",
			answer: func() ([]float64, []float64) { return softmax(qs, ks, vs, d) }}, nil
	}
	// Groups of keys have codes of ±1 that differ pairwise: the binary digits of the group. Place
	// 0 shifts all scores alike, which softmax must not feel: far below 0 in the second set.
	size := []int64{1, 4}[exact]
	for size > keys { // a power of two, for the mean to be exact
		size /= 2
	}
	groups := keys / size
	code := func(group, i int64) float64 {
		if i == 0 {
			return 1
		}
		return 1 - 2*float64(group>>(i%12)&1)
	}
	order := r.Perm(int(keys))
	group := make([]int64, keys)
	for at, key := range order {
		group[key] = min(int64(at)/size, groups) // keys left over have a group that nobody picks
	}
	e := int64(-1)
	_, kData := f32s(keys*d, func() float64 { e++; return code(group[e/d], e%d) })
	// Codes differ in one digit or more: at least (d-1)/12 places, each worth 2·scale·strength.
	strength := math.Exp2(math.Ceil(math.Log2(256 / (2 * scale * float64((d-1)/12)))))
	picked := func(query int64) int64 { return query * 7 % groups }
	e = -1
	_, qData := f32s(queries*d, func() float64 {
		if e++; e%d == 0 {
			return []float64{0, -0x1p15}[exact]
		}
		return strength * code(picked(e/d), e%d)
	})
	return &trial{inputs: map[string][]byte{"q": qData, "k": kData, "v": vData}, output: operands["o"], name: "o",
		answer: func() ([]float64, []float64) {
			values := make([]float64, queries*d)
			for query := range queries {
				for key := range keys {
					if group[key] == picked(query) {
						for i := range d {
							values[query*d+i] += vs[key*d+i] / float64(size)
						}
					}
				}
			}
			return values, nil
		}}, nil
}

// softmax is attention in float64, with a bound for f32. A weight exp(s-m) has a relative error
// of at most E: of the dot products s and m (d+2 roundings each of Σ|q·k|, Higham), of the
// difference, and of exp, which Vulkan allows 3+2|x| units in the last place, once more for each
// rescaling. Weights that are off by E move a weighted mean by at most 2E·Σ w|v|; sums of n
// terms add n roundings, the division 2.5 units.
func softmax(q, k, v []float64, d int64) (values, bounds []float64) {
	const u = 0x1p-24
	keys := int64(len(k)) / d
	scores, weights := make([]float64, keys), make([]float64, keys)
	for at := int64(0); at < int64(len(q)); at += d {
		highest, abs, lowest := math.Inf(-1), 0.0, math.Inf(1)
		for j := range keys {
			var s, a float64
			for i := range d {
				s += scale * q[at+i] * k[j*d+i]
				a += math.Abs(scale * q[at+i] * k[j*d+i])
			}
			scores[j] = s
			highest, lowest, abs = max(highest, s), min(lowest, s), max(abs, a)
		}
		var total float64
		for j, s := range scores {
			weights[j] = math.Exp(s - highest)
			total += weights[j]
		}
		spread := highest - lowest
		tiles := float64(keys)/8 + 1
		relative := math.Expm1(2*float64(d+2)*u*abs+2*u*spread) + tiles*2*u*(3+2*spread)
		relative = 2*relative + (2*float64(keys)+6)*u
		for i := range d {
			var sum, abs float64
			for j, w := range weights {
				sum += w * v[int64(j)*d+i] / total
				abs += math.Abs(w*v[int64(j)*d+i]) / total
			}
			values, bounds = append(values, sum), append(bounds, relative*abs)
		}
	}
	return values, bounds
}
