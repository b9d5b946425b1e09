package emit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts best.toml and best.json into dir, which it creates, and notes their paths in
// r.Files. Each file is complete under a temporary name before either is renamed: on an error
// the files of an earlier run are as they were. A run in which nothing passed has nothing to
// write and is an error.
func Write(dir string, r *Result) error {
	if r.Outcome == NonePassed {
		return errors.New("nothing passed the guard: there is no best configuration to write")
	}
	formats := []struct {
		name   string
		encode func(Result) ([]byte, error)
	}{{"best.toml", TOML}, {"best.json", JSON}}
	named := *r
	named.Files = nil
	for _, f := range formats {
		named.Files = append(named.Files, filepath.Join(dir, f.name))
	}
	var contents [][]byte
	for _, f := range formats {
		data, err := f.encode(named)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		contents = append(contents, data)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot create the output folder: %w", err)
	}
	if err := replace(named.Files, contents); err != nil {
		return fmt.Errorf("cannot write results: %w", err)
	}
	r.Files = named.Files
	return nil
}

// replace writes every file under a temporary name in its own folder, then renames them all.
func replace(paths []string, contents [][]byte) (err error) {
	var temporary []string
	defer func() {
		if err != nil {
			for _, t := range temporary {
				os.Remove(t)
			}
		}
	}()
	for i, path := range paths {
		// A folder in the way would fail the second rename after the first has happened.
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			return &fs.PathError{Op: "replace", Path: path, Err: errors.New("it is a folder")}
		}
		t, err := writeTemporary(path, contents[i])
		if t != "" {
			temporary = append(temporary, t)
		}
		if err != nil {
			return err
		}
	}
	for i, path := range paths {
		if err := os.Rename(temporary[i], path); err != nil {
			return err
		}
	}
	return syncFolder(filepath.Dir(paths[0]))
}

// writeTemporary writes data beside path and returns the name, even when it fails.
func writeTemporary(path string, data []byte) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	return f.Name(), errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
}

// syncFolder makes renames durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
