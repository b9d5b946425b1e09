package endurance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/plugintest"
)

func TestMain(m *testing.M) {
	plugintest.Main(m, plugintest.Processes{Families: map[string]plugins.Family{soakName: soakFamily{}}})
}

// program builds krisptune, and skips the test where it finds no device.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "krisptune")
	build := exec.Command("go", "build", "-o", path, "github.com/krisptune/krisptune")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(path, "devices").CombinedOutput(); err != nil {
		t.Skipf("no Vulkan device: %s", out)
	}
	return path
}

// count reads a number from the environment.
func count(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%s, expected a number above 0", name, text)
	}
	return n
}

// processes lists the running processes of a program: the link of /proc/PID/exe is its path.
func processes(path string) []string {
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	var pids []string
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == path {
			pids = append(pids, strings.Split(link, "/")[2])
		}
	}
	return pids
}
