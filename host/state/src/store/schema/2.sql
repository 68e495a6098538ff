-- The moment of the question, or of the denial, on the clock that runs since the machine was started, and which start that was.
ALTER TABLE requests ADD COLUMN boot_id TEXT;
ALTER TABLE requests ADD COLUMN up_ms INTEGER;

-- The beginning of the trail may go once its last entry says up to where, and the hash there: see `retention.rs`.
CREATE INDEX audit_cuts ON audit (seq) WHERE kind = 'audit.cut';
DROP TRIGGER audit_is_kept;
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
WHEN NOT EXISTS (
    SELECT 1 FROM audit
    WHERE seq = (SELECT max(seq) FROM audit) AND kind = 'audit.cut' AND body ->> '$.through' >= OLD.seq
)
BEGIN SELECT RAISE(ABORT, 'the audit trail is kept'); END;
