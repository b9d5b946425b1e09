package store

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"unicode"

	"golang.org/x/perf/benchfmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
)

// exportGoBench writes every sample as a line of the Go benchmark format, for benchstat. What
// may not be compared differs in a file key, so that benchstat's default tables keep it apart:
// the race, the problem, what the time means, its mode and its gap. Within a table the rows are
// configurations with their settings and role; iterations are a sample's repeats.
func exportGoBench(w io.Writer, r *record) error {
	out := benchfmt.NewWriter(w)
	for _, race := range r.races {
		samples, err := r.samples(race.ID)
		if err != nil {
			return err
		}
		// benchstat wants the samples of one configuration together only for people's sake;
		// order within an entrant stays as taken.
		sort.SliceStable(samples, func(i, j int) bool {
			a, b := samples[i], samples[j]
			if a.Problem != b.Problem {
				return a.Problem < b.Problem
			}
			return a.Entrant < b.Entrant
		})
		for _, s := range samples {
			if s.Verdict != plugins.OK || s.Entrant >= len(race.Entrants) || s.Problem >= len(r.run.Problems) {
				continue
			}
			res := &benchfmt.Result{
				Name: r.benchName(race.Entrants[s.Entrant]), Iters: s.Repeats,
				Values: []benchfmt.Value{{Value: s.Nanoseconds, Unit: "ns/op"}}}
			for _, kv := range [][2]string{
				{"kernel", r.run.Kernel}, {"device", r.run.Device.Name}, {"driver", r.run.Device.DriverName + " " + r.run.Device.DriverVersion},
				{"krisptune", r.run.ToolVersion}, {"run", fmt.Sprint(r.run.ID)}, {"race", fmt.Sprintf("%d %s", race.ID, race.Kind)},
				{"problem", r.run.Problems[s.Problem].Problem.String()}, {"clock", string(s.Clock)}, {"mode", string(s.Mode)}, {"gap", string(s.Gap)},
			} {
				if value := printable(kv[1]); value != "" { // an empty value would delete the key
					res.SetConfig(kv[0], value)
				}
			}
			for i := range res.Config {
				res.Config[i].File = true
			}
			if err := out.Write(res); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchName is KERNEL/PARAM=VALUE/.../SETTING=VALUE/role=ROLE.
func (r *record) benchName(e Entrant) benchfmt.Name {
	parts := []string{r.run.Kernel}
	names := make([]string, 0, len(e.Config))
	for n := range e.Config {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		parts = append(parts, n+"="+plugins.FormatValue(e.Config[n]))
	}
	settings := r.arm(e.Arm).Settings
	names = names[:0]
	for n := range settings {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		parts = append(parts, n+"="+settings[n])
	}
	if e.Role != stats.Candidate {
		parts = append(parts, "role="+string(e.Role))
	}
	for i, p := range parts {
		// A slash or a space would end the part or the name.
		parts[i] = strings.Map(func(c rune) rune {
			if c == '/' || unicode.IsSpace(c) || !unicode.IsPrint(c) {
				return '_'
			}
			return c
		}, p)
	}
	return benchfmt.Name(strings.Join(parts, "/"))
}

func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '_'
		}
		return c
	}, s)
}
