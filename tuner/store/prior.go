package store

import (
	"context"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
)

// A Prior is a time from an earlier run: a hint where to search first. It never stands beside
// this run's samples, for the device has had other clocks and another temperature since.
type Prior struct {
	Config   plugins.Config
	Settings map[string]string // the arm's
	// LogRatio is log(baseline time / candidate time), to that run's own baseline.
	LogRatio float64
	Run      int64
	// Elsewhere says that it is another device's.
	Elsewhere bool
}

// Priors returns what earlier runs measured for the same family, problems, mode and gap, whatever the driver's version:
// those on the same device first, and of each the newest run first.
func (s *Store) Priors(ctx context.Context, run int64) ([]Prior, error) {
	rows, err := s.db.QueryContext(ctx, `
		WITH keys AS (
			SELECT r.id, r.family, d.uuid, r.mode, r.gap, (SELECT json_group_array(problem || ' ' || weight)
				FROM (SELECT problem, weight FROM problems p WHERE p.run = r.id ORDER BY number)) AS problems
			FROM runs r JOIN devices d ON d.id = r.device)
		SELECT e.config_json, a.settings_json, e.log_ratio, e.run, other.uuid <> mine.uuid AS elsewhere
		FROM keys mine JOIN keys other ON other.family = mine.family
			AND other.problems = mine.problems AND other.mode = mine.mode AND other.gap = mine.gap AND other.id < mine.id
		JOIN evaluations e ON e.run = other.id JOIN arms a ON a.id = e.arm
		WHERE mine.id = ? AND e.verdict = 'ok' AND e.log_ratio IS NOT NULL
		ORDER BY elsewhere, e.run DESC, e.number`, run)
	if err != nil {
		return nil, s.explain(err)
	}
	all, err := collect(rows, func() (p Prior, err error) {
		var config, settings string
		if err = rows.Scan(&config, &settings, &p.LogRatio, &p.Run, &p.Elsewhere); err != nil {
			return p, err
		}
		if p.Config, err = decodeValues(config); err != nil {
			return p, err
		}
		return p, decode(settings, &p.Settings)
	})
	if err != nil {
		return nil, s.explain(fmt.Errorf("earlier times for run %d: %w", run, err))
	}
	return all, nil
}
