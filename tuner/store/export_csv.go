package store

import (
	"encoding/csv"
	"io"
	"sort"
	"strconv"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// exportCSV writes one row for each evaluation, in order. Parameters are columns "param.NAME",
// driver settings "setting.NAME"; an empty cell is no value (a setting left unset).
func exportCSV(w io.Writer, r *record) error {
	params, settings := r.names()
	header := []string{"run", "number"}
	for _, n := range params {
		header = append(header, "param."+n)
	}
	for _, n := range settings {
		header = append(header, "setting."+n)
	}
	header = append(header, "space_index", "verdict", "message", "compile_ns", "guard_ns", "median_ns",
		"log_ratio", "log_ratio_lo", "log_ratio_hi", "confidence", "rounds", "race", "spirv_sha256", "guard_version", "finished")
	c := csv.NewWriter(w)
	if err := c.Write(header); err != nil {
		return err
	}
	for _, e := range r.evaluations {
		row := []string{strconv.FormatInt(r.run.ID, 10), strconv.Itoa(e.Number)}
		for _, n := range params {
			cell := ""
			if v, ok := e.Config[n]; ok {
				cell = plugins.FormatValue(v)
			}
			row = append(row, cell)
		}
		arm := r.arm(e.Arm)
		for _, n := range settings {
			row = append(row, arm.Settings[n])
		}
		var median, ratio, lo, hi, confidence, rounds, race string
		if e.MedianNS != nil {
			median = cell(*e.MedianNS)
		}
		if p := e.Comparison; p != nil {
			ratio, lo, hi, confidence, rounds = cell(p.LogRatio), cell(p.Lo), cell(p.Hi), cell(p.Confidence), strconv.Itoa(p.N)
		}
		if e.Race != 0 {
			race = strconv.FormatInt(e.Race, 10)
		}
		row = append(row, strconv.FormatInt(e.SpaceIndex, 10), string(e.Verdict), e.Evidence.Message, duration(e.Compile), duration(e.Guard),
			median, ratio, lo, hi, confidence, rounds, race, e.SPIRVSHA256, e.GuardVersion, stamp(e.Finished))
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// names lists all parameters and driver settings of the run's evaluations and arms, sorted.
func (r *record) names() (params, settings []string) {
	p, s := map[string]bool{}, map[string]bool{}
	for _, e := range r.evaluations {
		for n := range e.Config {
			p[n] = true
		}
	}
	for _, a := range r.arms {
		for n := range a.Settings {
			s[n] = true
		}
	}
	return sorted(p), sorted(s)
}

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for n := range set {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

func cell(x float64) string {
	if number(x) == nil {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func duration(d time.Duration) string { return strconv.FormatInt(int64(d), 10) }
