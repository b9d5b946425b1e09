package store

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/krisptune/krisptune/plugins"
)

// A file of the first format is brought up to date when it is opened, and keeps what it held.
func TestUpgrade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{texts[0], fmt.Sprintf("PRAGMA application_id = %d", applicationID), "PRAGMA user_version = 1",
		`INSERT INTO devices VALUES (1, 'f', '01', 'd', 1, 'n', 'i', '1', '{"uuid": "01", "name": "d"}')`,
		`INSERT INTO runs VALUES (1, 'version = 1', 'h', 'k', 'f', '1', 3, 'random', 1, 't', '[]', 'done', 'better', NULL, '2026-01-01T00:00:00Z', NULL)`,
		`INSERT INTO problems VALUES (1, 0, 'n=1', '{"n":1}', 1.0)`,
		`INSERT INTO arms VALUES (1, 1, '{}', '[]', '[]', 1, 'gpu_timestamp', '', 1500.0)`,
		`INSERT INTO races VALUES (1, 1, 'batch', 1, 1, 0, '[]', '2026-01-01T00:00:00Z', NULL)`,
		`INSERT INTO samples VALUES (1, 0, 0, 0, 0, 1000.0, 5, 'gpu_timestamp', 'dependent', 'ok')`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, path)
	integrity(t, s)
	run, err := s.Run(ctx, 1)
	if err != nil || run.Mode != plugins.Hot || run.Gap != plugins.Dependent || run.Seed != 3 {
		t.Errorf("%+v, %v", run, err)
	}
	samples, err := s.Samples(ctx, 1)
	if err != nil || len(samples) != 1 || samples[0].Mode != plugins.Hot || samples[0].Nanoseconds != 1000 {
		t.Errorf("%+v, %v", samples, err)
	}
	if arms, err := s.Arms(ctx, 1); err != nil || len(arms) != 1 || arms[0].Opened.Overhead != 1500 || arms[0].Opened.CacheBytes != 0 {
		t.Errorf("%+v, %v", arms, err)
	}
	key := VerdictKey{Family: "f", BuildSHA256: "ab"}
	if err := s.PutVerdict(ctx, 1, key, KnownVerdict{Verdict: plugins.Wrong}); err != nil {
		t.Fatal(err)
	}
	if v, ok, err := s.Verdict(ctx, key); err != nil || !ok || v.Verdict != plugins.Wrong {
		t.Errorf("%+v, %v, %v", v, ok, err)
	}
}
