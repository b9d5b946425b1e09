package vkrt

// #include "calls.h"
import "C"

import (
	"encoding/binary"
	"math"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// A Statistic is one number that the compiler gives about a pipeline
// (VK_KHR_pipeline_executable_properties): registers, spills, code size, whatever
// the driver has, in the driver's own words and units.
type Statistic struct {
	Executable   string  `json:"executable"` // the part of the pipeline it is about
	SubgroupSize int     `json:"subgroup_size"`
	Name         string  `json:"name"`
	Description  string  `json:"description"`
	Value        float64 `json:"value"` // a bool is 0 or 1
}

// Statistics returns what the compiler says about the pipeline; nil where the
// driver says nothing or the device was opened without Statistics.
func (p *Pipeline) Statistics() ([]Statistic, error) {
	if !p.d.statistics {
		return nil, nil
	}
	var count C.uint32_t
	var executables *C.VkPipelineExecutablePropertiesKHR
	result := C.vkrt_executables(p.d.c, unsafe.Pointer(p.handle), &count, &executables)
	defer C.free(unsafe.Pointer(executables))
	if err := check("vkGetPipelineExecutablePropertiesKHR", vk.Result(result)); err != nil {
		return nil, err
	}
	var out []Statistic
	for i := range count {
		e := (*C.VkPipelineExecutablePropertiesKHR)(unsafe.Add(unsafe.Pointer(executables),
			uintptr(i)*unsafe.Sizeof(*executables)))
		list, err := p.executableStatistics(i)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			s.Executable = goString(e.name[:])
			s.SubgroupSize = int(e.subgroupSize)
			out = append(out, s)
		}
	}
	return out, nil
}

func (p *Pipeline) executableStatistics(executable C.uint32_t) ([]Statistic, error) {
	var count C.uint32_t
	var list *C.VkPipelineExecutableStatisticKHR
	result := C.vkrt_statistics(p.d.c, unsafe.Pointer(p.handle), executable, &count, &list)
	defer C.free(unsafe.Pointer(list))
	if err := check("vkGetPipelineExecutableStatisticsKHR", vk.Result(result)); err != nil {
		return nil, err
	}
	var out []Statistic
	for _, s := range unsafe.Slice(list, count) {
		bits := binary.NativeEndian.Uint64(s.value[:])
		var value float64
		switch s.format {
		case 0: // VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR
			if binary.NativeEndian.Uint32(s.value[:]) != 0 {
				value = 1
			}
		case 1: // INT64
			value = float64(int64(bits))
		case 2: // UINT64
			value = float64(bits)
		case 3: // FLOAT64
			value = math.Float64frombits(bits)
		}
		out = append(out, Statistic{
			Name:        goString(s.name[:]),
			Description: goString(s.description[:]),
			Value:       value,
		})
	}
	return out, nil
}
