-- The words are those of the design: run, device, arm, evaluation, verdict, evidence, race,
-- entrant, sample, emission. Times of day are RFC 3339 in UTC; durations are nanoseconds;
-- columns that end in _json hold JSON with its keys in order.

CREATE TABLE devices (
  id             INTEGER PRIMARY KEY,
  fingerprint    TEXT NOT NULL UNIQUE, -- of uuid, name and driver: changes when the driver does
  uuid           TEXT NOT NULL,
  name           TEXT NOT NULL,
  driver_id      INTEGER NOT NULL,
  driver_name    TEXT NOT NULL,
  driver_info    TEXT NOT NULL,
  driver_version TEXT NOT NULL,
  device_json    TEXT NOT NULL -- everything the device said
) STRICT;

CREATE TABLE runs (
  id                INTEGER PRIMARY KEY,
  spec              TEXT NOT NULL,
  spec_hash         TEXT NOT NULL, -- sha256 of spec
  kernel            TEXT NOT NULL,
  family            TEXT NOT NULL,
  family_version    TEXT NOT NULL,
  seed              INTEGER NOT NULL, -- 64 bits, the top one as sign
  strategy          TEXT NOT NULL,
  device            INTEGER NOT NULL REFERENCES devices (id),
  tool_version      TEXT NOT NULL,
  command_line_json TEXT NOT NULL,
  state             TEXT NOT NULL CHECK (state IN ('running', 'done', 'interrupted', 'failed')),
  outcome           TEXT NOT NULL DEFAULT '',
  result_json       TEXT, -- what the command printed with --json
  started           TEXT NOT NULL,
  ended             TEXT
) STRICT;
CREATE INDEX runs_by_spec ON runs (spec_hash, state);

CREATE TABLE problems (
  run          INTEGER NOT NULL REFERENCES runs (id),
  number       INTEGER NOT NULL,
  problem      TEXT NOT NULL, -- canonical spelling: k=4096,m=4096,n=512
  problem_json TEXT NOT NULL,
  weight       REAL NOT NULL,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE arms (
  id               INTEGER PRIMARY KEY,
  run              INTEGER NOT NULL REFERENCES runs (id),
  settings_json    TEXT NOT NULL, -- driver settings; {} is the stock arm
  environment_json TEXT NOT NULL, -- what the runner was started with
  removed_json     TEXT NOT NULL, -- variables taken out of the host's environment
  device           INTEGER NOT NULL REFERENCES devices (id), -- as seen in this arm
  clock            TEXT NOT NULL,
  clock_reason     TEXT NOT NULL,
  overhead_ns      REAL NOT NULL,
  UNIQUE (run, settings_json)
) STRICT;

CREATE TABLE races (
  id       INTEGER PRIMARY KEY,
  run      INTEGER NOT NULL REFERENCES runs (id),
  kind     TEXT NOT NULL CHECK (kind IN ('batch', 'final', 'confirmation')),
  seed     INTEGER NOT NULL,
  rounds   INTEGER NOT NULL DEFAULT 0, -- taken, known once the race ended
  declared INTEGER NOT NULL DEFAULT 0,
  warnings_json TEXT NOT NULL DEFAULT '[]',
  started  TEXT NOT NULL,
  ended    TEXT
) STRICT;
CREATE INDEX races_by_run ON races (run);

CREATE TABLE entrants (
  race        INTEGER NOT NULL REFERENCES races (id),
  number      INTEGER NOT NULL,
  role        TEXT NOT NULL,
  arm         INTEGER NOT NULL REFERENCES arms (id),
  config      TEXT NOT NULL,
  config_json TEXT NOT NULL,
  PRIMARY KEY (race, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE samples (
  race    INTEGER NOT NULL REFERENCES races (id),
  number  INTEGER NOT NULL, -- in the order taken
  round   INTEGER NOT NULL,
  entrant INTEGER NOT NULL,
  problem INTEGER NOT NULL, -- number in problems
  ns      REAL, -- of one launch; NULL when the sample failed
  repeats INTEGER NOT NULL,
  clock   TEXT NOT NULL,
  gap     TEXT NOT NULL,
  verdict TEXT NOT NULL,
  PRIMARY KEY (race, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE evaluations (
  id              INTEGER PRIMARY KEY,
  run             INTEGER NOT NULL REFERENCES runs (id),
  number          INTEGER NOT NULL, -- in the order told to the strategy
  arm             INTEGER NOT NULL REFERENCES arms (id),
  config          TEXT NOT NULL, -- canonical spelling: BK=16,BM=64
  config_json     TEXT NOT NULL,
  space_index     INTEGER NOT NULL,
  verdict         TEXT NOT NULL,
  evidence_json   TEXT NOT NULL,
  statistics_json TEXT NOT NULL, -- the driver's, from compiling
  spirv_sha256    TEXT NOT NULL,
  guard_version   TEXT NOT NULL,
  compile_ns      INTEGER NOT NULL,
  guard_ns        INTEGER NOT NULL,
  race            INTEGER REFERENCES races (id),
  entrant         INTEGER,
  median_ns       REAL,
  log_ratio       REAL, -- log(baseline time / candidate time): above 0 is faster
  log_ratio_lo    REAL, -- NULL: unbounded
  log_ratio_hi    REAL,
  confidence      REAL,
  rounds          INTEGER,
  finished        TEXT NOT NULL,
  UNIQUE (run, number)
) STRICT;

CREATE TABLE verdicts (
  family          TEXT NOT NULL,
  family_version  TEXT NOT NULL,
  spirv_sha256    TEXT NOT NULL,
  config          TEXT NOT NULL,
  problem         TEXT NOT NULL,
  device_uuid     TEXT NOT NULL,
  driver_id       INTEGER NOT NULL,
  driver_version  TEXT NOT NULL,
  settings_json   TEXT NOT NULL,
  guard_version   TEXT NOT NULL,
  verdict         TEXT NOT NULL,
  evidence_json   TEXT NOT NULL,
  statistics_json TEXT NOT NULL,
  run             INTEGER NOT NULL REFERENCES runs (id), -- that found it
  PRIMARY KEY (family, family_version, spirv_sha256, config, problem, device_uuid, driver_id,
    driver_version, settings_json, guard_version)
) STRICT, WITHOUT ROWID;

CREATE TABLE emissions (
  id      INTEGER PRIMARY KEY,
  run     INTEGER NOT NULL REFERENCES runs (id),
  format  TEXT NOT NULL,
  path    TEXT NOT NULL,
  sha256  TEXT NOT NULL, -- of the file's bytes
  emitted TEXT NOT NULL
) STRICT;
CREATE INDEX emissions_by_run ON emissions (run);
