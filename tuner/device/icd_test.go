package device

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDrivers(t *testing.T) {
	dir := t.TempDir()
	touch := func(name string) string {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	one := touch("data/vulkan/icd.d/a.json")
	two := touch("data/vulkan/icd.d/b.json")
	touch("data/vulkan/icd.d/readme.txt")
	own := touch("own/c.json")

	for _, test := range []struct {
		name string
		env  map[string]string
		want []string
	}{
		{"data folder", map[string]string{}, []string{one, two}},
		{"added", map[string]string{"VK_ADD_DRIVER_FILES": own}, []string{own, one, two}},
		{"replaced", map[string]string{"VK_DRIVER_FILES": own}, []string{own}},
		{"older name", map[string]string{"VK_ICD_FILENAMES": own + ":" + one}, []string{own, one}},
		{"missing", map[string]string{"VK_DRIVER_FILES": filepath.Join(dir, "none.json")}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			env := map[string]string{
				"HOME": dir, "XDG_DATA_DIRS": filepath.Join(dir, "data"), "XDG_CONFIG_DIRS": dir,
			}
			for k, v := range test.env {
				env[k] = v
			}
			got := Drivers(func(name string) string { return env[name] })
			// The fixed folders of the machine may hold drivers of its own.
			var ours []string
			for _, p := range got {
				if rel, err := filepath.Rel(dir, p); err == nil && filepath.IsLocal(rel) {
					ours = append(ours, p)
				}
			}
			if diff := cmp.Diff(test.want, ours); diff != "" {
				t.Error(diff)
			}
		})
	}
}
