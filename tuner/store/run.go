package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// A Run is one command's work on one spec and one device.
type Run struct {
	ID            int64
	Spec          string // the spec's text
	SpecHash      string // SpecHash(Spec), set by BeginRun
	Kernel        string
	Family        string
	FamilyVersion string
	Problems      []Problem
	Seed          uint64
	Strategy      string
	Mode          plugins.Mode // of every sample, with Gap
	Gap           plugins.Gap
	Device        plugins.Device // as the stock arm sees it
	ToolVersion   string
	CommandLine   []string

	// BeginRun and FinishRun set the rest.
	State   State
	Outcome string          // better, baseline-stands, none-passed; empty until the end
	Result  json.RawMessage // the command's --json document, nil until the end
	Started time.Time
	Ended   time.Time // zero until the end
}

// A Problem is one of a run's problems, with its share in the objective.
type Problem struct {
	Problem plugins.Problem
	Weight  float64
}

// A State says how far a run came.
type State string

const (
	Running     State = "running"
	Done        State = "done"
	Interrupted State = "interrupted" // stopped by the user or killed; can be resumed
	Failed      State = "failed"
)

// SpecHash is the hexadecimal SHA-256 of a spec's text.
func SpecHash(spec string) string {
	h := sha256.Sum256([]byte(spec))
	return hex.EncodeToString(h[:])
}

// ErrNoRun means that the file holds no such run.
var ErrNoRun = errors.New("no such run")

// BeginRun writes a new run and holds it until FinishRun or Close: meanwhile no other process
// can resume it. It returns the run's id.
func (s *Store) BeginRun(ctx context.Context, r Run) (int64, error) {
	if r.Device.UUID == "" {
		return 0, errors.New("the run's device has no UUID")
	}
	commandLine, err := encode(r.CommandLine)
	if err != nil {
		return 0, err
	}
	var id int64
	err = s.write(ctx, func(tx *sql.Tx) error {
		device, err := putDevice(tx, r.Device)
		if err != nil {
			return err
		}
		err = tx.QueryRow(`INSERT INTO runs (spec, spec_hash, kernel, family, family_version, seed, strategy,
			mode, gap, device, tool_version, command_line_json, state, started)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?) RETURNING id`,
			r.Spec, SpecHash(r.Spec), r.Kernel, r.Family, r.FamilyVersion, int64(r.Seed), r.Strategy,
			r.Mode, r.Gap, device, r.ToolVersion, commandLine, now()).Scan(&id)
		if err != nil {
			return err
		}
		for i, p := range r.Problems {
			text, err := encodeValues(p.Problem)
			if err != nil {
				return fmt.Errorf("problem %d: %w", i, err)
			}
			if _, err := tx.Exec(`INSERT INTO problems (run, number, problem, problem_json, weight) VALUES (?, ?, ?, ?, ?)`,
				id, i, p.Problem.String(), text, p.Weight); err != nil {
				return err
			}
		}
		// Held before it can be seen: nobody takes it for a dead process's run.
		return s.locks.hold(id)
	})
	if err != nil && id != 0 {
		s.locks.release(id)
	}
	return id, err
}

// ResumeRun takes up an unfinished run again and holds it. It is ErrRunning if another process
// works on it.
func (s *Store) ResumeRun(ctx context.Context, id int64) error {
	if err := s.locks.hold(id); err != nil {
		return err
	}
	err := s.write(ctx, func(tx *sql.Tx) error {
		var state State
		if err := tx.QueryRow(`SELECT state FROM runs WHERE id = ?`, id).Scan(&state); errors.Is(err, sql.ErrNoRows) {
			return ErrNoRun
		} else if err != nil {
			return err
		}
		if state == Done || state == Failed {
			return fmt.Errorf("run %d is %s, only an unfinished run can be resumed", id, state)
		}
		_, err := tx.Exec(`UPDATE runs SET state = 'running', ended = NULL WHERE id = ?`, id)
		return err
	})
	if err != nil {
		s.locks.release(id)
	}
	return err
}

// FinishRun writes how a run ended and lets it go. Outcome and result (the command's --json
// document) may be empty. After an interrupt it needs a context that was not cancelled.
func (s *Store) FinishRun(ctx context.Context, id int64, state State, outcome string, result json.RawMessage) error {
	if state == Running {
		return fmt.Errorf("run %d cannot finish as running", id)
	}
	err := s.write(ctx, func(tx *sql.Tx) error {
		r, err := tx.Exec(`UPDATE runs SET state = ?, outcome = ?, result_json = ?, ended = ? WHERE id = ?`,
			state, outcome, sql.NullString{String: string(result), Valid: result != nil}, now(), id)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return ErrNoRun
	})
	return errors.Join(err, s.locks.release(id))
}

// A ResumeKey holds what must be equal for a run to be continued: the same spec, search and
// device under the same driver.
type ResumeKey struct {
	SpecHash      string
	Strategy      string
	Mode          plugins.Mode
	Gap           plugins.Gap
	Seed          uint64
	DeviceUUID    string
	DriverID      uint32
	DriverVersion string
}

// LatestUnfinished returns the newest run with this key that was interrupted, or whose process
// died, and that nobody else works on. It is ErrNoRun if there is none.
func (s *Store) LatestUnfinished(ctx context.Context, key ResumeKey) (Run, error) {
	ids, err := s.ids(ctx, `SELECT r.id FROM runs r JOIN devices d ON d.id = r.device
		WHERE r.spec_hash = ? AND r.strategy = ? AND r.mode = ? AND r.gap = ? AND r.seed = ? AND d.uuid = ? AND d.driver_id = ?
		AND d.driver_version = ? AND r.state IN ('running', 'interrupted') ORDER BY r.id DESC`,
		key.SpecHash, key.Strategy, key.Mode, key.Gap, int64(key.Seed), key.DeviceUUID, key.DriverID, key.DriverVersion)
	if err != nil {
		return Run{}, err
	}
	for _, id := range ids {
		held, err := s.locks.heldElsewhere(id)
		if err != nil {
			return Run{}, err
		}
		if !held {
			return s.Run(ctx, id)
		}
	}
	return Run{}, ErrNoRun
}

// Run returns one run, or ErrNoRun. A run whose process died reads as Interrupted.
func (s *Store) Run(ctx context.Context, id int64) (Run, error) {
	r := Run{ID: id}
	var seed int64
	var device, commandLine, started string
	var result, ended sql.NullString
	err := s.db.QueryRowContext(ctx, `SELECT r.spec, r.spec_hash, r.kernel, r.family, r.family_version, r.seed, r.strategy,
		r.mode, r.gap, d.device_json, r.tool_version, r.command_line_json, r.state, r.outcome, r.result_json, r.started, r.ended
		FROM runs r JOIN devices d ON d.id = r.device WHERE r.id = ?`, id).Scan(
		&r.Spec, &r.SpecHash, &r.Kernel, &r.Family, &r.FamilyVersion, &seed, &r.Strategy,
		&r.Mode, &r.Gap, &device, &r.ToolVersion, &commandLine, &r.State, &r.Outcome, &result, &started, &ended)
	if errors.Is(err, sql.ErrNoRows) {
		return Run{}, fmt.Errorf("run %d: %w", id, ErrNoRun)
	}
	if err != nil {
		return Run{}, s.explain(err)
	}
	r.Seed = uint64(seed)
	if result.Valid {
		r.Result = json.RawMessage(result.String)
	}
	if err := errors.Join(decode(device, &r.Device), decode(commandLine, &r.CommandLine),
		parseTime(started, &r.Started), parseTime(ended.String, &r.Ended)); err != nil {
		return Run{}, s.explain(fmt.Errorf("run %d: %w", id, err))
	}
	if r.State == Running {
		held, err := s.locks.heldElsewhere(id)
		if err != nil {
			return Run{}, err
		}
		if !held && !s.locks.mine(id) {
			r.State = Interrupted
		}
	}
	if r.Problems, err = s.problems(ctx, id); err != nil {
		return Run{}, s.explain(fmt.Errorf("run %d: %w", id, err))
	}
	return r, nil
}

// Runs returns all runs, the oldest first.
func (s *Store) Runs(ctx context.Context) ([]Run, error) {
	ids, err := s.ids(ctx, `SELECT id FROM runs ORDER BY id`)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, 0, len(ids))
	for _, id := range ids {
		r, err := s.Run(ctx, id)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

func (s *Store) problems(ctx context.Context, run int64) ([]Problem, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT problem_json, weight FROM problems WHERE run = ? ORDER BY number`, run)
	if err != nil {
		return nil, err
	}
	return collect(rows, func() (p Problem, err error) {
		var text string
		if err = rows.Scan(&text, &p.Weight); err != nil {
			return p, err
		}
		p.Problem, err = decodeValues(text)
		return p, err
	})
}

func (s *Store) ids(ctx context.Context, query string, args ...any) ([]int64, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.explain(err)
	}
	ids, err := collect(rows, func() (id int64, err error) { return id, rows.Scan(&id) })
	return ids, s.explain(err)
}

// collect reads all rows with scan and closes them.
func collect[T any](rows *sql.Rows, scan func() (T, error)) ([]T, error) {
	defer rows.Close()
	var all []T
	for rows.Next() {
		x, err := scan()
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, rows.Err()
}

// parseTime reads a stored time; empty is the zero time.
func parseTime(text string, t *time.Time) error {
	if text == "" {
		*t = time.Time{}
		return nil
	}
	var err error
	*t, err = time.Parse(time.RFC3339Nano, text)
	return err
}
