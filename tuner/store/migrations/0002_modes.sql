-- Every sample says what the caches held. Those taken before this were of one set of buffers.
ALTER TABLE samples ADD COLUMN mode TEXT NOT NULL DEFAULT 'hot';
ALTER TABLE runs ADD COLUMN mode TEXT NOT NULL DEFAULT 'hot';
ALTER TABLE runs ADD COLUMN gap TEXT NOT NULL DEFAULT 'dependent';
ALTER TABLE arms ADD COLUMN cache_bytes INTEGER NOT NULL DEFAULT 0; -- 0: not measured

-- A verdict belongs to a build on all the problems of a run together, for one set of tails
-- covers them. Nothing was written to the table before.
DROP TABLE verdicts;
CREATE TABLE verdicts (
  family          TEXT NOT NULL,
  family_version  TEXT NOT NULL,
  build_sha256    TEXT NOT NULL, -- of everything that is launched, on every problem and tail
  config          TEXT NOT NULL,
  problems        TEXT NOT NULL, -- canonical spellings, in order
  device_uuid     TEXT NOT NULL,
  driver_id       INTEGER NOT NULL,
  driver_version  TEXT NOT NULL,
  settings_json   TEXT NOT NULL,
  guard_version   TEXT NOT NULL,
  verdict         TEXT NOT NULL,
  evidence_json   TEXT NOT NULL,
  statistics_json TEXT NOT NULL,
  run             INTEGER NOT NULL REFERENCES runs (id), -- that found it
  PRIMARY KEY (family, family_version, build_sha256, config, problems, device_uuid, driver_id,
    driver_version, settings_json, guard_version)
) STRICT, WITHOUT ROWID;

-- One row for each process that a configuration took with it.
CREATE TABLE deaths (
  id              INTEGER PRIMARY KEY,
  family          TEXT NOT NULL,
  family_version  TEXT NOT NULL,
  build_sha256    TEXT NOT NULL,
  config          TEXT NOT NULL,
  problems        TEXT NOT NULL,
  device_uuid     TEXT NOT NULL,
  driver_id       INTEGER NOT NULL,
  driver_version  TEXT NOT NULL,
  settings_json   TEXT NOT NULL,
  guard_version   TEXT NOT NULL,
  verdict         TEXT NOT NULL, -- crash or timeout
  evidence_json   TEXT NOT NULL,
  run             INTEGER NOT NULL REFERENCES runs (id),
  died            TEXT NOT NULL
) STRICT;
CREATE INDEX deaths_by_build ON deaths (build_sha256, config);
