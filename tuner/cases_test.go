package tuner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krisptune/krisptune/plugins"
)

func TestGuardCases(t *testing.T) {
	info := plugins.Info{Fields: []plugins.Field{
		{Name: "m", Type: plugins.Int, Min: 1, Tile: "BM"},
		{Name: "n", Type: plugins.Int, Min: 1, Tile: "BN"},
		{Name: "k", Type: plugins.Int, Min: 1, Multiple: 32, Tile: "BK", Reduced: true},
		{Name: "a", Type: plugins.String},
	}}
	problem := plugins.Problem{"m": int64(4096), "n": int64(512), "k": int64(4096), "a": "f16"}
	tiles := map[string]int64{"m": 64, "n": 32, "k": 16}
	got, err := guardCases(info, problem, func(f plugins.Field) (int64, error) { return tiles[f.Name], nil })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a=f16,k=32,m=63,n=31",
		"a=f16,k=32,m=64,n=32",
		"a=f16,k=32,m=65,n=33",
		"a=f16,k=64,m=129,n=95",
		"a=f16,k=416,m=65,n=33",
	}
	var keys []string
	for _, p := range got {
		keys = append(keys, p.String())
	}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Error(diff)
	}
}

func TestGuardCasesKeepFixedFields(t *testing.T) {
	info := plugins.Info{Fields: []plugins.Field{{Name: "n", Type: plugins.Int}}}
	got, err := guardCases(info, plugins.Problem{"n": int64(7)}, nil)
	if err != nil || len(got) != 0 {
		t.Errorf("got %v, %v; a family without tiles supports its own sizes alone", got, err)
	}
}
