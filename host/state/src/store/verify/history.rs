//! Whether the history of requests says what the audit trail tells.

use rusqlite::{Connection, OptionalExtension};

use super::Break;
use crate::store::requests::digest;
use crate::store::{Head, StoreError};

/// The first entry that the columns of its request contradict.
const DIFFERS: &str = r#"
SELECT seq FROM audit LEFT JOIN requests ON id = request_id
WHERE CASE
    WHEN kind = 'approval.requested' THEN
        created_ms IS NOT at_ms OR digest IS NOT audit.body ->> '$.inputSha256' OR tool IS NOT audit.body ->> '$.tool'
    WHEN kind = 'approval.denied' THEN denial IS NOT audit.body OR answered_ms IS NOT at_ms
    WHEN kind = 'approval.taken' THEN audit.body IS NOT '{"taken":' || iif(taken, 'true', 'false') || '}' OR taken IS NULL
    WHEN kind = 'approval.resolved' OR kind GLOB 'policy.*' THEN
        ended_ms IS NOT at_ms OR outcome IS NOT resolution ->> '$.outcome' OR surface IS NOT resolution ->> '$.by.surface'
        OR audit.body IS NOT
            '{"inputSha256":"' || digest || '","maskedSha256":"' || masked_digest || '","resolution":' || resolution || '}'
    ELSE FALSE
END ORDER BY seq LIMIT 1"#;

/// Whether there is more than the entries tell: requests, denials, ends, decisions that were taken.
const UNTOLD: &str = "
SELECT (SELECT count(*) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.requested' OR kind GLOB 'policy.*')
    OR (SELECT count(denial) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.denied')
    OR (SELECT count(outcome) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.resolved' OR kind GLOB 'policy.*')
    OR (SELECT count(taken) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.taken')
FROM audit";

/// The masked texts of what ended, but for those of which what was asked was dropped.
const TEXTS: &str = "
SELECT seq, requests.body, masked_digest FROM audit JOIN requests ON id = request_id
WHERE (kind = 'approval.resolved' OR kind GLOB 'policy.*') AND dropped = 0 ORDER BY seq";

/// The first entry that the history contradicts, or the one after the last where the history says more.
pub(super) fn contradiction(connection: &Connection, last: Head) -> Result<Option<(u64, Break)>, StoreError> {
    if let Some(seq) = connection.query_row(DIFFERS, [], |row| row.get(0)).optional()? {
        return Ok(Some((seq, Break::Differs)));
    }
    if connection.query_row(UNTOLD, [], |row| row.get(0))? {
        return Ok(Some((last.seq + 1, Break::Untold)));
    }
    let mut statement = connection.prepare(TEXTS)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (text, kept): (String, String) = (row.get(1)?, row.get(2)?);
        if digest(text.as_bytes()) != kept {
            return Ok(Some((row.get(0)?, Break::Differs)));
        }
    }
    Ok(None)
}
