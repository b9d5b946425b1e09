package vkrt_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

func TestPipelineCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arm", "cache.bin")
	use := func(t *testing.T) {
		d := vkrttest.Open(t, vkrt.DeviceOptions{CacheFile: file})
		m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
		defer m.Close()
		axpyRun{n: 100, workgroup: 16, scale: 3}.run(t, d, m)
		check(t, d.SaveCache())
	}
	t.Run("new", use)
	first := must[[]byte](t)(os.ReadFile(file))
	t.Run("again", use)
	damaged := append([]byte(nil), first...)
	damaged[len(damaged)-1] ^= 1
	for name, content := range map[string][]byte{
		"empty": nil, "torn": first[:len(first)/2], "damaged": damaged, "foreign": []byte("not a cache at all"),
	} {
		check(t, os.WriteFile(file, content, 0o600))
		t.Run(name, use)
	}
	left := must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(file)))
	if len(left) != 1 {
		t.Errorf("%d files are left, want the cache only", len(left))
	}
}

func TestCacheFileCannotBeWritten(t *testing.T) {
	blocker := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(blocker, nil, 0o600))
	d := vkrttest.Open(t, vkrt.DeviceOptions{CacheFile: filepath.Join(blocker, "cache.bin")})
	if d.SaveCache() == nil {
		t.Error("no error")
	}
}
