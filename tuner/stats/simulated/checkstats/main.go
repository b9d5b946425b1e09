// Checkstats proves the race's rules on simulated devices and prints the tables that are kept
// in tuner/stats/CHECK.md. It exits with 1 if a rate of false claims is too high.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/krisptune/krisptune/tuner/stats/simulated"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("checkstats", flag.ContinueOnError)
	flags.SetOutput(stderr)
	tunes := flags.Int("tunes", 10000, "tunes of each kind for each seed")
	// Not used while the rules were made.
	text := flags.String("seeds", "777001,777002,777003", "seeds, separated by commas")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	var seeds []uint64
	for _, s := range strings.Split(*text, ",") {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			fmt.Fprintf(stderr, "checkstats: seed %q is not a number\n", s)
			return 2
		}
		seeds = append(seeds, n)
	}
	if least := 5 * len(simulated.Noises); *tunes < least || flags.NArg() > 0 {
		fmt.Fprintf(stderr, "checkstats: expected no arguments and at least %d tunes\n", least)
		return 2
	}
	failures := simulated.Report(stdout, seeds, *tunes)
	for _, f := range failures {
		fmt.Fprintln(stderr, "checkstats:", f)
	}
	if len(failures) > 0 {
		return 1
	}
	return 0
}
