//go:build ignore

// Generate compiles each member of the zoo of bad kernels beside its source.
package main

import (
	"log"
	"os/exec"
	"strings"
)

func main() {
	for _, defect := range []string{"", "TOO_MUCH_SHARED", "UNINITIALIZED_SHARED", "INPUT_MODIFIED", "WRONG", "OFF_BY_ONE_PERCENT",
		"NAN", "READS_SCRATCH", "ENDLESS", "UNWRITTEN_HALF", "UNWRITTEN_TAIL", "OUT_OF_BOUNDS", "ACCUMULATES"} {
		args := []string{"-O", "--target-env=vulkan1.1", "reverse.comp", "-o", "reverse.spv"}
		if defect != "" {
			args[4] = "reverse_" + strings.ToLower(defect) + ".spv"
			args = append(args, "-D"+defect)
		}
		if out, err := exec.Command("glslc", args...).CombinedOutput(); err != nil {
			log.Fatalf("%s: %v\n%s", defect, err, out)
		}
	}
}
