package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A T1 document is a space of its own: no family and no device are needed.
func TestSpaceOfT1(t *testing.T) {
	code, out, stderr := command(t, "space", "../t1/testdata/gemm_T1.json", "--json")
	var doc struct {
		Cartesian, Valid int
		Parameters       []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(out), &doc); code != exitDone || err != nil || doc.Valid != 116928 || doc.Cartesian != 663552 || len(doc.Parameters) != 17 {
		t.Errorf("exit %d, %v, %+v %s", code, err, doc, stderr)
	}
	small := filepath.Join(t.TempDir(), "small.json")
	text := `{"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Type": "int", "Values": "[1, 2, 3]"}],
		"Conditions": [{"Expression": "x % 2 == 1", "Parameters": ["x"]}]}}`
	if err := os.WriteFile(small, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ = command(t, "space", small, "--list"); code != exitDone || !strings.Contains(out, "2 of 3 configurations") || !strings.Contains(out, "x=3") || strings.Contains(out, "x=2") {
		t.Errorf("exit %d: %s", code, out)
	}
	for _, args := range [][]string{{"space", filepath.Join(t.TempDir(), "none.json")}, {"space", small, "--explain", "x=2"}} {
		if code, _, stderr := command(t, args...); code != exitUsage || stderr == "" {
			t.Errorf("%v: exit %d, %q", args, code, stderr)
		}
	}
}
