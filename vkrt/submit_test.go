package vkrt_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

const hangEnv = "VKRT_TEST_HANG"

// TestHang runs a dispatch that never ends in a process of its own, as nothing else
// gets rid of it.
func TestHang(t *testing.T) {
	if os.Getenv(hangEnv) == "1" {
		hang(t)
		os.Exit(0) // without cleanups: they must not be needed
	}
	vkrttest.Device(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestHang$", "-test.v")
	cmd.Env = append(os.Environ(), hangEnv+"=1")
	done := make(chan struct{})
	var out []byte
	var err error
	begin := time.Now()
	go func() { out, err = cmd.CombinedOutput(); close(done) }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		<-done
		t.Fatalf("the process did not end after its submit timed out:\n%s", out)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "ended by itself") {
		t.Skip("this driver ends endless loops (lavapipe 22.3: after 65,535 iterations)")
	}
	if !strings.Contains(string(out), "timed out and closed") {
		t.Errorf("output is\n%s", out)
	}
	t.Logf("the process lived %v", time.Since(begin))
}

func hang(t *testing.T) {
	in, d := vkrttest.OpenIn(t, vkrt.Options{}, vkrt.DeviceOptions{})
	m := must[*vkrt.Module](t)(d.NewModule(hangSPIRV))
	p := must[*vkrt.Pipeline](t)(d.NewPipeline(vkrt.PipelineInfo{Module: m, Entry: "main", Bindings: []vkrt.Binding{{}}}))
	stop := must[*vkrt.Buffer](t)(d.NewBuffer(8, vkrt.DeviceLocal))
	b := must[*vkrt.Bindings](t)(d.NewBindings(p, []vkrt.BoundBuffer{{Buffer: stop}}))
	r := must[*vkrt.Recorder](t)(d.NewRecorder())
	check(t, r.Begin())
	r.Fill(stop, 0, 8, 0)
	r.Barrier()
	// Enough workgroups to outlast the deadline where each loop is cut short.
	r.Dispatch(p, b, nil, 4096, 1, 1)
	check(t, r.End())
	begin := time.Now()
	err := d.Submit(r, 500*time.Millisecond)
	if err == nil {
		fmt.Println("ended by itself")
		return
	}
	var timeout *vkrt.TimeoutError
	if !errors.As(err, &timeout) || timeout.Deadline != 500*time.Millisecond {
		t.Fatalf("error is %v, want a *TimeoutError", err)
	}
	if waited := time.Since(begin); waited > 5*time.Second {
		t.Fatalf("the timeout came after %v", waited)
	}
	if d.Submit(r, time.Second) == nil {
		t.Fatal("a second submit was taken")
	}
	r.Close()
	b.Close()
	stop.Close()
	p.Close()
	m.Close()
	d.Close()
	in.Close()
	fmt.Println("timed out and closed")
}

func TestSubmitRefused(t *testing.T) {
	d := vkrttest.Device(t)
	r := must[*vkrt.Recorder](t)(d.NewRecorder())
	defer r.Close()
	if d.Submit(r, time.Second) == nil {
		t.Error("an empty recorder was submitted")
	}
	check(t, r.Begin())
	if d.Submit(r, time.Second) == nil {
		t.Error("a recording without End was submitted")
	}
	check(t, r.End())
	if d.Submit(r, 0) == nil {
		t.Error("a deadline of 0 was taken")
	}
	check(t, d.Submit(r, testDeadline))
}
