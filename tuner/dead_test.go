package tuner

import (
	"context"
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/plugintest"
)

// A paddedFamily has parameters beside FakeFamily's own: IGNORED is never looked at, ABSENT
// sets a specialization constant that the module does not have, HALF acts in a push constant,
// but for one pair of its values only.
type paddedFamily struct{ plugintest.FakeFamily }

func (f paddedFamily) Describe(ctx context.Context) (plugins.Info, error) {
	info, err := f.FakeFamily.Describe(ctx)
	info.Name = "padded"
	for _, name := range []string{"IGNORED", "ABSENT", "HALF"} {
		info.Params = append(info.Params, plugins.Param{Name: name, Kind: plugins.Spec, Type: plugins.Int,
			Values: []plugins.Value{int64(1), int64(2), int64(3)}})
		info.Baseline[name] = int64(2)
	}
	return info, err
}

func (f paddedFamily) Build(ctx context.Context, problem plugins.Problem, config plugins.Config) (plugins.Build, error) {
	b, err := f.FakeFamily.Build(ctx, problem, config)
	if err != nil {
		return b, err
	}
	absent, err := config.Int("ABSENT")
	if err != nil {
		return b, err
	}
	half, err := config.Int("HALF")
	if err != nil {
		return b, err
	}
	b.Passes[0].Spec = append(b.Passes[0].Spec, plugins.SpecConstant{ID: 7, Data: binary.LittleEndian.AppendUint32(nil, uint32(absent))})
	if half == 3 {
		b.Passes[0].Push = append(b.Passes[0].Push, 0, 0, 0, 0)
	}
	return b, nil
}

func TestDeadParametersAreReportedAndNotSearched(t *testing.T) {
	text := strings.Replace(fakeSpec, `family = "fake"`, `family = "padded"`, 1)
	_, r, err := tune(t, t.Context(), "all-equal", text, &quiet{}, TuneOptions{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Evaluations != 15*3 {
		t.Errorf("%d evaluations, want 15 of the fake family by 3 of HALF", r.Evaluations)
	}
	all := strings.Join(r.Warnings, "\n")
	for _, want := range []string{"parameter IGNORED is dead", "parameter ABSENT is dead", "held at 2"} {
		if !strings.Contains(all, want) {
			t.Errorf("no warning says %q:\n%s", want, all)
		}
	}
	if strings.Contains(all, "HALF") || strings.Contains(all, "BLOCK") || strings.Contains(all, "UNROLL") {
		t.Errorf("a parameter that acts is called dead:\n%s", all)
	}
	if got := int64(2); r.Winner.Config["IGNORED"] != got {
		t.Errorf("the emitted configuration lacks a dead parameter's value: %v", r.Winner.Config)
	}
}

func TestUsedSpecIDs(t *testing.T) {
	module, err := os.ReadFile("../plugins/plugintest/axpy.spv")
	if err != nil {
		t.Fatal(err)
	}
	if used := usedSpecIDs(module); !used[0] || !used[1] || len(used) != 2 {
		t.Errorf("axpy reads its constants 0 and 1, found %v", used)
	}
	// A constant that is declared, named and decorated, and read by nothing.
	declared := append([]byte(nil), module...)
	for _, in := range [][]uint32{{4<<16 | 71, 900, 1, 5}, {4<<16 | 50, 6, 900, 8}, {3<<16 | 5, 900, 0}} {
		for _, w := range in {
			declared = binary.LittleEndian.AppendUint32(declared, w)
		}
	}
	if used := usedSpecIDs(declared); used[5] || !used[0] {
		t.Errorf("constant 5 is read by nothing, found %v", used)
	}
}
