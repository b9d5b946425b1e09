package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"sort"
	"strings"
	"sync"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
)

// A TrialSet is all that one problem's outputs are checked on. Every candidate of the problem
// shares it.
type TrialSet struct {
	// Key names problem, types and seed; equal keys mean equal inputs.
	Key     string
	Exact   []reference.Trial
	Rounded reference.Trial

	bufferOf, operandOf map[string]string
}

// BufferOf is the buffer that holds the operand.
func (t *TrialSet) BufferOf(operand string) string { return t.bufferOf[operand] }

// OperandOf is the operand that the buffer holds.
func (t *TrialSet) OperandOf(buffer string) string { return t.operandOf[buffer] }

// RoundedInputs are the inputs of the rounded trial by buffer name: those that are timed.
func (t *TrialSet) RoundedInputs() map[string][]byte {
	out := make(map[string][]byte)
	for operand, data := range t.Rounded.Inputs() {
		out[t.bufferOf[operand]] = data
	}
	return out
}

// RoundedKey names the rounded trial's inputs, for Run.Key.
func (t *TrialSet) RoundedKey() string { return t.Key + " rounded" }

// VerifyRounded holds outputs, by buffer name, against the rounded trial's reference.
func (t *TrialSet) VerifyRounded(outputs map[string][]byte) ([]*reference.Diff, error) {
	operands := make(map[string][]byte, len(outputs))
	for buffer, data := range outputs {
		operands[t.operandOf[buffer]] = data
	}
	return t.Rounded.Verify(operands)
}

func (t *TrialSet) all() []reference.Trial {
	return append(append([]reference.Trial(nil), t.Exact...), t.Rounded)
}

func (t *TrialSet) bytes() (n int64) {
	for _, trial := range t.all() {
		n += trial.Bytes()
	}
	return n
}

// Trials makes and keeps the trial sets of one session, so that inputs and references are
// computed once per problem and seed.
type Trials struct {
	seed     uint64
	dir      string // the session folder, for families with references of their own
	maxBytes int64

	mu    sync.Mutex
	sets  map[string]*TrialSet
	order []string // least recently used first

	background sync.WaitGroup
	slots      chan struct{}
}

// maxTrialSets bounds how many sets are kept: tails differ from one tile to the next, and are
// cheap to make again.
const maxTrialSets = 256

// NewTrials keeps about maxBytes of inputs and references.
func NewTrials(seed uint64, sessionDir string, maxBytes int64) *Trials {
	return &Trials{seed: seed, dir: sessionDir, maxBytes: maxBytes,
		sets: make(map[string]*TrialSet), slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Set gives the trials of a build. An error says what is wrong with the build's Reference.
func (t *Trials) Set(problem plugins.Problem, b plugins.Build) (*TrialSet, error) {
	key := t.key(problem, b)
	t.mu.Lock()
	defer t.mu.Unlock()
	if set, ok := t.sets[key]; ok {
		t.touch(key)
		return set, nil
	}
	set, err := t.make(key, b)
	if err != nil {
		return nil, err
	}
	var held int64
	for _, s := range t.sets {
		held += s.bytes()
	}
	for len(t.order) > 0 && (held+set.bytes() > t.maxBytes || len(t.order) >= maxTrialSets) {
		oldest := t.order[0]
		held -= t.sets[oldest].bytes()
		delete(t.sets, oldest)
		t.order = t.order[1:]
	}
	t.sets[key] = set
	t.order = append(t.order, key)
	return set, nil
}

func (t *Trials) touch(key string) {
	for i, k := range t.order {
		if k == key {
			t.order = append(append(t.order[:i:i], t.order[i+1:]...), key)
			return
		}
	}
}

func (t *Trials) make(key string, b plugins.Build) (*TrialSet, error) {
	if b.Reference.Op == "" {
		return fileSet(t.dir, key, t.seed, b)
	}
	op, err := reference.Lookup(b.Reference.Op)
	if err != nil {
		return nil, err
	}
	operands, err := reference.Bind(b)
	if err != nil {
		return nil, err
	}
	set := &TrialSet{Key: key, bufferOf: make(map[string]string), operandOf: make(map[string]string)}
	for operand, buffer := range b.Reference.Operands {
		set.bufferOf[operand], set.operandOf[buffer] = buffer, operand
	}
	if set.Exact, err = op.Exact(b.Reference.Args, operands, t.seed); err != nil {
		return nil, err
	}
	set.Rounded, err = op.Rounded(b.Reference.Args, operands, t.seed)
	return set, err
}

// Prefetch computes the references of sets on idle cores, in the order given.
func (t *Trials) Prefetch(sets []*TrialSet) {
	for _, set := range sets {
		for _, trial := range set.all() {
			t.background.Add(1)
			go func() {
				defer t.background.Done()
				t.slots <- struct{}{}
				defer func() { <-t.slots }()
				// An error comes again, to someone who can report it, from Verify.
				_ = trial.Prepare()
			}()
		}
	}
}

// Wait returns when no core computes a reference any more: timing needs a quiet machine.
func (t *Trials) Wait() { t.background.Wait() }

// key names all that inputs and references depend on: the operation, its arguments, the
// operands' types and sizes. A family that computes its own is asked by problem.
func (t *Trials) key(problem plugins.Problem, b plugins.Build) string {
	var s strings.Builder
	fmt.Fprintf(&s, "seed %d op %q args %v", t.seed, b.Reference.Op, plugins.Config(b.Reference.Args))
	if b.Reference.Op == "" {
		fmt.Fprintf(&s, " problem %v", problem)
	}
	operands := make([]string, 0, len(b.Reference.Operands))
	for operand, buffer := range b.Reference.Operands {
		operands = append(operands, fmt.Sprintf(" %q is %q", operand, buffer))
	}
	sort.Strings(operands)
	s.WriteString(strings.Join(operands, ""))
	for _, buf := range b.Buffers {
		if buf.Role != plugins.Scratch {
			fmt.Fprintf(&s, " %q %s %d %d %s", buf.Name, buf.Type, buf.Elements, buf.Rows, buf.Role)
		}
	}
	sum := sha256.Sum256([]byte(s.String()))
	return hex.EncodeToString(sum[:16])
}
