package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// writable says what would keep a folder from being made or written: better known before hours
// of tuning than after. It makes nothing.
func writable(dir string) error {
	path, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			path = filepath.Dir(path)
			continue
		case err != nil:
			return err
		case !info.IsDir():
			return fmt.Errorf("%s is a file, expected a folder", path)
		}
		if err := unix.Access(path, unix.W_OK|unix.X_OK); err != nil {
			return fmt.Errorf("%s cannot be written: %w", path, err)
		}
		return nil
	}
}
