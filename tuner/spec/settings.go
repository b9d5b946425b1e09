package spec

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/krisptune/krisptune/configs"
)

func (s *Spec) readDriver(n node) error {
	if n.absent() {
		return nil
	}
	keys, err := n.table("[driver] with profile and settings", []string{"profile", "settings"}, nil)
	if err != nil {
		return err
	}
	if v, ok := keys["profile"]; ok {
		profiles := slices.Sorted(maps.Keys(configs.Drivers()))
		if s.Driver.Profile, err = v.text(oneOf(profiles)); err != nil {
			return err
		}
		if _, ok := configs.Drivers()[s.Driver.Profile]; !ok {
			return v.at().Errorf(oneOf(profiles), "unknown driver profile %s%s", quote(s.Driver.Profile),
				suggest(s.Driver.Profile, profiles))
		}
	}
	v, ok := keys["settings"]
	if !ok {
		return nil
	}
	entries, err := v.entries("[driver.settings] with the values of each variable")
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, e := range entries {
		setting, err := e.setting()
		if err != nil {
			return err
		}
		if seen[setting.Name] {
			return setting.At.Errorf("each variable once", "%s sets %s again", e.label, setting.Name)
		}
		seen[setting.Name] = true
		s.Driver.Settings = append(s.Driver.Settings, setting)
	}
	return nil
}

const settingForms = `a list of strings, or a table with kind = "flags", "mask" or "presence"`

func (n node) setting() (Setting, error) {
	s := Setting{Name: n.name, At: n.keyAt()}
	var err error
	switch n.value.(type) {
	case []any:
		s.Kind = Enumeration
		s.Values, s.values, err = n.texts()
	case map[string]any:
		err = n.settingTable(&s)
	default:
		err = n.mistyped(settingForms)
	}
	if err != nil {
		return Setting{}, err
	}
	return s, checkSettingName(s.Name, s.At)
}

func (n node) settingTable(s *Setting) error {
	m := n.value.(map[string]any)
	kind, ok := m["kind"]
	if !ok {
		return n.at().Errorf(settingForms, "%s has no kind", n.label)
	}
	text, _ := kind.(string)
	s.Kind = SettingKind(text)
	keys := map[SettingKind][]string{Flags: {"kind", "values"}, Mask: {"kind", "bits", "stock", "name"}, Presence: {"kind"}}[s.Kind]
	if keys == nil {
		k := n.child("kind", kind)
		if text == "" {
			return k.mistyped("flags, mask or presence")
		}
		return k.at().Errorf("flags, mask or presence", "%s is %s", k.label, quote(text))
	}
	parts, err := n.table(settingForms, keys, nil)
	if err != nil {
		return err
	}
	required := func(key, expected string) (node, error) {
		v, ok := parts[key]
		if !ok {
			return node{}, n.at().Errorf(expected, "%s has no %s", n.label, key)
		}
		return v, nil
	}
	switch s.Kind {
	case Flags:
		v, err := required("values", "values, a list of flags")
		if err != nil {
			return err
		}
		if s.Values, s.values, err = v.texts(); err != nil {
			return err
		}
		for i, f := range s.Values {
			if f == "" || strings.ContainsAny(f, ", ") {
				return s.values[i].Errorf("one flag without commas or blanks", "%s[%d] is %s", v.label, i, quote(f))
			}
		}
	case Mask:
		v, err := required("bits", "bits, the mask's width")
		if err != nil {
			return err
		}
		bits, err := v.integer("a width from 1 to 63 bits", 1, 63)
		if err != nil {
			return err
		}
		s.Bits = int(bits)
		if v, err = required("stock", "stock, the driver's own mask"); err != nil {
			return err
		}
		widest := int64(math.MaxInt64) >> (63 - bits)
		stock, err := v.integer(fmt.Sprintf("a mask from 0 to 0x%x", widest), 0, widest)
		if err != nil {
			return err
		}
		s.Stock = uint64(stock)
		if v, ok := parts["name"]; ok {
			if s.Name, err = v.text("a variable's name"); err != nil {
				return err
			}
			s.At = v.at()
		}
	}
	return nil
}

// texts reads a list of different strings that may stand in an environment.
func (n node) texts() ([]string, []Position, error) {
	values, err := n.domain()
	if err != nil {
		return nil, nil, err
	}
	var texts []string
	var at []Position
	for _, v := range values {
		text, ok := v.value.(string)
		if !ok {
			return nil, nil, v.at.Errorf("strings, as an environment holds them", "%s holds %s", n.label, form(v.value))
		}
		if err := checkSettingValue(text, v.at); err != nil {
			return nil, nil, err
		}
		texts, at = append(texts, text), append(at, v.at)
	}
	return texts, at, nil
}

func (s *Spec) readBaselineSettings(n node) error {
	entries, err := n.entries("[baseline.settings] with the value of each variable")
	if err != nil {
		return err
	}
	s.BaselineSettings, s.settingsAt = map[string]string{}, map[string]Position{}
	for _, e := range entries {
		text, err := e.text("a string, as an environment holds it")
		if err != nil {
			return err
		}
		if err := checkSettingName(e.name, e.keyAt()); err != nil {
			return err
		}
		if err := checkSettingValue(text, e.at()); err != nil {
			return err
		}
		s.BaselineSettings[e.name], s.settingsAt[e.name] = text, e.keyAt()
	}
	return nil
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)

// checkSettingName refuses names that a stranger's spec must not set whatever the user allows:
// they choose which code is loaded.
func checkSettingName(name string, at Position) error {
	if !variableName.MatchString(name) {
		return at.Errorf("a name of letters, digits and _", "%s is no environment variable", quote(name))
	}
	for _, prefix := range []string{"LD_", "VK_", "GO"} {
		if strings.HasPrefix(name, prefix) {
			return at.Errorf("a driver's own variable", "%s is never set from a spec (%s*)", name, prefix)
		}
	}
	if name == "PATH" || name == "HOME" {
		return at.Errorf("a driver's own variable", "%s is never set from a spec", name)
	}
	return nil
}

// checkSettingValue refuses values that name files, and bytes that no environment should hold.
func checkSettingValue(value string, at Position) error {
	if strings.ContainsAny(value, `/\`) || strings.HasPrefix(value, "~") || value == "." || value == ".." {
		return at.Errorf("a value that is no path", "%s looks like a path; a spec never sets paths", quote(value))
	}
	if printable(value) != value {
		return at.Errorf("printable text", "%s holds control characters", quote(value))
	}
	if len(value) > 1024 {
		return at.Errorf("at most 1024 bytes", "the value has %d bytes", len(value))
	}
	return nil
}
