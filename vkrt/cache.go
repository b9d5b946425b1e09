package vkrt

// #include "calls.h"
import "C"

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// cacheMagic begins a cache file; a SHA-256 of the rest follows. Drivers trust
// what they are given, and a torn or damaged cache may crash them.
const cacheMagic = "krisptune-pipeline-cache-1\n"

// openCache makes the pipeline cache, from the cache file where it is sound.
// Drivers themselves refuse the data of another device or driver version.
func (d *Device) openCache() error {
	var data []byte
	if d.cacheFile != "" {
		if file, err := os.ReadFile(d.cacheFile); err == nil {
			data = decodeCache(file)
		}
	}
	var out unsafe.Pointer
	result := C.vkrt_pipeline_cache_create(d.c, unsafe.Pointer(unsafe.SliceData(data)), C.size_t(len(data)), &out)
	d.cache = vk.PipelineCache(out)
	return check("vkCreatePipelineCache", vk.Result(result))
}

func encodeCache(data []byte) []byte {
	sum := sha256.Sum256(data)
	return bytes.Join([][]byte{[]byte(cacheMagic), sum[:], data}, nil)
}

// decodeCache returns the data in a cache file, nil for a damaged one.
func decodeCache(file []byte) []byte {
	rest, ok := bytes.CutPrefix(file, []byte(cacheMagic))
	if !ok || len(rest) < sha256.Size {
		return nil
	}
	data := rest[sha256.Size:]
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return nil
	}
	return data
}

// SaveCache writes the pipeline cache to CacheFile, through a temporary file and a
// rename, making its folder if need be. Without a CacheFile it does nothing.
func (d *Device) SaveCache() error {
	if d.cacheFile == "" {
		return nil
	}
	data, err := d.cacheData()
	if err != nil {
		return err
	}
	folder := filepath.Dir(d.cacheFile)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("pipeline cache: %w", err)
	}
	f, err := os.CreateTemp(folder, filepath.Base(d.cacheFile)+".*")
	if err != nil {
		return fmt.Errorf("pipeline cache: %w", err)
	}
	defer os.Remove(f.Name()) // fails after the rename, as it should
	_, err = f.Write(encodeCache(data))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), d.cacheFile)
	}
	if err != nil {
		return fmt.Errorf("pipeline cache: %w", err)
	}
	return nil
}

func (d *Device) cacheData() ([]byte, error) {
	for {
		var size uint
		if err := check("vkGetPipelineCacheData", vk.GetPipelineCacheData(d.handle(), d.cache, &size, nil)); err != nil {
			return nil, err
		}
		if size == 0 {
			return nil, nil
		}
		data := make([]byte, size)
		result := vk.GetPipelineCacheData(d.handle(), d.cache, &size, unsafe.Pointer(&data[0]))
		if result == vk.Incomplete {
			continue // another goroutine added a pipeline between the two calls
		}
		if err := check("vkGetPipelineCacheData", result); err != nil {
			return nil, err
		}
		return data[:size], nil
	}
}
