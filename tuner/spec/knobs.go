package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/krisptune/krisptune/configs"
)

// checkSettings holds the spec's variables against the selected knob table. A driver ignores
// an unknown name or flag silently, so a typing mistake would be timed as if it were a setting.
func (s *Spec) checkSettings(opts Options) (warnings []string, err error) {
	driver := configs.Drivers()[s.Driver.Profile]
	for _, set := range s.Driver.Settings {
		v, listed, err := s.knob(driver, set.Name, set.At, opts)
		if err != nil {
			return nil, err
		}
		if !listed {
			continue
		}
		if v.Kind == configs.Presence && set.Kind != Presence {
			return nil, set.At.Errorf(`{ kind = "presence" }`, "the driver reads only whether %s is set: every value means the same", set.Name)
		}
		for i, text := range set.Values {
			if err := checkKnobValue(v, text, set.values[i]); err != nil {
				return nil, err
			}
		}
		if v.Patched {
			warnings = append(warnings, fmt.Sprintf("%s is read by patched drivers only; a stock driver ignores it silently", set.Name))
		}
	}
	names := make([]string, 0, len(s.BaselineSettings))
	for name := range s.BaselineSettings {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		v, listed, err := s.knob(driver, name, s.settingsAt[name], opts)
		if err != nil {
			return nil, err
		}
		if listed {
			if err := checkKnobValue(v, s.BaselineSettings[name], s.settingsAt[name]); err != nil {
				return nil, err
			}
		}
	}
	return warnings, nil
}

// knob returns the table's entry for a variable. What the user allowed by name is taken as it
// is and reported as not listed.
func (s *Spec) knob(driver configs.Driver, name string, at Position, opts Options) (v configs.Variable, listed bool, err error) {
	v, listed = driver.Variable(name)
	switch {
	case listed && v.Kind == configs.Path:
		return v, listed, at.Errorf("a variable that is no path", "%s names a path; a spec never sets paths", name)
	case listed && !v.Safe && !opts.Unsafe:
		return v, listed, at.Errorf("--unsafe", "%s is known to hang the device", name)
	case slices.Contains(opts.AllowSettings, name):
		return v, false, nil
	case listed:
		return v, true, nil
	case driver.Name == "":
		return v, false, at.Errorf("profile in [driver], or --allow-setting "+name, "no knob table is selected for %s", name)
	}
	return v, false, at.Errorf("a variable of the table, or --allow-setting "+name, "profile %s has no variable %s%s",
		driver.Name, name, suggest(name, driver.Names()))
}

func checkKnobValue(v configs.Variable, text string, at Position) error {
	switch v.Kind {
	case configs.Flags:
		for _, flag := range strings.Split(text, ",") {
			if flag != "" && len(v.Values) > 0 && !slices.Contains(v.Values, flag) {
				return at.Errorf(oneOf(v.Values), "%s has no flag %s%s", v.Name, quote(flag), suggest(flag, v.Values))
			}
		}
	case configs.Enum:
		if !slices.Contains(v.Values, text) {
			return at.Errorf(oneOf(v.Values), "%s has no value %s%s", v.Name, quote(text), suggest(text, v.Values))
		}
	case configs.Int, configs.Mask:
		if _, err := strconv.ParseUint(text, 0, 64); err != nil {
			return at.Errorf("an integer from 0", "%s = %s", v.Name, quote(text))
		}
	case configs.Bool:
		if !slices.Contains([]string{"0", "1", "false", "true"}, text) {
			return at.Errorf(`"0", "1", "false" or "true"`, "%s = %s", v.Name, quote(text))
		}
	}
	return nil
}
