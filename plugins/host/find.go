package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	// executablePrefix and a family's name make the name of a third-party executable.
	executablePrefix = "krisptune-family-"
	// pluginPathName is the variable with absolute folders, separated by colons.
	pluginPathName = "KRISPTUNE_PLUGIN_PATH"
)

// A FamilySource is one place that serves a family.
type FamilySource struct {
	Name string
	// Origin says why it was found: "built in", "--allow-plugin", "$KRISPTUNE_PLUGIN_PATH",
	// "config folder".
	Origin  string
	Command FamilyCommand
	// file is nil for a family of this binary.
	file fs.FileInfo
}

// Families lists every family that can be started, in the order of the search: builtIn, the
// executables in allowed (paths that the user gave), those in $KRISPTUNE_PLUGIN_PATH, those in
// the user's config folder (krisptune/plugins). The current folder is never searched.
//
// The error joins what is wrong with the others: an executable that another user could have
// written, a name that two files serve.
func Families(builtIn, allowed []string) ([]FamilySource, error) {
	s := &search{}
	err := s.everywhere(builtIn, allowed)
	return s.found, err
}

// FindFamily is the one of Families that serves name. What is wrong with other families is no
// error here.
func FindFamily(name string, builtIn, allowed []string) (FamilyCommand, error) {
	s := &search{only: name}
	if err := s.everywhere(builtIn, allowed); err != nil {
		return FamilyCommand{}, err
	}
	if len(s.found) == 0 {
		return FamilyCommand{}, fmt.Errorf("no family %q, expected one of %s, or an executable %s%s in $%s or named by --allow-plugin",
			name, strings.Join(builtIn, ", "), executablePrefix, name, pluginPathName)
	}
	return s.found[0].Command, nil
}

type search struct {
	only  string // if not empty, other names are passed over
	found []FamilySource
}

func (s *search) everywhere(builtIn, allowed []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range builtIn {
		command := FamilyCommand{Path: self, Args: []string{"plugin", name}}
		errs = append(errs, s.add(FamilySource{Name: name, Origin: "built in", Command: command}))
	}
	for _, path := range allowed {
		errs = append(errs, s.addFile(path, "--allow-plugin"))
	}
	for _, folder := range filepath.SplitList(os.Getenv(pluginPathName)) {
		if !filepath.IsAbs(folder) {
			errs = append(errs, fmt.Errorf("$%s names %q, expected absolute folders: the current folder is never searched", pluginPathName, folder))
			continue
		}
		errs = append(errs, s.addFolder(folder, "$"+pluginPathName))
	}
	if config, err := os.UserConfigDir(); err == nil {
		errs = append(errs, s.addFolder(filepath.Join(config, "krisptune", "plugins"), "config folder"))
	}
	return errors.Join(errs...)
}

func (s *search) add(f FamilySource) error {
	if s.only != "" && f.Name != s.only {
		return nil
	}
	for _, other := range s.found {
		if other.Name != f.Name {
			continue
		}
		if other.file != nil && f.file != nil && os.SameFile(other.file, f.file) {
			return nil
		}
		return fmt.Errorf("family %s is served twice, by %s (%s) and by %s (%s): expected one of them",
			f.Name, other.Command.Path, other.Origin, f.Command.Path, f.Origin)
	}
	s.found = append(s.found, f)
	return nil
}

// addFile resolves symbolic links, so that what was looked at is what will be started.
func (s *search) addFile(path, origin string) error {
	name, ok := strings.CutPrefix(filepath.Base(path), executablePrefix)
	if !ok || !familyName.MatchString(name) {
		return fmt.Errorf("%s %s: expected a file named %sNAME", origin, path, executablePrefix)
	}
	if s.only != "" && name != s.only {
		return nil
	}
	real, err := filepath.Abs(path)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", origin, err)
	}
	info, err := checkExecutable(real)
	if err != nil {
		return fmt.Errorf("%s %s: %w", origin, path, err)
	}
	return s.add(FamilySource{Name: name, Origin: origin, Command: FamilyCommand{Path: real}, file: info})
}

func (s *search) addFolder(folder, origin string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", origin, err)
	}
	var errs []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), executablePrefix) && !e.IsDir() {
			errs = append(errs, s.addFile(filepath.Join(folder, e.Name()), origin))
		}
	}
	return errors.Join(errs...)
}

// checkExecutable refuses a file that somebody other than the user and root could have written,
// in its contents or by replacing it in its folder.
func checkExecutable(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is not a regular file (%v)", info.Mode())
	}
	if err := unix.Access(path, unix.X_OK); err != nil {
		return nil, fmt.Errorf("it cannot be executed (mode %v): %w", info.Mode(), err)
	}
	for _, p := range []string{path, filepath.Dir(path)} {
		if err := checkWriters(p); err != nil {
			return nil, err
		}
	}
	return info, nil
}

// checkWriters allows the user's own group: many systems give each user one and a umask of 002.
func checkWriters(path string) error {
	var stat unix.Stat_t
	if err := unix.Lstat(path, &stat); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	uid, gid := uint32(os.Getuid()), uint32(os.Getgid())
	if stat.Uid != 0 && stat.Uid != uid {
		return fmt.Errorf("%s belongs to user %d, expected %d or root", path, stat.Uid, uid)
	}
	if stat.Mode&unix.S_IFMT == unix.S_IFDIR && stat.Mode&unix.S_ISVTX != 0 {
		return nil // nobody else may replace a file in a sticky folder
	}
	ownGroup := stat.Gid == gid && slices.Contains([]uint32{0, uid}, stat.Uid)
	if stat.Mode&unix.S_IWOTH != 0 || (stat.Mode&unix.S_IWGRP != 0 && !ownGroup) {
		return fmt.Errorf("%s may be written by other users (mode %o), expected only by user %d or root", path, stat.Mode&0o7777, uid)
	}
	return nil
}
