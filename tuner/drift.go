package tuner

import (
	"fmt"

	"github.com/krisptune/krisptune/tuner/stats"
)

// A driftLog counts the batch races in which the baseline's time changed. Their ratios within
// rounds survive that, so they are not run again; a user is told once, at the end.
type driftLog struct {
	races, drifted int
	worst          stats.Drift
}

func (l *driftLog) add(race *stats.Race) {
	l.races++
	d := race.Drift()
	if d == nil {
		return
	}
	l.drifted++
	if l.drifted == 1 || abs(d.Change) > abs(l.worst.Change) {
		l.worst = *d
	}
}

// warning is empty if nothing drifted.
func (l *driftLog) warning() string {
	if l.drifted == 0 {
		return ""
	}
	return fmt.Sprintf("the device drifted in %d of %d batch races; at most, %s", l.drifted, l.races, l.worst)
}

func abs(x float64) float64 { return max(x, -x) }
