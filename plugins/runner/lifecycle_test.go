package runner

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
)

func TestCompileTimeout(t *testing.T) {
	r := open(t, Options{CompileDeadline: time.Nanosecond}, plugins.OpenOptions{})
	var got []plugins.Compiled
	var candidates []plugins.Candidate
	for i := range 50 {
		candidates = append(candidates, plugins.Candidate{ID: strconv.Itoa(i), Build: reverse(t, "", 1024)})
	}
	if err := r.Compile(context.Background(), candidates, func(c plugins.Compiled) { got = append(got, c) }); err != nil {
		t.Fatal(err)
	}
	if len(got) == 0 || len(got) == 50 || got[0].Verdict != plugins.CompileTimeout {
		t.Errorf("%d answers, the first %+v; expected compile-timeout, and no answer for candidates not begun", len(got), got[0])
	}
	select {
	case <-r.Spent():
	default:
		t.Error("the runner is not spent")
	}
	time.Sleep(100 * time.Millisecond) // the driver's threads, before the test's instance goes
}

// A family that gives no reference is a plugin's error, not a kernel's.
func TestReferenceMissing(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	for op, words := range map[string]string{"": "reference of output", "no-such": `unknown operation "no-such"`} {
		b := reverse(t, "", 1024)
		b.Reference.Op = op
		compileOne(t, r, "c", b)
		var got plugins.Checked
		err := r.Check(context.Background(), []plugins.Check{{ID: "c", Problem: problem(1024)}}, func(c plugins.Checked) { got = c })
		if err != nil || got.Verdict != plugins.PluginError || !strings.Contains(got.Evidence.Message, words) {
			t.Errorf("op %q: %+v, %v", op, got, err)
		}
	}
}

func TestInputsAreAskedForOnce(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	compileOne(t, r, "a", reverse(t, "", 1000))
	compileOne(t, r, "b", reverse(t, "wrong", 1000))
	checks := []plugins.Check{{ID: "a", Problem: problem(1000)}, {ID: "b", Problem: problem(1000)}}
	requests, err := r.Inputs(context.Background(), checks)
	if err != nil || len(requests) != 2 {
		t.Fatalf("%d requests, %v; expected exact and rounded, shared by both candidates", len(requests), err)
	}
	answer(t, requests)
	if requests, err = r.Inputs(context.Background(), checks); err != nil || len(requests) != 0 {
		t.Errorf("%d requests, %v; expected none once the answers are there", len(requests), err)
	}
}

func TestValidationFailsACandidate(t *testing.T) {
	if _, err := vkrt.NewInstance(vkrt.Options{Validate: true}); err != nil {
		t.Skip(err)
	}
	r := open(t, Options{}, plugins.OpenOptions{Validate: true})
	if c := compileOne(t, r, "right", reverse(t, "", 1000)); c.Verdict != plugins.OK {
		t.Fatalf("%+v", c)
	}
	if c := guardOne(t, r, plugins.Check{ID: "right", Problem: problem(1000)}); c.Verdict != plugins.OK {
		t.Errorf("%+v", c)
	}
	// Int64Atomics is enabled on no device of ours, and no driver looks.
	b := reverse(t, "", 1000)
	spirv := b.Modules[0].SPIRV
	b.Modules[0].SPIRV = slices.Concat(spirv[:20], littleEndian(2<<16|17, 12), spirv[20:])
	if c := compileOne(t, r, "capability", b); c.Verdict != plugins.Validation || len(c.Evidence.Log) == 0 {
		t.Errorf("%+v, expected the layer to object", c)
	}
}

func TestPipelineCacheIsWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arm", "cache.bin")
	r := open(t, Options{}, plugins.OpenOptions{CacheFile: file})
	compileOne(t, r, "a", reverse(t, "", 1000))
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		t.Errorf("%v, %v", info, err)
	}
}

// Thousands of evaluations must not grow the process.
func TestMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	r := open(t, Options{}, plugins.OpenOptions{})
	evaluate := func(i int) {
		id := fmt.Sprint(i)
		if c := compileOne(t, r, id, reverse(t, "", 4096)); c.Verdict != plugins.OK {
			t.Fatalf("%+v", c)
		}
		if c := guardOne(t, r, plugins.Check{ID: id, Problem: problem(4096),
			Cases: []plugins.Case{{Problem: problem(65), Build: reverse(t, "", 65)}}}); c.Verdict != plugins.OK {
			t.Fatalf("%+v", c)
		}
		race(t, r, plugins.Race{Entrants: []string{id}, Rounds: 2})
		if err := r.Release(context.Background(), []string{id}); err != nil {
			t.Fatal(err)
		}
	}
	const warm, count = 100, 500
	for i := range warm {
		evaluate(i)
	}
	before := resident(t)
	start := time.Now()
	for i := range count {
		evaluate(i)
	}
	grown := resident(t) - before
	t.Logf("%d evaluations in %v; resident grew by %d KiB to %d KiB", count, time.Since(start), grown>>10, resident(t)>>10)
	if grown > 8<<20 {
		t.Errorf("%d evaluations grew the process by %d KiB", count, grown>>10)
	}
}

// resident is the process's resident set size in bytes.
func resident(t *testing.T) int64 {
	t.Helper()
	runtime.GC()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages, err := strconv.ParseInt(string(bytes.Fields(data)[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
