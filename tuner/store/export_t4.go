package store

import (
	"encoding/json"
	"io"

	"github.com/krisptune/krisptune/plugins"
)

// exportT4 writes the Open Autotuning Results Schema (github.com/odgaard/TuningSchema, T4) that
// Kernel Tuner's analysis tools read. All times are milliseconds, as the metadata says; a
// driver setting appears in a configuration as "setting.NAME", null where it is unset.
func exportT4(w io.Writer, r *record) error {
	params, settings := r.names()
	problems := make([]any, len(r.run.Problems))
	for i, p := range r.run.Problems {
		problems[i] = object{"problem": values(p.Problem), "weight": p.Weight}
	}
	results := make([]any, 0, len(r.evaluations))
	// Many evaluations share a race, and come one after another.
	var race int64
	var samples []Sample
	for _, e := range r.evaluations {
		if e.Race != 0 && e.Race != race {
			var err error
			if samples, err = r.samples(e.Race); err != nil {
				return err
			}
			race = e.Race
		}
		config := object{}
		for _, n := range params {
			if v, ok := e.Config[n]; ok {
				config[n] = v
			}
		}
		arm := r.arm(e.Arm)
		for _, n := range settings {
			config["setting."+n] = nil
			if v, ok := arm.Settings[n]; ok {
				config["setting."+n] = v
			}
		}
		runtimes := []float64{}
		if e.Race != 0 {
			for _, ns := range r.objective(samples, e.Entrant) {
				runtimes = append(runtimes, ns/1e6)
			}
		}
		invalidity, failure := t4Verdict(e.Verdict)
		correctness := 0
		if e.Verdict == plugins.OK {
			correctness = 1
		}
		measurements := []any{}
		switch {
		case e.Verdict != plugins.OK:
			measurements = append(measurements, object{"name": "time", "value": failure, "unit": "milliseconds"})
		case e.MedianNS != nil:
			measurements = append(measurements, object{"name": "time", "value": *e.MedianNS / 1e6, "unit": "milliseconds"})
		}
		if c := e.Comparison; c != nil && number(c.LogRatio) != nil {
			measurements = append(measurements, object{"name": "ratio", "value": c.Ratio(), "unit": "baseline time / time"})
		}
		measurements = append(measurements, object{"name": "verdict", "value": e.Verdict, "unit": ""})
		results = append(results, object{
			"timestamp": stamp(e.Finished), "configuration": config, "objectives": []string{"time"},
			"times": object{"compilation_time": float64(e.Compile) / 1e6, "runtimes": runtimes, "framework": 0,
				"search_algorithm": 0, "validation": float64(e.Guard) / 1e6},
			"invalidity": invalidity, "correctness": correctness, "measurements": measurements})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(object{
		"schema_version": "1.0.0",
		"metadata": object{
			"timeunit": "milliseconds", "kernel": r.run.Kernel, "family": r.run.Family, "problems": problems,
			"search_algorithm": r.run.Strategy, "spec_hash": r.run.SpecHash, "started": stamp(r.run.Started),
			"hardware":    object{"hardware_description": []any{r.run.Device}},
			"environment": object{"device_query": r.run.Device, "requirements": []string{"krisptune " + r.run.ToolVersion}}},
		"results": results})
}

// t4Verdict maps a verdict to the schema's invalidity, and to the word that published files
// write in place of a time.
func t4Verdict(v plugins.Verdict) (invalidity, failure string) {
	switch v {
	case plugins.OK:
		return "correct", ""
	case plugins.Invalid, plugins.DeviceLimit:
		return "constraints", "InvalidConfig"
	case plugins.CompileFailed:
		return "compile", "CompilationFailedConfig"
	case plugins.CompileTimeout, plugins.Timeout:
		return "timeout", "RuntimeFailedConfig"
	case plugins.Crash, plugins.DeviceLost, plugins.OutOfMemory, plugins.PluginError, plugins.Validation:
		return "runtime", "RuntimeFailedConfig"
	}
	return "correctness", "RuntimeFailedConfig"
}
