//go:build ignore

// Generate compiles each member of the zoo of bad kernels beside its source, with the compiler
// that shaders/TOOLCHAIN pins. It runs in the folder above.
package main

import (
	"log"
	"os/exec"
	"strings"
)

func main() {
	glslc, err := exec.Command("../../shaders/toolchain.sh").Output()
	if err != nil {
		log.Fatalf("toolchain.sh: %v", err)
	}
	for _, defect := range []string{"", "TOO_MUCH_SHARED", "UNINITIALIZED_SHARED", "INPUT_MODIFIED", "WRONG", "OFF_BY_ONE_PERCENT",
		"NAN", "READS_SCRATCH", "ENDLESS", "UNWRITTEN_HALF", "UNWRITTEN_TAIL", "OUT_OF_BOUNDS", "READS_BEYOND", "ACCUMULATES", "UNGUARDED", "CRASHES"} {
		args := []string{"--target-env=vulkan1.1", "-O0", "testdata/reverse.comp", "-o", "testdata/reverse.spv"}
		if defect != "" {
			args[4] = "testdata/reverse_" + strings.ToLower(defect) + ".spv"
			args = append(args, "-D"+defect)
		}
		if out, err := exec.Command(strings.TrimSpace(string(glslc)), args...).CombinedOutput(); err != nil {
			log.Fatalf("%s: %v\n%s", defect, err, out)
		}
	}
}
