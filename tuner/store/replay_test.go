package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/search/replay"
)

// An exported run is a recording that strategies can be judged on; both formats say the same.
func TestExportsAreRecordings(t *testing.T) {
	read := func(format string) *replay.Recording {
		r, err := replay.Read("run", strings.NewReader(export(t, format)))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	// T4 does not tell 2 from 2.0; the values are compared as text.
	points := func(r *replay.Recording) []string {
		var all []string
		for i := range r.Times {
			all = append(all, fmt.Sprint(r.Space.Named(i), r.Verdict[i], r.Times[i]))
		}
		slices.Sort(all)
		return all
	}
	lines, t4 := points(read("jsonl")), points(read("t4"))
	if !slices.Equal(lines, t4) {
		t.Errorf("JSON lines hold\n%s\nand T4 holds\n%s", strings.Join(lines, "\n"), strings.Join(t4, "\n"))
	}
	for _, want := range []string{"ok", "device-lost", "(unset)"} {
		if !strings.Contains(strings.Join(lines, " "), want) {
			t.Errorf("no %s in %v", want, lines)
		}
	}
}
