package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
)

// An Evaluation is the outcome of one configuration in one arm: what the strategy is told.
type Evaluation struct {
	// Number counts a run's evaluations from 0 in the order told; AppendEvaluations sets it.
	Number       int
	Arm          int64
	Config       plugins.Config
	SpaceIndex   int64 // the configuration's rank in the space
	Verdict      plugins.Verdict
	Evidence     plugins.Evidence
	Statistics   []plugins.Statistic // the driver's, from compiling
	SPIRVSHA256  string
	GuardVersion string
	Compile      time.Duration
	Guard        time.Duration
	// Race is the race that timed it and Entrant its number there; 0 means that it was not
	// timed.
	Race    int64
	Entrant int
	// MedianNS is the median time of one launch, Comparison that against the baseline; nil
	// where there is none. Of a Comparison all but the warnings is kept.
	MedianNS   *float64
	Comparison *stats.Comparison
	Finished   time.Time // set by AppendEvaluations
}

// AppendEvaluations adds evaluations to a run, in order, in one transaction: when it returns
// without error they are on the disk, and the next may be asked for. It returns the number of
// the first.
func (s *Store) AppendEvaluations(ctx context.Context, run int64, evaluations ...Evaluation) (int, error) {
	var first int
	err := s.write(ctx, func(tx *sql.Tx) error {
		if err := tx.QueryRow(`SELECT coalesce(max(number) + 1, 0) FROM evaluations WHERE run = ?`, run).Scan(&first); err != nil {
			return err
		}
		for i, e := range evaluations {
			if err := insertEvaluation(tx, run, first+i, e); err != nil {
				return fmt.Errorf("evaluation of %s: %w", e.Config, err)
			}
		}
		return nil
	})
	return first, err
}

func insertEvaluation(tx *sql.Tx, run int64, number int, e Evaluation) error {
	if e.Statistics == nil {
		e.Statistics = []plugins.Statistic{}
	}
	config, err1 := encodeValues(e.Config)
	evidence, err2 := encode(e.Evidence)
	statistics, err3 := encode(e.Statistics)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	if _, err := plugins.ParseVerdict(string(e.Verdict)); err != nil {
		return err
	}
	var race, entrant, medianNS, logRatio, lo, hi, confidence, rounds any
	if e.Race != 0 {
		race, entrant = e.Race, e.Entrant
	}
	if e.MedianNS != nil {
		medianNS = finite(*e.MedianNS)
	}
	if c := e.Comparison; c != nil {
		logRatio, lo, hi, confidence, rounds = finite(c.LogRatio), finite(c.Lo), finite(c.Hi), c.Confidence, c.N
	}
	_, err := tx.Exec(`INSERT INTO evaluations (run, number, arm, config, config_json, space_index, verdict, evidence_json,
		statistics_json, spirv_sha256, guard_version, compile_ns, guard_ns, race, entrant, median_ns,
		log_ratio, log_ratio_lo, log_ratio_hi, confidence, rounds, finished)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		run, number, e.Arm, e.Config.String(), config, e.SpaceIndex, e.Verdict, evidence,
		statistics, e.SPIRVSHA256, e.GuardVersion, int64(e.Compile), int64(e.Guard), race, entrant, medianNS,
		logRatio, lo, hi, confidence, rounds, now())
	return err
}

// Evaluations returns a run's evaluations in the order told, so that a strategy's state can be
// replayed.
func (s *Store) Evaluations(ctx context.Context, run int64) ([]Evaluation, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT number, arm, config_json, space_index, verdict, evidence_json, statistics_json,
		spirv_sha256, guard_version, compile_ns, guard_ns, race, entrant, median_ns,
		log_ratio, log_ratio_lo, log_ratio_hi, confidence, rounds, finished
		FROM evaluations WHERE run = ? ORDER BY number`, run)
	if err != nil {
		return nil, s.explain(err)
	}
	all, err := collect(rows, func() (Evaluation, error) { return scanEvaluation(rows) })
	if err != nil {
		return nil, s.explain(fmt.Errorf("evaluations of run %d: %w", run, err))
	}
	return all, nil
}

func scanEvaluation(rows *sql.Rows) (e Evaluation, err error) {
	var config, evidence, statistics, finished string
	var race, entrant, rounds sql.NullInt64
	var medianNS, logRatio, lo, hi, confidence sql.NullFloat64
	err = rows.Scan(&e.Number, &e.Arm, &config, &e.SpaceIndex, &e.Verdict, &evidence, &statistics,
		&e.SPIRVSHA256, &e.GuardVersion, &e.Compile, &e.Guard, &race, &entrant, &medianNS,
		&logRatio, &lo, &hi, &confidence, &rounds, &finished)
	if err != nil {
		return e, err
	}
	e.Race, e.Entrant = race.Int64, int(entrant.Int64)
	if medianNS.Valid {
		e.MedianNS = &medianNS.Float64
	}
	if rounds.Valid {
		e.Comparison = &stats.Comparison{LogRatio: orElse(logRatio, nan), Lo: orElse(lo, -inf), Hi: orElse(hi, inf),
			Confidence: confidence.Float64, N: int(rounds.Int64)}
	}
	// The file may come from a stranger.
	if _, err := plugins.ParseVerdict(string(e.Verdict)); err != nil {
		return e, err
	}
	if e.Config, err = decodeValues(config); err != nil {
		return e, fmt.Errorf("configuration: %w", err)
	}
	return e, errors.Join(decode(evidence, &e.Evidence),
		decode(statistics, &e.Statistics), parseTime(finished, &e.Finished))
}
