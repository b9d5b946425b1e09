// Krisptune tunes Vulkan compute kernels: it searches their configurations, proves each one
// correct before timing it, and emits the best with its evidence.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/krisptune/krisptune/plugins/builtin"
	"github.com/krisptune/krisptune/plugins/runner"
	"github.com/krisptune/krisptune/plugins/sdk"
	"github.com/krisptune/krisptune/tuner/cli"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run serves a built-in family ("plugin NAME") or the runner ("runner"), the forms in which the
// core starts this binary again, and is the command line otherwise.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	switch {
	case len(args) == 2 && args[0] == "plugin":
		family, ok := builtin.Family(args[1])
		if !ok {
			fmt.Fprintf(stderr, "no built-in family is called %q\n", args[1])
			return 2
		}
		sdk.Main(family)
		return 0
	case len(args) == 1 && args[0] == "runner":
		return runner.Main()
	}
	return cli.Run(ctx, args, builtin.Names(), stdin, stdout, stderr)
}
