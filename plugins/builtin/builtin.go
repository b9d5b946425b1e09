// Package builtin names the families that this program serves itself. Only main imports it: the
// core finds every family, ours too, as a process.
package builtin

import (
	"maps"
	"slices"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/matmul"
)

var families = map[string]plugins.Family{
	"matmul": matmul.Family{},
}

// Names lists the families in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(families)) }

// Family returns the family of that name.
func Family(name string) (plugins.Family, bool) {
	f, ok := families[name]
	return f, ok
}
