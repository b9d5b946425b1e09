package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
)

// An Arm is one complete driver environment of a run.
type Arm struct {
	ID int64
	// Settings are the driver settings that the arm adds; none is the stock arm.
	Settings map[string]string
	// Environment is what the runner was started with, Removed the variables that were taken
	// out of the host's; both are NAME=VALUE.
	Environment, Removed []string
	// Opened is what the arm's runner said of its device and clocks. Its Warnings are the
	// session's to show and are not kept.
	Opened plugins.Opened
}

// SettingsText is the canonical spelling of driver settings: JSON, its names in order.
func SettingsText(settings map[string]string) string {
	if settings == nil {
		return "{}"
	}
	text, err := encode(settings)
	if err != nil {
		panic(err) // strings always encode
	}
	return text
}

// PutArm adds an arm to a run and returns its id. When a resumed run opens an arm again, it is
// the arm that was there, with what the new process said.
func (s *Store) PutArm(ctx context.Context, run int64, a Arm) (int64, error) {
	if a.Environment == nil {
		a.Environment = []string{}
	}
	if a.Removed == nil {
		a.Removed = []string{}
	}
	environment, err1 := encode(a.Environment)
	removed, err2 := encode(a.Removed)
	if err := errors.Join(err1, err2); err != nil {
		return 0, err
	}
	var id int64
	err := s.write(ctx, func(tx *sql.Tx) error {
		device, err := putDevice(tx, a.Opened.Device)
		if err != nil {
			return err
		}
		return tx.QueryRow(`INSERT INTO arms (run, settings_json, environment_json, removed_json, device, clock, clock_reason, overhead_ns, cache_bytes)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, settings_json) DO UPDATE SET
			environment_json = excluded.environment_json, removed_json = excluded.removed_json, device = excluded.device,
			clock = excluded.clock, clock_reason = excluded.clock_reason, overhead_ns = excluded.overhead_ns,
			cache_bytes = excluded.cache_bytes RETURNING id`,
			run, SettingsText(a.Settings), environment, removed, device,
			a.Opened.Clock, a.Opened.ClockReason, float64(a.Opened.Overhead), a.Opened.CacheBytes).Scan(&id)
	})
	return id, err
}

// Arms returns a run's arms in the order in which they were added.
func (s *Store) Arms(ctx context.Context, run int64) ([]Arm, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT a.id, a.settings_json, a.environment_json, a.removed_json, d.device_json,
		a.clock, a.clock_reason, a.overhead_ns, a.cache_bytes FROM arms a JOIN devices d ON d.id = a.device WHERE a.run = ? ORDER BY a.id`, run)
	if err != nil {
		return nil, s.explain(err)
	}
	arms, err := collect(rows, func() (a Arm, err error) {
		var settings, environment, removed, device string
		var overhead float64
		err = rows.Scan(&a.ID, &settings, &environment, &removed, &device, &a.Opened.Clock, &a.Opened.ClockReason, &overhead, &a.Opened.CacheBytes)
		if err != nil {
			return a, err
		}
		a.Opened.Overhead = nanoseconds(overhead)
		return a, errors.Join(decode(settings, &a.Settings), decode(environment, &a.Environment),
			decode(removed, &a.Removed), decode(device, &a.Opened.Device))
	})
	if err != nil {
		return nil, s.explain(fmt.Errorf("arms of run %d: %w", run, err))
	}
	return arms, nil
}
