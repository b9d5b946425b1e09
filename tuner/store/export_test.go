package store

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
)

// exported is a run with two arms, one race over two problems and an evaluation of each verdict.
func exported(t *testing.T) (*Store, int64) {
	t.Helper()
	s := open(t, filepath.Join(t.TempDir(), "r.db"))
	run, arm := begin(t, s)
	stock := testArm()
	stock.Settings = nil
	stockArm, err := s.PutArm(ctx, run, stock)
	if err != nil {
		t.Fatal(err)
	}
	race, err := s.BeginRace(ctx, run, Race{Kind: stats.Batch, Entrants: []Entrant{
		{stats.Baseline, stockArm, plugins.Config{"BM": int64(64), "LOOP": "a b/c"}},
		{stats.Control, stockArm, plugins.Config{"BM": int64(64), "LOOP": "a b/c"}},
		{stats.Candidate, arm, plugins.Config{"BM": int64(0), "LOOP": "rolled"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for round := 0; round < 3; round++ {
		for _, entrant := range []int{2, 0, 1} {
			for problem := 0; problem < 2; problem++ {
				p := Sample{Round: round, Entrant: entrant, Problem: problem, Nanoseconds: 1e6 * float64(1+round+problem), Repeats: 4,
					Clock: plugins.GPUTimestamp, Mode: plugins.Hot, Gap: plugins.Dependent, Verdict: plugins.OK}
				if round == 2 && entrant == 2 && problem == 1 {
					p.Verdict, p.Nanoseconds = plugins.Timeout, 0
				}
				if err := s.AppendSamples(ctx, race, p); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for i, v := range plugins.Verdicts {
		e := testEvaluation(arm, i)
		e.Verdict = v
		if v == plugins.OK {
			e.Race, e.Entrant = race, 2
		} else {
			e.MedianNS, e.Comparison, e.Arm = nil, nil, stockArm
			e.Evidence.Message = "because, \"" + string(v) + "\""
		}
		if _, err := s.AppendEvaluations(ctx, run, e); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AppendEmission(ctx, run, Emission{Format: "toml", Path: "best.toml", SHA256: "cd"}); err != nil {
		t.Fatal(err)
	}
	return s, run
}

func export(t *testing.T, format string) string {
	t.Helper()
	s, run := exported(t)
	var b bytes.Buffer
	if err := s.Export(ctx, &b, run, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExportT4(t *testing.T) {
	text := export(t, "t4")
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	for _, schema := range []string{"results-schema.json", "metadata-schema.json"} {
		if err := validate(readSchema(t, schema), v, "$"); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
	results := v["results"].([]any)
	if len(results) != len(plugins.Verdicts) {
		t.Fatalf("%d results, expected %d", len(results), len(plugins.Verdicts))
	}
	ok := results[0].(map[string]any)
	// Round r takes 1+r ms on the first problem (weight 3/4) and 2+r on the second; the third
	// round failed.
	if d := cmp.Diff([]any{1.25, 2.25}, ok["times"].(map[string]any)["runtimes"]); d != "" {
		t.Errorf("runtimes:\n%s", d)
	}
	if ok["invalidity"] != "correct" || ok["correctness"] != 1.0 {
		t.Errorf("%v", ok)
	}
	if got := ok["configuration"].(map[string]any)["setting.HK_PERFTEST"]; got != "batch,norobust" {
		t.Errorf("setting %v", got)
	}
	if m := ok["measurements"].([]any)[0].(map[string]any); m["name"] != "time" || m["value"] != 0.001 {
		t.Errorf("measurement %v", m)
	}
	invalidity := map[string]string{}
	for i, r := range results {
		invalidity[string(plugins.Verdicts[i])] = r.(map[string]any)["invalidity"].(string)
	}
	for verdict, want := range map[string]string{"ok": "correct", "device-limit": "constraints", "compile-failed": "compile",
		"timeout": "timeout", "crash": "runtime", "wrong": "correctness", "nan": "correctness"} {
		if invalidity[verdict] != want {
			t.Errorf("%s is %s, expected %s", verdict, invalidity[verdict], want)
		}
	}
}

func TestExportGoBench(t *testing.T) {
	r := benchfmt.NewReader(strings.NewReader(export(t, "gobench")), "export")
	rows := map[string]int{}
	var values []float64
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			rows[rec.Name.String()+" | "+rec.GetConfig("problem")]++
			if rec.GetConfig("clock") != "gpu_timestamp" || rec.GetConfig("gap") != "dependent" || rec.GetConfig("race") == "" || rec.Iters != 4 {
				t.Errorf("%+v", rec)
			}
			ns, _ := rec.Value("sec/op") // the reader tidies ns
			values = append(values, ns)
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for problem, n := range map[string]int{"a=f16,m=64,scale=1.0": 3, "a=f16,m=8": 2} {
		want["mul_mm_f16/BM=0/LOOP=rolled/HK_PERFTEST=batch,norobust | "+problem] = n
		want["mul_mm_f16/BM=64/LOOP=a_b_c/role=baseline | "+problem] = 3
		want["mul_mm_f16/BM=64/LOOP=a_b_c/role=control | "+problem] = 3
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Errorf("rows:\n%s", d)
	}
	if len(values) == 0 || values[0] != 1e-3 {
		t.Errorf("values %v", values)
	}
}

func TestExportCSV(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(export(t, "csv"))).ReadAll()
	if err != nil || len(rows) != 1+len(plugins.Verdicts) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	column := map[string]int{}
	for i, n := range rows[0] {
		column[n] = i
	}
	for i, row := range rows[1:] {
		get := func(n string) string { return row[column[n]] }
		if get("verdict") != string(plugins.Verdicts[i]) || get("param.ALPHA") != "2.0" || get("param.LOOP") != "rolled" {
			t.Errorf("row %d: %v", i, row)
		}
		if i == 0 && (get("log_ratio") != "0.1" || get("log_ratio_hi") != "" || get("setting.HK_PERFTEST") != "batch,norobust") {
			t.Errorf("row %d: %v", i, row)
		}
		if i > 0 && (get("median_ns") != "" || get("setting.HK_PERFTEST") != "" || !strings.HasPrefix(get("message"), "because, \"")) {
			t.Errorf("row %d: %v", i, row)
		}
	}
}

func TestExportJSONL(t *testing.T) {
	count := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(export(t, "jsonl")), "\n") {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		count[v["type"].(string)]++
		if v["type"] == "run" && !strings.Contains(line, `"seed":9223372036854775815`) {
			t.Errorf("the seed is not exact: %s", line)
		}
		if v["type"] == "evaluation" && v["number"] == 0.0 && (!strings.Contains(line, `"ALPHA":2.0`) || v["log_ratio_hi"] != nil) {
			t.Errorf("%s", line)
		}
	}
	want := map[string]int{"run": 1, "arm": 2, "evaluation": len(plugins.Verdicts), "race": 1, "sample": 18, "emission": 1}
	if d := cmp.Diff(want, count); d != "" {
		t.Error(d)
	}
}

func TestExportRefuses(t *testing.T) {
	s, run := exported(t)
	if err := s.Export(ctx, &bytes.Buffer{}, run, "xml"); err == nil || !strings.Contains(err.Error(), "jsonl, csv, t4, gobench") {
		t.Errorf("xml: %v", err)
	}
	if err := s.Export(ctx, &bytes.Buffer{}, 99, "csv"); err == nil {
		t.Error("run 99: no error")
	}
}
