package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
)

// A Race is one race of a run.
type Race struct {
	ID       int64
	Kind     stats.Kind
	Seed     uint64 // of the order within rounds
	Entrants []Entrant
	// EndRace sets the rest.
	Rounds   int
	Declared bool
	Warnings []string
	Started  time.Time
	Ended    time.Time // zero if the race did not end
}

// An Entrant is one label of a race; samples know it by its index.
type Entrant struct {
	Role   stats.Role
	Arm    int64
	Config plugins.Config
}

// A Sample is one entrant's time on one of the run's problems in one round.
type Sample struct {
	Round   int
	Entrant int // index into Race.Entrants
	Problem int // index into Run.Problems
	// Nanoseconds of one launch, averaged over Repeats launches; a sample whose verdict is not
	// ok has none.
	Nanoseconds float64
	Repeats     int
	Clock       plugins.Clock
	Mode        plugins.Mode
	Gap         plugins.Gap
	Verdict     plugins.Verdict
}

// BeginRace writes a race and its entrants before the first round and returns the race's id.
func (s *Store) BeginRace(ctx context.Context, run int64, r Race) (int64, error) {
	var id int64
	err := s.write(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRow(`INSERT INTO races (run, kind, seed, started) VALUES (?, ?, ?, ?) RETURNING id`,
			run, r.Kind, int64(r.Seed), now()).Scan(&id)
		if err != nil {
			return err
		}
		for i, e := range r.Entrants {
			config, err := encodeValues(e.Config)
			if err != nil {
				return fmt.Errorf("entrant %d: %w", i, err)
			}
			if _, err := tx.Exec(`INSERT INTO entrants (race, number, role, arm, config, config_json) VALUES (?, ?, ?, ?, ?, ?)`,
				id, i, e.Role, e.Arm, e.Config.String(), config); err != nil {
				return err
			}
		}
		return nil
	})
	return id, err
}

// AppendSamples adds samples to a race in the order taken, in one transaction: a round or a
// whole batch at a time.
func (s *Store) AppendSamples(ctx context.Context, race int64, samples ...Sample) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		var first int
		if err := tx.QueryRow(`SELECT coalesce(max(number) + 1, 0) FROM samples WHERE race = ?`, race).Scan(&first); err != nil {
			return err
		}
		insert, err := tx.Prepare(`INSERT INTO samples (race, number, round, entrant, problem, ns, repeats, clock, mode, gap, verdict)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
		if err != nil {
			return err
		}
		defer insert.Close()
		for i, p := range samples {
			ns := finite(p.Nanoseconds)
			ns.Valid = ns.Valid && p.Verdict == plugins.OK
			if _, err := insert.Exec(race, first+i, p.Round, p.Entrant, p.Problem, ns, p.Repeats, p.Clock, p.Mode, p.Gap, p.Verdict); err != nil {
				return err
			}
		}
		return nil
	})
}

// EndRace writes what a race came to.
func (s *Store) EndRace(ctx context.Context, race int64, rounds int, declared bool, warnings []string) error {
	if warnings == nil {
		warnings = []string{}
	}
	text, err := encode(warnings)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE races SET rounds = ?, declared = ?, warnings_json = ?, ended = ? WHERE id = ?`,
			rounds, declared, text, now(), race)
		return err
	})
}

// Races returns a run's races in the order in which they began.
func (s *Store) Races(ctx context.Context, run int64) ([]Race, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, kind, seed, rounds, declared, warnings_json, started, ended
		FROM races WHERE run = ? ORDER BY id`, run)
	if err != nil {
		return nil, s.explain(err)
	}
	races, err := collect(rows, func() (r Race, err error) {
		var seed int64
		var warnings, started string
		var ended sql.NullString
		if err = rows.Scan(&r.ID, &r.Kind, &seed, &r.Rounds, &r.Declared, &warnings, &started, &ended); err != nil {
			return r, err
		}
		r.Seed = uint64(seed)
		return r, errors.Join(decode(warnings, &r.Warnings), parseTime(started, &r.Started), parseTime(ended.String, &r.Ended))
	})
	for i := range races {
		if err == nil {
			races[i].Entrants, err = s.entrants(ctx, races[i].ID)
		}
	}
	if err != nil {
		return nil, s.explain(fmt.Errorf("races of run %d: %w", run, err))
	}
	return races, nil
}

func (s *Store) entrants(ctx context.Context, race int64) ([]Entrant, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT role, arm, config_json FROM entrants WHERE race = ? ORDER BY number`, race)
	if err != nil {
		return nil, err
	}
	return collect(rows, func() (e Entrant, err error) {
		var config string
		if err = rows.Scan(&e.Role, &e.Arm, &config); err != nil {
			return e, err
		}
		e.Config, err = decodeValues(config)
		return e, err
	})
}

// Samples returns a race's samples in the order taken.
func (s *Store) Samples(ctx context.Context, race int64) ([]Sample, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT round, entrant, problem, ns, repeats, clock, mode, gap, verdict
		FROM samples WHERE race = ? ORDER BY number`, race)
	if err != nil {
		return nil, s.explain(err)
	}
	all, err := collect(rows, func() (p Sample, err error) {
		var ns sql.NullFloat64
		err = rows.Scan(&p.Round, &p.Entrant, &p.Problem, &ns, &p.Repeats, &p.Clock, &p.Mode, &p.Gap, &p.Verdict)
		p.Nanoseconds = ns.Float64
		return p, err
	})
	return all, s.explain(err)
}
