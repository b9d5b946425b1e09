package kernel

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Committed SPIR-V equals what the pinned compiler makes of the committed source.
func TestReproduces(t *testing.T) {
	cache := os.Getenv("KRISPTUNE_TOOLCHAIN")
	if cache == "" {
		cache = "../../../.cache/toolchain"
	}
	if found, _ := filepath.Glob(filepath.Join(cache, "*", "glslc")); len(found) == 0 {
		t.Skip("the pinned compiler is not in the cache; go generate fetches it")
	}
	glslc, err := exec.Command("../../../shaders/toolchain.sh").Output()
	if err != nil {
		t.Fatal(err)
	}
	optimized := map[string]bool{"copy": true, "multiplyadd": true}
	for name, committed := range map[string][]byte{"poison": Poison, "spin": Spin, "empty": Empty, "sweep": Sweep, "copy": Copy, "multiplyadd": MultiplyAdd} {
		level := "-O0"
		if optimized[name] {
			level = "-O"
		}
		out, err := exec.Command(strings.TrimSpace(string(glslc)), "--target-env=vulkan1.1", level, name+".comp", "-o", "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out, committed) {
			t.Errorf("%s.spv differs from what its source gives: run go generate", name)
		}
	}
}
