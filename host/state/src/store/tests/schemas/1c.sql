CREATE TABLE requests (
    number      INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    source      TEXT NOT NULL,
    session_id  TEXT,
    agent_id    TEXT,
    tool        TEXT NOT NULL,
    cwd         TEXT NOT NULL,
    created_ms  INTEGER NOT NULL,
    expires_ms  INTEGER NOT NULL,
    status      TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'denied', 'ended')),
    -- When a person answered: with a denial whose reason came later, when they denied.
    answered_ms INTEGER,
    outcome     TEXT,
    surface     TEXT,
    ended_ms    INTEGER,
    taken       INTEGER CHECK (taken IN (0, 1)),
    -- Of the exact input, hex.
    digest      TEXT NOT NULL,
    -- JSON of the gateway: who denied and until when, how it ended, the request, the request masked.
    denial      TEXT,
    resolution  TEXT,
    body        TEXT NOT NULL,
    masked      TEXT,
    -- Whether it is so old that what was asked was dropped from the text.
    dropped     INTEGER NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1)),
    CHECK ((status = 'ended') = (outcome IS NOT NULL)),
    CHECK ((status = 'ended') = (resolution IS NOT NULL)),
    CHECK ((status = 'ended') = (ended_ms IS NOT NULL)),
    CHECK (status <> 'denied' OR denial IS NOT NULL),
    -- A deny once pressed is never lost.
    CHECK (denial IS NULL OR outcome IS NULL OR outcome IN ('rejected_with_reason', 'rejected_no_reason'))
) STRICT;

CREATE INDEX requests_open ON requests (number) WHERE status <> 'ended';
CREATE INDEX requests_ended ON requests (ended_ms) WHERE status = 'ended';
CREATE INDEX requests_full ON requests (ended_ms) WHERE status = 'ended' AND dropped = 0;

-- What has ended never changes, but for whether it was taken and for a text that is dropped.
CREATE TRIGGER requests_ended_stay BEFORE UPDATE OF
    number, id, source, session_id, agent_id, tool, cwd, created_ms, expires_ms, status, answered_ms, outcome, surface,
    ended_ms, digest, denial, resolution ON requests
WHEN OLD.status = 'ended'
BEGIN SELECT RAISE(ABORT, 'a request that has ended does not change'); END;

CREATE TABLE audit (
    seq        INTEGER PRIMARY KEY,
    at_ms      INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    request_id TEXT,
    body       TEXT NOT NULL,
    prev       BLOB NOT NULL,
    hash       BLOB NOT NULL
) STRICT;

-- A first fence, against mistakes. What shows an attack is the chain.
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit trail does not change'); END;
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit trail is kept'); END;
CREATE TRIGGER audit_grows BEFORE INSERT ON audit
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM audit)
BEGIN SELECT RAISE(ABORT, 'the audit trail grows at its end'); END;

CREATE TABLE notes (
    request_id TEXT NOT NULL REFERENCES requests (id),
    surface    TEXT NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (request_id, surface)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    hash       BLOB PRIMARY KEY,
    expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE invocations (
    id          TEXT PRIMARY KEY,
    finished_ms INTEGER,
    body        TEXT NOT NULL
) STRICT;

CREATE INDEX invocations_finished ON invocations (finished_ms);
