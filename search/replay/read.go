// Package replay runs strategies on recorded spaces: every configuration of a kernel on a real GPU with its time or
// its failure. It needs no device, and is how strategies are judged.
package replay

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krisptune/krisptune/search"
)

// A Recording is an exhaustively measured space.
type Recording struct {
	Name    string
	Device  string // "" if the file does not say
	Space   *search.Space
	Times   []float64 // of point: in the file's unit; NaN for failures
	Verdict []string  // of point: "ok", or why it failed, in the guard's words
	Open    bool      // the file had no end, as while a tuner is still writing
}

// Open reads a Kernel Tuner cachefile, a T4 results file, or the JSON lines of our own export, gzipped or not. The
// statistic is the file's "time", or the median that was measured.
// The recording is named after the file and its folder. Faults in the file are *Error.
func Open(path string) (*Recording, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := Read(path, f)
	if err != nil {
		return nil, err
	}
	r.Name, _, _ = strings.Cut(filepath.Base(path), ".")
	if folder := filepath.Base(filepath.Dir(path)); folder != "." && folder != string(filepath.Separator) {
		r.Name = folder + "/" + r.Name
	}
	return r, nil
}

// Read is Open for a stream; file names it in errors.
func Read(file string, in io.Reader) (*Recording, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		packed, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, &Error{File: file, Line: 1, Col: 1, Problem: "no gzip file: " + err.Error()}
		}
		if data, err = io.ReadAll(packed); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, &Error{File: file, Line: 1 + bytes.Count(data, []byte{'\n'}), Col: 1, Problem: "the gzip data are damaged: " + err.Error()}
		}
	}
	t := &table{scanner: scanner{file: file, data: data}, column: map[string]int{}}
	if err := t.read(); err != nil {
		return nil, err
	}
	return t.recording()
}

// A table is a file as rows of values.
type table struct {
	scanner
	device string
	names  []string
	column map[string]int
	values [][]any // of column: the declared domain
	rows   []row
	kind   string // of the file: what holds its rows
}

type row struct {
	at      int // offset in the file
	values  []any
	time    float64
	verdict string
	guard   string // the verdict in a T4 file of our own, if any
}

func (t *table) read() error {
	err := t.object(true, func(key string, at int) error {
		switch key {
		case "device_name":
			v, err := t.scalar()
			t.device, _ = v.(string)
			return err
		case "device": // of an exported run
			if t.peek() != '{' {
				return t.skip(0)
			}
			return t.object(false, func(name string, _ int) error {
				if name != "name" {
					return t.skip(0)
				}
				v, err := t.scalar()
				t.device, _ = v.(string)
				return err
			})
		case "tune_params_keys":
			return t.array(false, func() error {
				name, err := t.string()
				t.add(name)
				return err
			})
		case "tune_params":
			return t.domains()
		case "cache":
			t.kind = key
			return t.object(true, t.cacheEntry)
		case "results":
			t.kind = key
			return t.array(true, t.result)
		case "type":
			v, err := t.scalar()
			if v == "run" {
				t.kind = "run"
			}
			return err
		}
		return t.skip(0)
	})
	if err != nil {
		return err
	}
	if t.kind == "run" {
		if err := t.lines(); err != nil {
			return err
		}
	}
	if t.peek() != 0 || t.pos < len(t.data) {
		return t.unexpected("the end of the file")
	}
	if t.kind == "" {
		return t.fail(0, "the file holds no measurements", `a Kernel Tuner "cache", T4 "results", or the lines of an exported run`)
	}
	if len(t.rows) == 0 {
		return t.fail(t.pos, "no configuration is recorded", "at least one")
	}
	return nil
}

func (t *table) add(name string) int {
	i, ok := t.column[name]
	if !ok {
		i = len(t.names)
		t.column[name] = i
		t.names = append(t.names, name)
		t.values = append(t.values, nil)
	}
	return i
}

func (t *table) domains() error {
	return t.object(false, func(name string, _ int) error {
		i := t.add(name)
		return t.array(false, func() error {
			at := t.pos
			v, err := t.scalar()
			if err == nil && v == nil {
				err = t.fail(at, "null in a domain", "a number, a string, true or false")
			}
			t.values[i] = append(t.values[i], v)
			return err
		})
	})
}

// set puts a value into a row.
func (t *table) set(r *row, name string, v any) {
	i := t.add(name)
	for len(r.values) <= i {
		r.values = append(r.values, nil)
	}
	r.values[i] = v
}

// recording makes the space of the rows.
func (t *table) recording() (*Recording, error) {
	params, err := t.params()
	if err != nil {
		return nil, err
	}
	points := make([][]int, len(t.rows))
	for i, r := range t.rows {
		points[i] = make([]int, len(params))
		for c, p := range params {
			points[i][c] = slices.Index(p.Values, r.values[c])
		}
	}
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(points[a], points[b]) })
	for i := 1; i < len(order); i++ {
		if slices.Equal(points[order[i-1]], points[order[i]]) {
			return nil, t.fail(t.rows[order[i]].at, "the configuration is recorded twice", "different configurations")
		}
	}
	space, err := search.NewSpace(params, []search.Constraint{&listed{params: params, points: points}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.file, err)
	}
	rec := &Recording{Device: t.device, Space: space, Open: t.open, Times: make([]float64, len(points)), Verdict: make([]string, len(points))}
	for i, r := range t.rows {
		at, ok := space.IndexCoords(points[i])
		if !ok {
			return nil, fmt.Errorf("%s: a recorded configuration is not in its own space", t.file)
		}
		rec.Times[at], rec.Verdict[at] = r.time, r.verdict
	}
	if !slices.Contains(rec.Verdict, "ok") {
		return nil, t.fail(t.rows[0].at, "no configuration has a time", "at least one that worked")
	}
	return rec, nil
}

// params collects the domains: what the file declares, and what only its rows have.
func (t *table) params() ([]search.Param, error) {
	params := make([]search.Param, len(t.names))
	for c, name := range t.names {
		float, sample := false, any(nil)
		domain := slices.Clone(t.values[c])
		for _, r := range t.rows {
			if c >= len(r.values) || r.values[c] == nil {
				return nil, t.fail(r.at, fmt.Sprintf("the configuration has no %s", name), "a value for every parameter")
			}
			domain = append(domain, r.values[c])
		}
		for _, v := range domain {
			if _, ok := v.(float64); ok {
				float = true
			}
			sample = v
		}
		seen := map[any]bool{}
		for i, v := range domain {
			if n, ok := v.(int64); ok && float {
				v = float64(n)
			}
			if i >= len(t.values[c]) {
				t.rows[i-len(t.values[c])].values[c] = v
			}
			if fmt.Sprintf("%T", v) != fmt.Sprintf("%T", sample) && !(float && isNumber(sample)) {
				at := 0
				if i >= len(t.values[c]) {
					at = t.rows[i-len(t.values[c])].at
				}
				return nil, t.fail(at, fmt.Sprintf("%s has values of different types, %v and %v", name, v, sample), "one type")
			}
			if !seen[v] {
				seen[v] = true
				params[c].Values = append(params[c].Values, v)
			}
		}
		params[c].Name = name
	}
	return params, nil
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

// Outcome is what a strategy is told about point i: the logarithm of its time.
func (r *Recording) Outcome(i int) search.Outcome {
	o := search.Outcome{Index: i, Cost: math.Log(r.Times[i]), Verdict: r.Verdict[i]}
	o.Failed = r.Verdict[i] != "ok"
	return o
}
