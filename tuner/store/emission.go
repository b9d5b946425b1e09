package store

import (
	"context"
	"database/sql"
	"time"
)

// An Emission is one file that a run wrote.
type Emission struct {
	Format  string
	Path    string
	SHA256  string // hexadecimal, of the file's bytes
	Emitted time.Time
}

// AppendEmission notes a file that a run wrote; its time is set here.
func (s *Store) AppendEmission(ctx context.Context, run int64, e Emission) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO emissions (run, format, path, sha256, emitted) VALUES (?, ?, ?, ?, ?)`,
			run, e.Format, e.Path, e.SHA256, now())
		return err
	})
}

// Emissions returns the files that a run wrote, in order.
func (s *Store) Emissions(ctx context.Context, run int64) ([]Emission, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT format, path, sha256, emitted FROM emissions WHERE run = ? ORDER BY id`, run)
	if err != nil {
		return nil, s.explain(err)
	}
	all, err := collect(rows, func() (e Emission, err error) {
		var emitted string
		if err = rows.Scan(&e.Format, &e.Path, &e.SHA256, &emitted); err != nil {
			return e, err
		}
		return e, parseTime(emitted, &e.Emitted)
	})
	return all, s.explain(err)
}
