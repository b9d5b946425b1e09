package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Migrations run in name order, each once, and only forward; the file's user_version counts
// those that it has had. One that was released is never edited.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID marks a SQLite file as ours: "KTun".
const applicationID = 0x4b54756e

// A DamagedError is a file that is no result file any more, or never was one.
type DamagedError struct{ Path, Detail string }

func (e *DamagedError) Error() string {
	return fmt.Sprintf("result file %s is damaged or no SQLite file (%s); it was left as it is: move it away, or name another with --db", e.Path, e.Detail)
}

// A NewerError is a file that a newer program has written.
type NewerError struct {
	Path              string
	Version, Supports int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("result file %s has format %d, this program knows formats up to %d: use a newer krisptune, or name another file with --db", e.Path, e.Version, e.Supports)
}

// A ForeignError is a SQLite file that another program has written.
type ForeignError struct{ Path string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s is a SQLite file of another program, expected a result file of krisptune", e.Path)
}

func migrations() ([]string, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(names))
	for i, name := range names {
		b, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		texts[i] = string(b)
	}
	return texts, nil
}

// inspect looks at an existing file through a read-only connection, so that a file which is
// refused is not changed, not even by a checkpoint.
func inspect(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("result file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("result file %s is a %s, expected a regular file", path, info.Mode().Type())
	}
	db, err := sql.Open("sqlite", dsn(path, "ro"))
	if err != nil {
		return fmt.Errorf("result file %s: %w", path, err)
	}
	defer db.Close()
	s := &Store{path: path, db: db}
	var id, version, tables int
	err = retry(context.Background(), func() error {
		// One snapshot: another process may be making the file at this moment.
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		defer tx.Rollback()
		return errors.Join(
			tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables),
			tx.QueryRow("PRAGMA application_id").Scan(&id),
			tx.QueryRow("PRAGMA user_version").Scan(&version))
	})
	if err != nil {
		return s.explain(err)
	}
	known, err := migrations()
	if err != nil {
		return err
	}
	switch {
	case id == 0 && version == 0 && tables == 0:
		return nil // made, but nothing written yet
	case id != applicationID:
		return &ForeignError{Path: path}
	case version > len(known):
		return &NewerError{Path: path, Version: version, Supports: len(known)}
	}
	var check string
	err = retry(context.Background(), func() error { return db.QueryRow("PRAGMA quick_check(1)").Scan(&check) })
	if err != nil {
		return s.explain(err)
	}
	if check != "ok" {
		return &DamagedError{Path: path, Detail: check}
	}
	return nil
}

func (s *Store) migrate(ctx context.Context) error {
	texts, err := migrations()
	if err != nil {
		return err
	}
	return retry(ctx, func() error {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		var version int
		if err := tx.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
			return err
		}
		if version == len(texts) {
			return nil
		}
		for i := version; i < len(texts); i++ {
			if _, err := tx.Exec(texts[i]); err != nil {
				return fmt.Errorf("migration %d: %w", i+1, err)
			}
		}
		if _, err := tx.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(texts))); err != nil {
			return err
		}
		return tx.Commit()
	})
}
