package device

import (
	"slices"
	"strconv"
	"strings"
)

// Select returns the device that want names: an index, a UUID, a driver's name or a part of a
// device's name, without regard to case. Empty takes the first of the best type: discrete, then
// integrated, then virtual, CPU last.
func Select(found []Found, want string) (Found, error) {
	if len(found) == 0 {
		return Found{}, ErrNone
	}
	if want == "" {
		return slices.MinFunc(found, func(a, b Found) int { return rank(a.Type) - rank(b.Type) }), nil
	}
	if i, err := strconv.Atoi(want); err == nil {
		if i >= 0 && i < len(found) {
			return found[i], nil
		}
		return Found{}, &SelectError{Want: want, All: found}
	}
	lower := strings.ToLower(want)
	rules := []func(Found) bool{
		func(f Found) bool { return strings.EqualFold(f.UUID, want) },
		func(f Found) bool { return strings.EqualFold(f.Name, want) },
		func(f Found) bool { return strings.EqualFold(f.DriverName, want) },
		func(f Found) bool {
			return strings.Contains(strings.ToLower(f.Name), lower) || strings.Contains(strings.ToLower(f.DriverName), lower)
		},
	}
	for _, rule := range rules {
		var matches []Found
		for _, f := range found {
			if rule(f) {
				matches = append(matches, f)
			}
		}
		switch len(matches) {
		case 0:
		case 1:
			return matches[0], nil
		default:
			return Found{}, &SelectError{Want: want, Matches: matches, All: found}
		}
	}
	return Found{}, &SelectError{Want: want, All: found}
}

func rank(kind string) int {
	if i := slices.Index([]string{"discrete", "integrated", "virtual", "other", "cpu"}, kind); i >= 0 {
		return i
	}
	return 3
}
