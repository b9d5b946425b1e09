package wire

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/pb"
)

// fill sets every field of v by reflection, so that a field added to the vocabulary is in the
// property from the day it exists.
func fill(t *rapid.T, v reflect.Value, optional bool) {
	if v.Type() == reflect.TypeFor[plugins.Verdict]() {
		v.SetString(string(rapid.SampledFrom(plugins.Verdicts).Draw(t, "verdict")))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Uint8, reflect.Uint32:
		v.SetUint(uint64(rapid.Uint8().Draw(t, "uint")))
	case reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "uint"))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "float"))
	case reflect.String:
		v.SetString(rapid.StringN(0, 8, -1).Draw(t, "string"))
	case reflect.Interface: // a plugins.Value
		kinds := []reflect.Type{reflect.TypeFor[int64](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[bool]()}
		if optional && rapid.Bool().Draw(t, "absent") {
			return
		}
		value := reflect.New(rapid.SampledFrom(kinds).Draw(t, "kind")).Elem()
		fill(t, value, false)
		v.Set(value)
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "nil") {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), false)
	case reflect.Slice:
		n := rapid.IntRange(0, 3).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i), false)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), false)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 3).Draw(t, "entries") {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key, false)
			fill(t, value, false)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), v.Type().Field(i).Name == "Default")
		}
	default:
		t.Fatalf("no generator for %v", v.Type())
	}
}

// roundTrip sends a generated D through W's bytes and back.
func roundTrip[D any, W proto.Message](t *testing.T, name string, toWire func(D) (W, error), fromWire func(W) (D, error)) {
	t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
		var d D
		fill(t, reflect.ValueOf(&d).Elem(), false)
		w, err := toWire(d)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := proto.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		received := w.ProtoReflect().New().Interface().(W)
		if err := proto.Unmarshal(raw, received); err != nil {
			t.Fatal(err)
		}
		got, err := fromWire(received)
		if err != nil {
			t.Fatal(err)
		}
		// The wire does not tell an empty list from none, and nor does the vocabulary.
		if diff := cmp.Diff(d, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("sent (-) and received (+) differ:\n%s", diff)
		}
	}))
}

func sure[D, W any](f func(D) W) func(D) (W, error) {
	return func(d D) (W, error) { return f(d), nil }
}

func TestFamilyRoundTrip(t *testing.T) {
	roundTrip(t, "Info", infoToWire, infoFromWire)
	roundTrip(t, "Build",
		func(b plugins.Build) (*pb.Build, error) { return buildToWire(b, moduleToWire) },
		func(w *pb.Build) (plugins.Build, error) { return buildFromWire(w, moduleFromWire) })
	roundTrip(t, "ReferenceRequest", referenceToWire, referenceFromWire)
}

func TestRunnerRoundTrip(t *testing.T) {
	roundTrip(t, "OpenOptions", sure(openToWire), sure(openFromWire))
	roundTrip(t, "Opened", openedToWire, openedFromWire)
	roundTrip(t, "Candidates", candidatesToWire, candidatesFromWire)
	roundTrip(t, "Compiled", compiledToWire, compiledFromWire)
	roundTrip(t, "Checks", checksToWire, checksFromWire)
	roundTrip(t, "Checked", checkedToWire, checkedFromWire)
	roundTrip(t, "Race", sure(raceToWire), sure(raceFromWire))
	roundTrip(t, "Sample", sampleToWire, sampleFromWire)
}

// Equal code crosses once, however many builds carry it.
func TestRequestsShareCode(t *testing.T) {
	code := []byte(strings.Repeat("krisptune", 10_000))
	var candidates []plugins.Candidate
	for range 1000 {
		candidates = append(candidates, plugins.Candidate{Build: plugins.Build{Modules: []plugins.Module{
			{Name: "a", SPIRV: code}, {Name: "b", SPIRV: code[:90]}}}})
	}
	w, err := candidatesToWire(candidates)
	if err != nil {
		t.Fatal(err)
	}
	if size := proto.Size(w); size > 2*len(code) {
		t.Errorf("1000 builds of the same %d bytes take %d, expected them once", len(code), size)
	}
}

// What a stranger sends must be refused, not believed and not crash.
func TestBadMessages(t *testing.T) {
	empty := &pb.Value{}
	cases := map[string]func() error{
		"empty value": func() error { _, err := valueFromWire(empty); return err },
		"nil value":   func() error { _, err := valueFromWire(nil); return err },
		"empty parameter": func() error {
			_, err := infoFromWire(&pb.Info{Params: []*pb.Param{{Values: []*pb.Value{empty}}}})
			return err
		},
		"empty baseline":     func() error { _, err := infoFromWire(&pb.Info{Baseline: map[string]*pb.Value{"A": empty}}); return err },
		"module without any": func() error { _, err := moduleFromWire(&pb.Module{Name: "m"}); return err },
		"family shares code": func() error { _, err := moduleFromWire(&pb.Module{Code: &pb.Module_Shared{}}); return err },
		"code out of range": func() error {
			_, err := candidatesFromWire(&pb.CompileRequest{Spirv: [][]byte{nil}, Candidates: []*pb.Candidate{{
				Build: &pb.Build{Modules: []*pb.Module{{Code: &pb.Module_Shared{Shared: 1}}}}}}})
			return err
		},
		"unknown verdict": func() error { _, err := checkedFromWire(&pb.Checked{Verdict: "fine"}); return err },
		"no verdict":      func() error { _, err := sampleFromWire(&pb.Sample{}); return err },
		"evidence":        func() error { _, err := compiledFromWire(&pb.Compiled{Verdict: "ok", EvidenceJson: "{"}); return err },
		"device":          func() error { _, err := openedFromWire(&pb.OpenResponse{}); return err },
		"int sent":        func() error { _, err := valueToWire(1); return err },
	}
	for name, f := range cases {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
