package configs

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// A Driver is a knob table: the environment variables that one Vulkan driver reads.
type Driver struct {
	Name string `toml:"-"`
	Doc  string `toml:"doc"`
	// DriverID is the driver's VkDriverId. Device names are no way to recognise a driver.
	DriverID uint32 `toml:"driver_id"`
	// Inherits names a further table whose variables this driver reads too.
	Inherits string `toml:"inherits"`
	// Variables are this driver's and, after Drivers has merged them, those inherited.
	Variables []Variable `toml:"variable"`
}

// A Variable is one knob.
type Variable struct {
	Name string `toml:"name"`
	// Aliases are the names under which patched builds read the same knob.
	Aliases []string `toml:"aliases"`
	Kind    Kind     `toml:"kind"`
	// Values are the flags of Flags and the values of Enum; empty where the list is open.
	Values  []string `toml:"values"`
	Meaning string   `toml:"meaning"`
	Read    Read     `toml:"read"`
	// ChangesCompilation means that the same SPIR-V may give other machine code. Where the
	// driver's cache key forgets the variable, a shared cache returns stale code.
	ChangesCompilation bool `toml:"changes_compilation"`
	// Safe means that no value is known to hang the device or its desktop. A safe variable may
	// still make results wrong: that is the guard's to find.
	Safe bool `toml:"safe"`
	// Since is the first version known to read the variable, or the version in which it was
	// seen; empty where nobody noted it.
	Since string `toml:"since"`
	// Patched means that only patched builds read it: stock drivers ignore it silently.
	Patched bool `toml:"patched"`
}

// A Kind is the form of a variable's values.
type Kind string

const (
	Flags    Kind = "flags"    // comma-separated names
	Enum     Kind = "enum"     // one of Values
	Int      Kind = "int"      // an integer
	Bool     Kind = "bool"     // true or false, 1 or 0
	Presence Kind = "presence" // set to anything, or unset
	Mask     Kind = "mask"     // bits, as an integer
	Path     Kind = "path"     // a file or folder: the core sets it, a spec never does
	Text     Kind = "text"     // anything else
)

var kinds = []Kind{Flags, Enum, Int, Bool, Presence, Mask, Path, Text}

// Read says when a driver looks at a variable. Only a fresh process is sure to see a change.
type Read string

const (
	AtProcess        Read = "process"         // once per process: at load or at first use
	AtInstance       Read = "instance"        // vkCreateInstance
	AtPhysicalDevice Read = "physical-device" // when physical devices are made
	AtDevice         Read = "device"          // each vkCreateDevice
	Unknown          Read = "unknown"
)

var reads = []Read{AtProcess, AtInstance, AtPhysicalDevice, AtDevice, Unknown}

// drivers reads the tables once. A fault in them is a fault of the build, which the package's
// test finds.
var drivers = sync.OnceValue(func() map[string]Driver {
	tables := map[string]Driver{}
	for _, name := range names("drivers") {
		data, err := files.ReadFile("drivers/" + name + ".toml")
		if err == nil {
			tables[name], err = parseDriver(name, string(data))
		}
		if err != nil {
			panic(fmt.Sprintf("configs/drivers/%s.toml: %v", name, err))
		}
	}
	out := map[string]Driver{}
	for name, d := range tables {
		if d.DriverID == 0 { // a table that others inherit
			continue
		}
		if d.Inherits != "" {
			parent, ok := tables[d.Inherits]
			if !ok {
				panic(fmt.Sprintf("configs/drivers/%s.toml: inherits unknown table %q", name, d.Inherits))
			}
			d.Variables = append(slices.Clone(d.Variables), parent.Variables...)
		}
		out[name] = d
	}
	return out
})

// Drivers returns every driver's knob table by profile name, inherited variables included.
func Drivers() map[string]Driver { return maps.Clone(drivers()) }

// KnobNames lists every variable and alias of every table, sorted: what an arm's environment
// removes from the host's, so that a user's shell cannot colour the stock arm.
func KnobNames() []string {
	seen := map[string]bool{}
	for _, d := range drivers() {
		for _, v := range d.Variables {
			seen[v.Name] = true
			for _, a := range v.Aliases {
				seen[a] = true
			}
		}
	}
	out := slices.Collect(maps.Keys(seen))
	sort.Strings(out)
	return out
}

// Variable returns the knob that name or one of its aliases names.
func (d Driver) Variable(name string) (Variable, bool) {
	for _, v := range d.Variables {
		if v.Name == name || slices.Contains(v.Aliases, name) {
			return v, true
		}
	}
	return Variable{}, false
}

// Names lists the driver's variables and aliases in table order.
func (d Driver) Names() []string {
	var out []string
	for _, v := range d.Variables {
		out = append(append(out, v.Name), v.Aliases...)
	}
	return out
}

func parseDriver(name, text string) (Driver, error) {
	d := Driver{Name: name}
	meta, err := toml.Decode(text, &d)
	if err != nil {
		return Driver{}, err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return Driver{}, fmt.Errorf("unknown key %s", unknown[0])
	}
	if d.Doc == "" {
		return Driver{}, errors.New("doc is missing")
	}
	seen := map[string]bool{}
	for i, v := range d.Variables {
		if err := v.check(); err != nil {
			return Driver{}, fmt.Errorf("variable %d (%s): %w", i+1, v.Name, err)
		}
		for _, n := range append([]string{v.Name}, v.Aliases...) {
			if seen[n] {
				return Driver{}, fmt.Errorf("variable %s is listed twice", n)
			}
			seen[n] = true
		}
	}
	return d, nil
}

func (v Variable) check() error {
	switch {
	case v.Name == "" || strings.ContainsAny(v.Name, "= \t\n"):
		return errors.New("bad name")
	case v.Meaning == "":
		return errors.New("meaning is missing")
	case !slices.Contains(kinds, v.Kind):
		return fmt.Errorf("unknown kind %q", v.Kind)
	case !slices.Contains(reads, v.Read):
		return fmt.Errorf("unknown read %q", v.Read)
	case v.Kind == Enum && len(v.Values) == 0:
		return errors.New("an enum lists its values")
	case len(v.Values) > 0 && v.Kind != Enum && v.Kind != Flags:
		return fmt.Errorf("kind %s takes no values", v.Kind)
	}
	return nil
}
