package spirv

import (
	"encoding/binary"
	"fmt"
	"strings"
)

const magic = 0x07230203

const headerWords = 5

// decode turns bytes into words of the host's order.
func decode(b []byte) ([]uint32, error) {
	if len(b)%4 != 0 || len(b) < 4*headerWords {
		return nil, &Error{0, fmt.Sprintf("module of %d bytes, want a multiple of 4 and at least %d", len(b), 4*headerWords)}
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(b) != magic {
		order = binary.BigEndian
	}
	if order.Uint32(b) != magic {
		return nil, &Error{0, fmt.Sprintf("begins with % x, want the magic number 0x%08x", b[:4], magic)}
	}
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = order.Uint32(b[4*i:])
	}
	return words, nil
}

// An instruction is its operands, without the first word, and where it stands.
type instruction struct {
	op   uint32
	args []uint32
	word int
}

func (in instruction) fail(format string, args ...any) error {
	return &Error{in.word, fmt.Sprintf(format, args...)}
}

// need fails when there are fewer than n operands.
func (in instruction) need(n int) error {
	if len(in.args) < n {
		return in.fail("instruction %d has %d operands, want at least %d", in.op, len(in.args), n)
	}
	return nil
}

// literal reads a string from operand at, and the index of the operand after it.
func (in instruction) literal(at int) (string, int, error) {
	var b []byte
	for i := at; i < len(in.args); i++ {
		b = binary.LittleEndian.AppendUint32(b, in.args[i])
		if text, _, ended := strings.Cut(string(b[len(b)-4:]), "\x00"); ended {
			b = append(b[:len(b)-4], text...)
			return strings.ToValidUTF8(string(b), "\ufffd"), i + 1, nil
		}
	}
	return "", 0, in.fail("instruction %d has a string without an end", in.op)
}

type memberKey struct{ id, member uint32 }

// A parser holds what the sections before the functions say, and which variables
// and functions each function names.
type parser struct {
	words        []uint32
	capabilities []Capability
	entries      []entry
	names        map[uint32]string
	memberNames  map[memberKey]string
	decorations  map[uint32]decorations
	memberDecs   map[memberKey]decorations
	types        map[uint32]*typ
	constants    []constant
	varying      []constant
	varies       map[uint32]bool // for each constant, whether it depends on a specialization
	variables    []variable
	isVariable   map[uint32]bool
	functions    map[uint32]*function
	current      *function
	modes        map[uint32]instruction // LocalSize or LocalSizeId by function
}

// maxEntryPoints bounds the walks over calls, one for each entry point.
const maxEntryPoints = 1024

// An entry is an OpEntryPoint as it stands.
type entry struct {
	instruction
	function uint32
	name     string
}

// A variable is an OpVariable outside of functions.
type variable struct {
	id, storage uint32
	typ         *typ // what it points to
	name        string
	word        int
}

func (v variable) label() string {
	if v.name != "" {
		return fmt.Sprintf("%q", v.name)
	}
	return fmt.Sprintf("%%%d", v.id)
}

// A function's uses are the ids of variables and functions that its body names.
type function struct{ uses map[uint32]bool }

func newParser(words []uint32) *parser {
	return &parser{
		words:       words,
		names:       map[uint32]string{},
		memberNames: map[memberKey]string{},
		decorations: map[uint32]decorations{},
		memberDecs:  map[memberKey]decorations{},
		types:       map[uint32]*typ{},
		varies:      map[uint32]bool{},
		isVariable:  map[uint32]bool{},
		functions:   map[uint32]*function{},
		modes:       map[uint32]instruction{},
	}
}

func (p *parser) parse() error {
	for at := headerWords; at < len(p.words); {
		count := int(p.words[at] >> 16)
		in := instruction{op: p.words[at] & 0xffff, word: at}
		if count == 0 {
			return in.fail("instruction %d has a length of 0 words", in.op)
		}
		if count > len(p.words)-at {
			return in.fail("instruction %d has %d words, the module ends after %d", in.op, count, len(p.words)-at)
		}
		in.args = p.words[at+1 : at+count]
		if err := p.instruction(in); err != nil {
			return err
		}
		at += count
	}
	return nil
}

func (p *parser) instruction(in instruction) error {
	switch {
	case p.current != nil && in.op != opFunctionEnd:
		p.use(in)
		return nil
	case isTypeOp(in.op):
		return p.typeInstruction(in)
	case isConstantOp(in.op):
		return p.constantInstruction(in)
	}
	switch in.op {
	case opCapability:
		if err := in.need(1); err != nil {
			return err
		}
		p.capabilities = append(p.capabilities, Capability(in.args[0]))
	case opEntryPoint:
		if err := in.need(3); err != nil {
			return err
		}
		name, _, err := in.literal(2)
		if err != nil {
			return err
		}
		if len(p.entries) == maxEntryPoints {
			return in.fail("more than %d entry points", maxEntryPoints)
		}
		p.entries = append(p.entries, entry{in, in.args[1], name})
	case opExecutionMode, opExecutionModeID:
		if err := in.need(2); err != nil {
			return err
		}
		if mode := in.args[1]; mode == modeLocalSize || mode == modeLocalSizeID {
			if err := in.need(5); err != nil {
				return err
			}
			p.modes[in.args[0]] = in
		}
	case opName, opMemberName:
		return p.nameInstruction(in)
	case opDecorate, opMemberDecorate, opGroupDecorate, opGroupMemberDecorate:
		return p.decorate(in)
	case opVariable:
		return p.variableInstruction(in)
	case opFunction:
		if err := in.need(4); err != nil {
			return err
		}
		if p.functions[in.args[1]] != nil {
			return in.fail("function %%%d is defined twice", in.args[1])
		}
		p.current = &function{uses: map[uint32]bool{}}
		p.functions[in.args[1]] = p.current
	case opFunctionEnd:
		p.current = nil
	}
	return nil
}

func (p *parser) nameInstruction(in instruction) error {
	at := 1
	if in.op == opMemberName {
		at = 2
	}
	if err := in.need(at + 1); err != nil {
		return err
	}
	name, _, err := in.literal(at)
	if err != nil {
		return err
	}
	if in.op == opName {
		p.names[in.args[0]] = name
	} else {
		p.memberNames[memberKey{in.args[0], in.args[1]}] = name
	}
	return nil
}

func (p *parser) variableInstruction(in instruction) error {
	if err := in.need(3); err != nil {
		return err
	}
	pointer := p.types[in.args[0]]
	if pointer == nil || pointer.kind != kindPointer {
		return in.fail("variable %%%d has type %%%d, which is no pointer", in.args[1], in.args[0])
	}
	pointee := p.types[pointer.pointee]
	if pointee == nil {
		return in.fail("variable %%%d points to type %%%d, which is not defined", in.args[1], pointer.pointee)
	}
	id := in.args[1]
	if p.isVariable[id] {
		return in.fail("variable %%%d is defined twice", id)
	}
	p.isVariable[id] = true
	p.variables = append(p.variables, variable{id: id, storage: in.args[2], typ: pointee, name: p.names[id], word: in.word})
	return nil
}

// use notes what an instruction in a function body names. Operands that are
// literals are left out where instructions commonly have them: a small number could
// be taken for an id, and a variable for used.
func (p *parser) use(in instruction) {
	args := in.args
	keep := len(args)
	switch in.op {
	case opLabel, opLine, opNoLine, opBranch, opBranchConditional, opSwitch, opLoopMerge, opSelectionMerge, opReturn:
		return
	case opLoad, opCompositeExtract: // type, result, operand, literals
		keep = 3
	case opStore: // pointer, object, literals
		keep = 2
	case opVectorShuffle, opCompositeInsert: // type, result, two operands, literals
		keep = 4
	}
	for _, id := range args[:min(keep, len(args))] {
		if p.isVariable[id] || in.op == opFunctionCall {
			p.current.uses[id] = true
		}
	}
}
