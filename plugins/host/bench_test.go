package host_test

import (
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/plugintest"
)

// What a fresh process costs: an arm, or a runner after a crash.
func BenchmarkStartRunner(b *testing.B) {
	for b.Loop() {
		p, err := host.StartRunner(b.Context(), plugintest.RunnerCommand("fake", nil))
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Kill(); err != nil {
			b.Fatal(err)
		}
	}
}

// What one build costs over the wire.
func BenchmarkBuild(b *testing.B) {
	p := plugintest.StartFamily(b, "fake")
	problem := plugintest.ExampleProblem(p.Info())
	for b.Loop() {
		if _, err := p.Family().Build(b.Context(), problem, p.Info().Baseline); err != nil {
			b.Fatal(err)
		}
	}
}

// What a sample costs over the wire, in races of 100 rounds of 10.
func BenchmarkSamples(b *testing.B) {
	p := plugintest.StartRunner(b, "fake", nil)
	if _, err := p.Runner().Open(b.Context(), plugins.OpenOptions{}); err != nil {
		b.Fatal(err)
	}
	if err := p.Runner().Compile(b.Context(), []plugins.Candidate{{ID: "a"}}, func(plugins.Compiled) {}); err != nil {
		b.Fatal(err)
	}
	race := plugins.Race{Rounds: 100}
	for range 10 {
		race.Entrants = append(race.Entrants, "a")
	}
	n := 0
	for b.Loop() {
		if err := p.Runner().Race(b.Context(), race, func(plugins.Sample) { n++ }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/sample")
}
