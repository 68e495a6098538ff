-- Notices that are held, and notices that are not to be sent (`notices.rs`). SQLite changes no CHECK, so the table is copied.
ALTER TABLE notices RENAME TO notices_before;
DROP INDEX notices_open;
DROP INDEX notices_merged;
DROP INDEX notices_by_status;
CREATE TABLE notices (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    channel TEXT NOT NULL,
    merge_key TEXT,
    uid TEXT NOT NULL,
    count INTEGER NOT NULL DEFAULT 1,
    status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sending', 'held', 'sent', 'skipped', 'dead')),
    attempts INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    body TEXT NOT NULL,
    why TEXT
) STRICT;
INSERT INTO notices (number, channel, merge_key, uid, count, status, attempts, created_ms, due_ms, ended_ms, body, why)
    SELECT number, channel, merge_key, uid, count, status, attempts, created_ms, due_ms, ended_ms, body, why
    FROM notices_before;
-- A number names one notice for good, also where the last ones were removed.
DELETE FROM sqlite_sequence WHERE name = 'notices';
INSERT INTO sqlite_sequence (name, seq) SELECT 'notices', seq FROM sqlite_sequence WHERE name = 'notices_before';
DROP TABLE notices_before;
CREATE INDEX notices_open ON notices (channel, number) WHERE status IN ('waiting', 'sending');
CREATE INDEX notices_held ON notices (due_ms) WHERE status = 'held';
CREATE INDEX notices_merged ON notices (channel, merge_key, number) WHERE merge_key IS NOT NULL;
CREATE INDEX notices_by_status ON notices (status, number);
