package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

// A VerdictKey holds all that a verdict depends on. A verdict found under an equal key, in any
// run, need not be found again.
type VerdictKey struct {
	Family        string
	FamilyVersion string // references may change while builds do not
	// BuildSHA256 is of everything that is launched: modules, constants, buffers, grids, on
	// every problem and on the guard's further ones.
	BuildSHA256   string
	Config        plugins.Config
	Problems      []plugins.Problem
	DeviceUUID    string
	DriverID      uint32
	DriverVersion string
	Settings      map[string]string // the arm's
	GuardVersion  string
}

// A KnownVerdict is what an earlier check found.
type KnownVerdict struct {
	Verdict    plugins.Verdict
	Evidence   plugins.Evidence
	Statistics []plugins.Statistic
	Run        int64 // that found it
}

func (k VerdictKey) columns() []any {
	problems := make([]string, len(k.Problems))
	for i, p := range k.Problems {
		problems[i] = p.String()
	}
	return []any{k.Family, k.FamilyVersion, k.BuildSHA256, k.Config.String(), strings.Join(problems, "; "),
		k.DeviceUUID, k.DriverID, k.DriverVersion, SettingsText(k.Settings), k.GuardVersion}
}

const (
	keyColumns = `family, family_version, build_sha256, config, problems, device_uuid,
		driver_id, driver_version, settings_json, guard_version`
	keyIs = `family = ? AND family_version = ? AND build_sha256 = ? AND config = ? AND problems = ? AND device_uuid = ?
		AND driver_id = ? AND driver_version = ? AND settings_json = ? AND guard_version = ?`
)

// PutVerdict keeps a verdict for later runs; a newer one replaces an older. Verdicts that say
// more about a moment than about a candidate (crash, timeout, out-of-memory, device-lost,
// plugin-error, compile-timeout, implausible) are not kept.
func (s *Store) PutVerdict(ctx context.Context, run int64, key VerdictKey, v KnownVerdict) error {
	if Momentary(v.Verdict) {
		return nil
	}
	if v.Statistics == nil {
		v.Statistics = []plugins.Statistic{}
	}
	evidence, err1 := encode(v.Evidence)
	statistics, err2 := encode(v.Statistics)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT OR REPLACE INTO verdicts (`+keyColumns+`, verdict, evidence_json, statistics_json, run)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			append(key.columns(), v.Verdict, evidence, statistics, run)...)
		return err
	})
}

// Momentary reports whether a verdict says more about a moment than about a candidate.
func Momentary(v plugins.Verdict) bool {
	switch v {
	case plugins.Crash, plugins.Timeout, plugins.OutOfMemory, plugins.DeviceLost, plugins.PluginError, plugins.CompileTimeout,
		plugins.Implausible:
		return true
	}
	return false
}

// Verdict returns what an earlier run found under this key; ok is false if none did.
func (s *Store) Verdict(ctx context.Context, key VerdictKey) (v KnownVerdict, ok bool, err error) {
	var evidence, statistics string
	err = s.db.QueryRowContext(ctx, `SELECT verdict, evidence_json, statistics_json, run FROM verdicts
		WHERE `+keyIs, key.columns()...).Scan(&v.Verdict, &evidence, &statistics, &v.Run)
	if errors.Is(err, sql.ErrNoRows) {
		return KnownVerdict{}, false, nil
	}
	if err == nil {
		// The file may come from a stranger.
		_, err = plugins.ParseVerdict(string(v.Verdict))
	}
	if err == nil {
		err = errors.Join(decode(evidence, &v.Evidence), decode(statistics, &v.Statistics))
	}
	if err != nil {
		return KnownVerdict{}, false, s.explain(fmt.Errorf("verdict on %s: %w", key.Config, err))
	}
	return v, true, nil
}
