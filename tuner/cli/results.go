package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/tuner/store"
)

// registerDB adds --db.
func registerDB(cmd *cobra.Command, db *string) {
	cmd.Flags().StringVar(db, "db", "", "result database (default: krisptune/results.db in the user's state folder)")
}

// openResults opens a database that must be there: who only looks makes no file.
func openResults(db string) (*store.Store, error) {
	path := db
	if path == "" {
		var err error
		if path, err = store.DefaultPath(); err != nil {
			return nil, usage(err)
		}
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, usage(fmt.Errorf("there is no result database %s: `krisptune tune` makes one, --db names another", path))
	}
	s, err := store.Open(path)
	return s, usage(err)
}

// openRun opens the database and reads the number of a run, which must be there.
func openRun(cmd *cobra.Command, db, text string) (*store.Store, store.Run, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, store.Run{}, usage(fmt.Errorf("run %q, expected a number that `krisptune runs` lists", text))
	}
	s, err := openResults(db)
	if err != nil {
		return nil, store.Run{}, err
	}
	run, err := s.Run(cmd.Context(), id)
	if errors.Is(err, store.ErrNoRun) {
		err = usage(fmt.Errorf("there is no run %d in %s: `krisptune runs` lists them", id, s.Path()))
	}
	if err != nil {
		s.Close()
		return nil, store.Run{}, err
	}
	return s, run, nil
}
