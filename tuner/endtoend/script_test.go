package endtoend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/krisptune/krisptune/plugins/plugintest"
)

// program is the real binary, built once: it starts itself again as runner and family, which a
// test binary under another name cannot.
var program string

func TestMain(m *testing.M) {
	plugintest.Main(build{m}, processes)
}

// build makes the program before the tests run. A process that serves a family or a runner of
// the tests does not come here.
type build struct{ *testing.M }

func (b build) Run() int {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "krisptune-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "krisptune")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return b.M.Run()
}

// hasDevice reports whether a Vulkan device is there; in CI a missing one is a failure.
func hasDevice(t testing.TB) bool {
	t.Helper()
	if err := exec.Command(program, "devices", "--quiet").Run(); err == nil {
		return true
	}
	if os.Getenv("KRISPTUNE_REQUIRE_VULKAN") == "1" {
		t.Fatal("no Vulkan device, and KRISPTUNE_REQUIRE_VULKAN=1")
	}
	return false
}

func TestScripts(t *testing.T) {
	device := hasDevice(t)
	testscript.Run(t, testscript.Params{
		Dir: "tuner/endtoend/testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+env.Getenv("PATH"))
			for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
				dir := filepath.Join(env.WorkDir, "."+strings.ToLower(name))
				if err := os.MkdirAll(dir, 0o700); err != nil {
					return err
				}
				env.Setenv(name, dir)
			}
			for _, name := range []string{"VK_DRIVER_FILES", "VK_ICD_FILENAMES"} {
				if v, ok := os.LookupEnv(name); ok {
					env.Setenv(name, v)
				}
			}
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "vulkan" {
				return device, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs a command and checks its exit code: exits CODE COMMAND ARGS...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// TestReadmeCommands runs every krisptune command that the README shows and compares what it
// shows: a command's lines word for word with numbers masked, and of a tuning run, which is cut
// short here, the first word of each.
func TestReadmeCommands(t *testing.T) {
	if !hasDevice(t) {
		t.Skip("no Vulkan device")
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, dir)
	}
	archive, err := txtar.ParseFile("tuner/endtoend/testdata/script/simulate.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if f.Name == "small.json" {
			err = os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`(?m)^    \$ krisptune (.*)\n((?:    [^$\n].*\n)*)`).FindAllStringSubmatch(string(readme), -1)
	if len(blocks) == 0 {
		t.Fatal("the README shows no command")
	}
	number := regexp.MustCompile(`-?[0-9][0-9.,]*`)
	masked := func(line string) string {
		return strings.Join(strings.Fields(number.ReplaceAllString(line, "N")), " ")
	}
	first := func(line string) string { word, _, _ := strings.Cut(strings.TrimSpace(line), " "); return word }
	for _, block := range blocks {
		args, mask := strings.Fields(block[1]), masked
		if args[0] == "tune" {
			args, mask = append(args, "--budget", "3"), first
		}
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("krisptune %s: %v\n%s", block[1], err, out)
			continue
		}
		var printed []string
		for line := range strings.Lines(string(out)) {
			printed = append(printed, mask(line))
		}
		for line := range strings.Lines(block[2]) {
			want := mask(line)
			if args[0] == "tune" && want == "ratio" {
				continue // in so short a run the baseline may stand
			}
			if want != "..." && !slices.Contains(printed, want) {
				t.Errorf("the README shows %q for krisptune %s, which prints\n%s", strings.TrimSpace(line), block[1], out)
			}
		}
	}
}

// startTune starts a long tuning run with a database of its own and waits for its first
// evaluation.
func startTune(t *testing.T, dir string) (*exec.Cmd, *lockedBuffer) {
	t.Helper()
	if !hasDevice(t) {
		t.Skip("no Vulkan device")
	}
	cmd := exec.Command(program, "tune", "matmul_f32", "--db", filepath.Join(dir, "results.db"), "--out", filepath.Join(dir, "out"))
	cmd.Env = append(os.Environ(), "KRISPTUNE_TEST_TREE="+dir, "XDG_CACHE_HOME="+dir)
	out := &lockedBuffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(2 * time.Minute)
	for !strings.Contains(out.String(), "evaluated ") {
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			t.Fatalf("no evaluation after two minutes:\n%s", out)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return cmd, out
}

// tree lists the living processes that carry a mark in their environment.
func tree(t *testing.T, mark string) []string {
	t.Helper()
	var alive []string
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environs {
		data, err := os.ReadFile(path)
		if err == nil && slices.Contains(strings.Split(string(data), "\x00"), "KRISPTUNE_TEST_TREE="+mark) {
			alive = append(alive, path)
		}
	}
	return alive
}

func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	cmd, out := startTune(t, dir)
	if n := len(tree(t, dir)); n < 3 {
		t.Errorf("%d processes, want the core, a family and a runner", n)
	}
	begun := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	took := time.Since(begun)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("%v, want exit status 130:\n%s", err, out)
	}
	if took > 2*time.Second {
		t.Errorf("stopped after %v, want two seconds at most", took)
	}
	if alive := tree(t, dir); len(alive) > 0 {
		t.Errorf("still alive: %v", alive)
	}
	kept := regexp.MustCompile(`keeps ([0-9]+) evaluations .*--resume`).FindStringSubmatch(out.String())
	if kept == nil || kept[1] == "0" {
		t.Errorf("the user is not told how many evaluations are kept, at least the one shown, and how to go on:\n%s", out)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "out", "*")); len(files) > 0 {
		t.Errorf("an interrupted run wrote %v", files)
	}
	resume := exec.Command(program, "tune", "matmul_f32", "--resume", "--budget", "1", "--db", filepath.Join(dir, "results.db"), "--out", filepath.Join(dir, "out"))
	resume.Env = append(os.Environ(), "XDG_CACHE_HOME="+dir)
	if text, err := resume.CombinedOutput(); err != nil || !strings.Contains(string(text), "winner") {
		t.Errorf("resume: %v\n%s", err, text)
	}
}

func TestKilledCoreLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	cmd, _ := startTune(t, dir)
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	for {
		alive := tree(t, dir)
		if len(alive) == 0 {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("one second after SIGKILL these are alive: %v", alive)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
