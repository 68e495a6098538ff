-- Notices: the queue of each channel, and what became of them (`notices.rs`). AUTOINCREMENT: a number names one notice for good.
CREATE TABLE notices (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    channel TEXT NOT NULL,
    merge_key TEXT,
    uid TEXT NOT NULL,
    count INTEGER NOT NULL DEFAULT 1,
    status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sending', 'sent', 'dead')),
    attempts INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    body TEXT NOT NULL,
    why TEXT
) STRICT;
CREATE INDEX notices_open ON notices (channel, number) WHERE status IN ('waiting', 'sending');
CREATE INDEX notices_merged ON notices (channel, merge_key, number) WHERE merge_key IS NOT NULL;
CREATE INDEX notices_by_status ON notices (status, number);

-- The occurrences that a channel has taken, so that it takes each once.
CREATE TABLE notice_ids (
    channel TEXT NOT NULL,
    id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (channel, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX notice_ids_by_time ON notice_ids (at_ms);

-- How a channel does. A pause that a service asked for outlives the process.
CREATE TABLE notice_channels (
    channel TEXT PRIMARY KEY,
    failures INTEGER NOT NULL DEFAULT 0,
    failing_since_ms INTEGER,
    paused_until_ms INTEGER,
    why TEXT,
    sent_ms INTEGER
) STRICT, WITHOUT ROWID;
