package runner

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

const asRunner = "krisptune-test-runner"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == asRunner {
		os.Exit(Main())
	}
	os.Exit(m.Run())
}

// The whole way of a candidate in a process of its own, and its end after a hang: the answer
// comes, and the process goes by itself.
func TestInItsOwnProcess(t *testing.T) {
	vkrttest.Device(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := host.StartRunner(t.Context(), host.RunnerCommand{Path: self, Args: []string{asRunner}, Env: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	r := p.Runner()
	if devices, err := r.Devices(t.Context()); err != nil || len(devices) == 0 {
		t.Fatalf("%v, %v", devices, err)
	}
	if _, err := r.Open(t.Context(), plugins.OpenOptions{Device: os.Getenv(vkrttest.DeviceEnv), SessionDir: t.TempDir(), Seed: 1}); err != nil {
		t.Fatal(err)
	}
	const hung = 64 * 65535
	verdicts := make(map[string]plugins.Verdict)
	err = r.Compile(t.Context(), []plugins.Candidate{{ID: "right", Build: reverse(t, "", 1000)}, {ID: "endless", Build: reverse(t, "endless", hung)}},
		func(c plugins.Compiled) { verdicts[c.ID] = c.Verdict })
	if err != nil || verdicts["right"] != plugins.OK || verdicts["endless"] != plugins.OK {
		t.Fatalf("%v, %v", verdicts, err)
	}
	check := plugins.Check{ID: "right", Problem: problem(1000), Cases: []plugins.Case{{Problem: problem(65), Build: reverse(t, "", 65)}}}
	requests, err := r.Inputs(t.Context(), []plugins.Check{check})
	if err != nil || len(requests) != 4 {
		t.Fatalf("%d requests, %v", len(requests), err)
	}
	answer(t, requests)
	checks := []plugins.Check{check, {ID: "endless", Problem: problem(hung), Deadline: 200 * time.Millisecond}, check}
	var checked []plugins.Checked
	if err := r.Check(t.Context(), checks, func(c plugins.Checked) { checked = append(checked, c) }); err != nil {
		t.Fatal(err)
	}
	if len(checked) != 2 || checked[0].Verdict != plugins.OK || checked[1].Verdict != plugins.Timeout {
		t.Fatalf("%+v, expected ok, timeout and then nothing", checked)
	}
	if err := r.Release(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "spent") {
		t.Errorf("a spent runner answered: %v", err)
	}
	for limit := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		err := r.Release(context.Background(), nil)
		if death := (*host.DeathError)(nil); errors.As(err, &death) {
			if death.ExitCode != exitSpent || death.ByUs {
				t.Errorf("%+v, expected exit status %d of its own accord", death, exitSpent)
			}
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("the spent runner still answers: %v", err)
		}
	}
}

// A kernel that kills the process costs a crash and no more: the next process answers.
func TestCrash(t *testing.T) {
	if caps := vkrttest.Device(t).Caps(); caps.Type != "cpu" {
		t.Skipf("%s has memory of its own, which a kernel's stray store does not leave", caps.Name)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, defect := range []string{"crashes", ""} {
		p, err := host.StartRunner(t.Context(), host.RunnerCommand{Path: self, Args: []string{asRunner}, Env: os.Environ()})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Kill()
		r := p.Runner()
		if _, err := r.Open(t.Context(), plugins.OpenOptions{Device: os.Getenv(vkrttest.DeviceEnv), SessionDir: t.TempDir(), Seed: 1}); err != nil {
			t.Fatal(err)
		}
		err = r.Compile(t.Context(), []plugins.Candidate{{ID: "c", Build: reverse(t, defect, 1000)}}, func(plugins.Compiled) {})
		if err != nil {
			t.Fatal(err)
		}
		check := plugins.Check{ID: "c", Problem: problem(1000)}
		requests, err := r.Inputs(t.Context(), []plugins.Check{check})
		if err != nil {
			t.Fatal(err)
		}
		answer(t, requests)
		var checked plugins.Checked
		err = r.Check(t.Context(), []plugins.Check{check}, func(c plugins.Checked) { checked = c })
		if defect == "" {
			if err != nil || checked.Verdict != plugins.OK {
				t.Errorf("%+v, %v", checked, err)
			}
			continue
		}
		death := (*host.DeathError)(nil)
		if !errors.As(err, &death) || death.Verdict != plugins.Crash || death.ByUs || !strings.Contains(err.Error(), "segmentation") {
			t.Errorf("%+v, %v; expected a crash", checked, err)
		}
	}
}
