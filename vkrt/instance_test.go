package vkrt_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

func TestValidationFindsUnsetPushConstants(t *testing.T) {
	in, d := openValidated(t)
	m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
	defer m.Close()
	if messages := in.Messages(); len(messages) > 0 {
		t.Fatalf("messages before anything was wrong: %+v", messages)
	}
	// The layout has no push-constant range, and the shader reads one.
	p, err := d.NewPipeline(vkrt.PipelineInfo{Module: m, Entry: "main", Bindings: axpyBindings})
	if err == nil {
		p.Close()
	}
	messages := in.Messages()
	if len(messages) == 0 {
		t.Fatal("no message")
	}
	if m := messages[0]; m.Severity != "error" || !strings.HasPrefix(m.ID, "VUID-") || m.Text == "" {
		t.Errorf("message is %+v", m)
	}
	if again := in.Messages(); len(again) > 0 {
		t.Errorf("%d messages are returned twice", len(again))
	}
}

// Everything that vkrt does in order must be silent under the layer, or it would
// fail every candidate.
func TestValidationIsSilentWhenAllIsRight(t *testing.T) {
	in, d := openValidated(t)
	m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
	axpyRun{n: 1000, workgroup: 64, scale: 3, bias: -5}.run(t, d, m)
	axpyRun{n: 1000, workgroup: 32, scale: 3, kind: vkrt.DeviceLocal}.run(t, d, m)
	m.Close()
	exerciseRecorder(t, d)
	if d.Caps().Limits.TimestampValidBits > 0 {
		measureSpin(t, d, 1000)
	}
	for _, m := range in.Messages() {
		t.Errorf("%s: %s", m.ID, m.Text)
	}
}

// openValidated needs the layer; drivers' packages do not bring it.
func openValidated(t *testing.T) (*vkrt.Instance, *vkrt.Device) {
	t.Helper()
	in, err := vkrt.NewInstance(vkrt.Options{Validate: true})
	var missing *vkrt.MissingLayerError
	if errors.As(err, &missing) {
		t.Skip(err)
	}
	if err == nil {
		in.Close()
	}
	return vkrttest.OpenIn(t, vkrt.Options{Validate: true}, vkrt.DeviceOptions{Statistics: true, Robust: true})
}

func TestMissingLayer(t *testing.T) {
	vkrttest.Device(t)
	t.Setenv("VK_LAYER_PATH", t.TempDir())
	_, err := vkrt.NewInstance(vkrt.Options{Validate: true})
	var missing *vkrt.MissingLayerError
	if !errors.As(err, &missing) {
		t.Errorf("error is %v, want a *MissingLayerError", err)
	}
}

func TestNoDevices(t *testing.T) {
	vkrttest.Device(t)
	t.Setenv("VK_ICD_FILENAMES", "/nowhere.json")
	t.Setenv("VK_DRIVER_FILES", "/nowhere.json")
	in, err := vkrt.NewInstance(vkrt.Options{})
	check(t, err)
	defer in.Close()
	devices, err := in.PhysicalDevices()
	if err != nil || len(devices) != 0 || len(in.Messages()) != 0 {
		t.Errorf("%d devices, error %v, want none", len(devices), err)
	}
}
