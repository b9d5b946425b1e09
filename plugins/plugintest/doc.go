// Package plugintest proves families and feeds the core's tests: a harness that puts any
// family or runner behind the real wire in a process of its own (Main), a conformance suite for
// families (Conformance), a tiny family (FakeFamily) and a runner on no device (FakeRunner).
package plugintest
