package endtoend

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/krisptune/krisptune/"

// allowed lists, for each room, the rooms of this module that it may import; a trailing / takes
// the folders below too. "cgo" marks rooms that may need cgo.
var allowed = map[string][]string{
	"search":             {"search/"},
	"vkrt":               {"vkrt/", "cgo"},
	"vkrt/spirv":         {},
	"plugins":            {},
	"plugins/sdk":        {"plugins", "plugins/internal/"},
	"plugins/host":       {"plugins", "plugins/internal/"},
	"plugins/reference":  {"plugins"},
	"plugins/runner":     {"plugins", "plugins/runner/", "plugins/reference", "plugins/internal/", "vkrt/", "cgo"},
	"plugins/matmul":     {"plugins", "plugins/sdk", "plugins/reference", "shaders/"},
	"plugins/plugintest": {"plugins", "plugins/sdk", "plugins/host", "plugins/internal/"},
	"plugins/builtin":    {"plugins", "plugins/matmul", "plugins/sdk", "plugins/reference", "shaders/", "plugins/internal/"},
	"shaders":            {},
	"configs":            {},
	"tuner":              {"tuner/", "search/", "plugins", "plugins/host", "plugins/internal/", "configs", "vkrt/spirv"},
	"tuner/cli":          {"tuner/", "search/", "plugins", "plugins/host", "plugins/internal/", "configs", "vkrt/spirv"},
	"tuner/constraint":   {"search"},
	"tuner/stats":        {},
	"tuner/device":       {"plugins"},
	"tuner/spec":         {"plugins", "configs"},
	"tuner/arm":          {"plugins", "configs", "tuner/spec"},
	"tuner/emit":         {"plugins"},
	"tuner/store":        {"plugins", "tuner/stats"},
	"tuner/t1":           {"search", "tuner/constraint"},
	"tuner/endurance":    {},
	"tuner/endtoend":     {},
}

// external lists third-party modules that a room's own files may import, where design limits them.
var external = map[string][]string{
	"search":     {"gonum.org/"},
	"vkrt":       {"github.com/vulkan-go/", "golang.org/x/sys/"},
	"vkrt/spirv": {},
	"plugins":    {},
	"configs":    {"github.com/BurntSushi/toml"},
}

func TestImportDirection(t *testing.T) {
	for room, may := range allowed {
		t.Run(room, func(t *testing.T) {
			for _, dep := range list(t, "-deps", "-f", "{{.ImportPath}}", "./"+room) {
				if !strings.HasPrefix(dep, module) {
					continue
				}
				if dep = strings.TrimPrefix(dep, module); dep != room && !covers(may, dep) {
					t.Errorf("%s depends on %s", room, dep)
				}
			}
			limit, limited := external[room]
			if !limited {
				return
			}
			for _, dep := range list(t, "-f", `{{join .Imports "\n"}}`, "./"+room) {
				if first, _, _ := strings.Cut(dep, "/"); strings.Contains(first, ".") && !strings.HasPrefix(dep, module) && !covers(limit, dep) {
					t.Errorf("%s imports %s", room, dep)
				}
			}
		})
	}
}

// covers reports whether a rule names dep: exactly, or by a prefix that ends in /.
func covers(rules []string, dep string) bool {
	for _, r := range rules {
		if dep == r || strings.HasSuffix(r, "/") && (strings.HasPrefix(dep, r) || dep == strings.TrimSuffix(r, "/")) {
			return true
		}
	}
	return false
}

func list(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// TestEveryRoomHasARule holds that a new room says what it may import.
func TestEveryRoomHasARule(t *testing.T) {
	// Rooms within a room, which its rule lets it import, and programs.
	within := []string{"plugins/internal/", "plugins/runner/", "shaders/", "search/", "tuner/stats/", "vkrt/"}
	for _, dep := range list(t, "-f", "{{if ne .Name \"main\"}}{{.ImportPath}}{{end}}", "./...") {
		room := strings.TrimPrefix(dep, module)
		if _, ok := allowed[room]; !ok && !covers(within, room) {
			t.Errorf("%s has no rule in this test", room)
		}
	}
}

// TestCoreNeedsNoCgo builds the rooms that must run without a C compiler's help.
func TestCoreNeedsNoCgo(t *testing.T) {
	cmd := exec.Command("go", "build", "./tuner/...", "./search/...", "./plugins/host", "./plugins/sdk", "./plugins/matmul", "./configs/...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("CGO_ENABLED=0 go build: %v\n%s", err, out)
	}
}
