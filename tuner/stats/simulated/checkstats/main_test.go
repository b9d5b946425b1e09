package main

import (
	"strings"
	"testing"
)

func TestRunRefuses(t *testing.T) {
	for _, args := range [][]string{{"-seeds", "x"}, {"-tunes", "3"}, {"extra"}, {"-unknown"}} {
		var out, errs strings.Builder
		if code := run(args, &out, &errs); code != 2 || errs.Len() == 0 || out.Len() > 0 {
			t.Errorf("%v: exit %d, %q", args, code, errs.String())
		}
	}
}
