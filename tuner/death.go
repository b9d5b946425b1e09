package tuner

import (
	"errors"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
)

// deathOf returns the death of a process that err tells, if it tells one.
func deathOf(err error) (*host.DeathError, bool) {
	var death *host.DeathError
	ok := errors.As(err, &death)
	return death, ok
}

// died reports whether an error is a process's death.
func died(err error) bool {
	_, ok := deathOf(err)
	return ok
}

// deathVerdict is what a candidate is told whose process died. A death that we caused is a
// deadline that passed, never a crash.
func deathVerdict(err error) (plugins.Verdict, plugins.Evidence) {
	death, ok := deathOf(err)
	if !ok {
		return plugins.Crash, plugins.Evidence{Message: err.Error()}
	}
	verdict := death.Verdict
	if death.ByUs {
		verdict = plugins.Timeout
	}
	return verdict, plugins.Evidence{Message: death.Error(), Log: death.Stderr}
}
