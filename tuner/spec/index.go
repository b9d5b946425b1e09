package spec

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A path names one value of a document: keys and array indices from the root, each after a
// separator that no TOML key holds unescaped.
type path string

func (p path) key(name string) path { return p + "\x00k" + path(name) }
func (p path) element(i int) path   { return p + path(fmt.Sprintf("\x00e%d", i)) }

// An index maps paths to byte offsets. BurntSushi/toml decodes but keeps no positions, so a
// second parser of the same bytes supplies them.
type index struct {
	file  string
	data  []byte
	lines []int // offset of each line's start
	keys  map[path]int
	// values holds where a value begins; strings holds the raw text of string values, quotes
	// included.
	values  map[path]int
	strings map[path]span
	// arrays counts the elements of each array of tables while indexing.
	arrays map[path]int
}

type span struct{ start, end int }

// A document deeper than maxDepth, or with a key longer than maxKey bytes, is refused before it
// is decoded: the time that parsers need grows with the square of both, and a spec needs neither.
const (
	maxDepth = 16
	maxKey   = 128
)

// newIndex indexes a document. It finds faults of syntax; that keys are not defined twice is
// for the decoder to see.
func newIndex(file string, data []byte) (*index, error) {
	x := &index{file: file, data: data, lines: lineStarts(data), keys: map[path]int{}, values: map[path]int{},
		strings: map[path]span{}, arrays: map[path]int{}}
	var p unstable.Parser
	p.Reset(data)
	var table path
	for p.NextExpression() {
		n := p.Expression()
		if fault := x.limits(n, 0, 0); fault != nil {
			return nil, fault
		}
		switch n.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = x.header(n)
		case unstable.KeyValue:
			x.keyValue(table, n)
		}
	}
	if err := p.Error(); err != nil {
		at := 0
		if e, ok := err.(*unstable.ParserError); ok && len(e.Highlight) > 0 {
			at = int(p.Range(e.Highlight).Offset)
		}
		return nil, x.position(at).Errorf("valid TOML", "%s", err)
	}
	return x, nil
}

// limits checks the keys and the nesting under n, which lies at the given depth; at is the last
// offset known, for lists carry none.
func (x *index) limits(n *unstable.Node, depth, at int) *Error {
	it := n.Children()
	for it.Next() {
		c := it.Node()
		if c.Raw.Length > 0 {
			at = int(c.Raw.Offset)
		} else if n.Kind == unstable.KeyValue {
			at = int(n.Raw.Offset)
		}
		switch c.Kind {
		case unstable.Key:
			depth++
			if c.Raw.Length > maxKey {
				return x.position(at).Errorf(fmt.Sprintf("at most %d", maxKey), "the key has %d bytes", c.Raw.Length)
			}
		case unstable.Array, unstable.InlineTable, unstable.KeyValue:
			if fault := x.limits(c, depth+1, at); fault != nil {
				return fault
			}
		}
		if depth > maxDepth {
			return x.position(at).Errorf(fmt.Sprintf("at most %d levels", maxDepth), "tables and lists are nested too deep")
		}
	}
	return nil
}

func lineStarts(data []byte) []int {
	lines := []int{0}
	for i, b := range data {
		if b == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// header returns the path of the table that [a.b] or [[a.b]] opens.
func (x *index) header(n *unstable.Node) path {
	var p path
	it := n.Key()
	for it.Next() {
		p = x.step(p, it.Node())
		if !it.IsLast() {
			if count := x.arrays[p]; count > 0 {
				p = p.element(count - 1)
			}
			continue
		}
		if n.Kind == unstable.ArrayTable {
			x.arrays[p]++
			at := x.keys[p]
			p = p.element(x.arrays[p] - 1)
			x.keys[p], x.values[p] = at, at
		}
	}
	return p
}

// step notes where a key stands and returns its path. A header names its key once for each
// element of an array of tables: the latest is kept.
func (x *index) step(parent path, key *unstable.Node) path {
	p := parent.key(string(key.Data))
	x.keys[p] = int(key.Raw.Offset)
	return p
}

func (x *index) keyValue(parent path, n *unstable.Node) {
	p := parent
	end := 0
	it := n.Key()
	for it.Next() {
		p = x.step(p, it.Node())
		end = int(it.Node().Raw.Offset + it.Node().Raw.Length)
	}
	// Arrays carry no range of their own.
	at := end + len(x.data[end:]) - len(bytes.TrimLeft(x.data[end:], " \t="))
	x.value(p, n.Value(), at)
}

func (x *index) value(p path, n *unstable.Node, at int) {
	x.values[p] = at
	switch n.Kind {
	case unstable.String:
		x.strings[p] = span{int(n.Raw.Offset), int(n.Raw.Offset + n.Raw.Length)}
	case unstable.Array:
		i := 0
		it := n.Children()
		for it.Next() {
			child := it.Node()
			if child.Kind == unstable.Comment {
				continue
			}
			where := at
			if child.Raw.Length > 0 {
				where = int(child.Raw.Offset)
			}
			e := p.element(i)
			x.keys[e] = where
			x.value(e, child, where)
			i++
		}
	case unstable.InlineTable:
		it := n.Children()
		for it.Next() {
			if it.Node().Kind == unstable.KeyValue {
				x.keyValue(p, it.Node())
			}
		}
	}
}

// position turns a byte offset into line and column.
func (x *index) position(offset int) Position {
	offset = min(max(offset, 0), len(x.data))
	line := sort.SearchInts(x.lines, offset+1) - 1
	return Position{File: x.file, Line: line + 1, Column: offset - x.lines[line] + 1}
}

// keyAt is where p's key stands, and for an element its value; an unknown path takes its
// nearest known ancestor, so that an error never lacks a place.
func (x *index) keyAt(p path) Position { return x.lookup(x.keys, p) }

// valueAt is where p's value begins, or its key for a table.
func (x *index) valueAt(p path) Position {
	if at, ok := x.values[p]; ok {
		return x.position(at)
	}
	return x.keyAt(p)
}

func (x *index) lookup(m map[path]int, p path) Position {
	for p != "" {
		if at, ok := m[p]; ok {
			return x.position(at)
		}
		p = p[:max(strings.LastIndex(string(p), "\x00"), 0)]
	}
	return x.position(0)
}
