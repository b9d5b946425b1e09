package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
)

// AppendDeath notes that a configuration took its process with it, before it is tried again:
// whatever becomes of this process then, the next knows.
func (s *Store) AppendDeath(ctx context.Context, run int64, key VerdictKey, v plugins.Verdict, e plugins.Evidence) error {
	evidence, err := encode(e)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO deaths (`+keyColumns+`, verdict, evidence_json, run, died)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, append(key.columns(), v, evidence, run, now())...)
		return err
	})
}

// Deaths counts the processes that a configuration took with it, in the given run or in any if
// run is 0, and returns the last death's verdict and evidence.
func (s *Store) Deaths(ctx context.Context, run int64, key VerdictKey) (n int, v plugins.Verdict, e plugins.Evidence, err error) {
	var evidence string
	err = s.db.QueryRowContext(ctx, `SELECT count(*) OVER (), verdict, evidence_json FROM deaths
		WHERE `+keyIs+` AND (run = ? OR ? = 0) ORDER BY id DESC LIMIT 1`, append(key.columns(), run, run)...).Scan(&n, &v, &evidence)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", plugins.Evidence{}, nil
	}
	if err == nil {
		_, err = plugins.ParseVerdict(string(v))
	}
	if err == nil {
		err = decode(evidence, &e)
	}
	if err != nil {
		return 0, "", plugins.Evidence{}, s.explain(fmt.Errorf("deaths of %s: %w", key.Config, err))
	}
	return n, v, e, nil
}
