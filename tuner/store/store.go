// Package store keeps results in one SQLite file, so that nothing reported is ever lost.
//
// Every append is one transaction, on the disk (WAL, synchronous=FULL) when the call returns.
// Several tuners may share a file. A file that is damaged, newer than the program or another
// program's is refused and left as it is.
//
// Tables and columns carry the words of the design, as Go and TOML do: migrations/ has them.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A Store is an open result file. Its methods may be called from several goroutines.
type Store struct {
	path  string
	db    *sql.DB
	locks *runLocks
	// writing keeps this process's writers in line, where SQLite would have them poll.
	writing sync.Mutex
}

// DefaultPath is krisptune/results.db in the user's state folder: $XDG_STATE_HOME, else
// ~/.local/state.
func DefaultPath() (string, error) {
	state := os.Getenv("XDG_STATE_HOME")
	// The specification has relative paths ignored.
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("no state folder for results: set XDG_STATE_HOME or name a file with --db: %w", err)
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "krisptune", "results.db"), nil
}

// Open opens the result file at path, or at DefaultPath if path is empty; a file that is not
// there, and its folder, are made. The errors *DamagedError, *NewerError and *ForeignError mean
// that the file was refused.
func Open(path string) (*Store, error) {
	if path == "" {
		p, err := DefaultPath()
		if err != nil {
			return nil, err
		}
		path = p
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("folder of the result file: %w", err)
	}
	if err := inspect(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path, "rwc")+
		"&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=foreign_keys(1)&_txlock=immediate")
	if err != nil {
		return nil, fmt.Errorf("result file %s: %w", path, err)
	}
	db.SetMaxOpenConns(4)
	s := &Store{path: path, db: db}
	if err := s.migrate(context.Background()); err != nil {
		db.Close()
		return nil, s.explain(err)
	}
	if s.locks, err = openRunLocks(path + ".lock"); err != nil {
		db.Close()
		return nil, fmt.Errorf("result file %s: %w", path, err)
	}
	return s, nil
}

// Path is the file's absolute path.
func (s *Store) Path() string { return s.path }

// Close closes the file. Runs that this store holds and did not finish count as interrupted.
func (s *Store) Close() error {
	return errors.Join(s.db.Close(), s.locks.close())
}

// dsn names path to the driver. Nothing in the schema of a stranger's file may call functions.
func dsn(path, mode string) string {
	u := url.URL{Scheme: "file", Path: path}
	return u.String() + "?mode=" + mode +
		"&_pragma=busy_timeout(30000)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)"
}

// write runs f in one transaction and makes it durable. Where another process holds the file
// past the busy timeout, the whole is tried again.
func (s *Store) write(ctx context.Context, f func(*sql.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.explain(retry(ctx, func() error {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := f(tx); err != nil {
			return err
		}
		return tx.Commit()
	}))
}

func retry(ctx context.Context, f func() error) error {
	const attempts = 5
	for i := 1; ; i++ {
		err := f()
		var e *sqlite.Error
		if err == nil || i == attempts || !errors.As(err, &e) {
			return err
		}
		// The low byte is the primary code; extended ones say how it was busy.
		if code := e.Code() & 0xff; code != sqlite3.SQLITE_BUSY && code != sqlite3.SQLITE_LOCKED {
			return err
		}
		pause := time.Duration(1+rand.IntN(20*i)) * time.Millisecond
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// explain names the file in errors, and says what damage means.
func (s *Store) explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return &DamagedError{Path: s.path, Detail: e.Error()}
		case sqlite3.SQLITE_BUSY:
			return fmt.Errorf("result file %s is held by another process for too long: %w", s.path, err)
		}
	}
	return fmt.Errorf("result file %s: %w", s.path, err)
}

func now() string { return stamp(time.Now()) }

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
