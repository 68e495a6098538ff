//! Whether the history of requests says what the audit trail tells.

use rusqlite::{Connection, OptionalExtension};

use super::Break;
use crate::store::requests::digest;
use crate::store::{Head, StoreError};

/// The first entry that the columns of its request contradict. What was cut off with the beginning of the trail took its
/// requests with it: an entry of a request that no entry opened is one of those, since the chain has no other gap.
const DIFFERS: &str = r#"
SELECT seq FROM audit LEFT JOIN requests ON id = request_id
WHERE (id IS NOT NULL OR request_id IN
    (SELECT request_id FROM audit WHERE kind = 'approval.requested' OR kind GLOB 'policy.*') OR NOT ?1)
AND CASE
    WHEN kind = 'approval.requested' THEN
        created_ms IS NOT at_ms OR digest IS NOT audit.body ->> '$.inputSha256' OR tool IS NOT audit.body ->> '$.tool'
    WHEN kind = 'approval.denied' THEN denial IS NOT audit.body OR answered_ms IS NOT at_ms
    WHEN kind = 'approval.taken' THEN audit.body IS NOT '{"taken":' || iif(taken, 'true', 'false') || '}' OR taken IS NULL
    WHEN kind = 'approval.resolved' OR kind GLOB 'policy.*' THEN
        ended_ms IS NOT at_ms OR outcome IS NOT CASE WHEN json_valid(resolution) THEN resolution END ->> '$.outcome'
        OR surface IS NOT CASE WHEN json_valid(resolution) THEN resolution END ->> '$.by.surface'
        OR audit.body IS NOT
            '{"inputSha256":"' || digest || iif(masked_digest = '', '', '","maskedSha256":"' || masked_digest)
            || '","resolution":' || resolution || '}'
    ELSE FALSE
END ORDER BY seq LIMIT 1"#;

/// Whether there is more than the entries tell: requests, denials, ends, decisions that were taken.
const UNTOLD: &str = "
WITH told AS (SELECT kind, seq FROM audit WHERE NOT ?1 OR request_id IN
    (SELECT request_id FROM audit WHERE kind = 'approval.requested' OR kind GLOB 'policy.*'))
SELECT (SELECT count(*) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.requested' OR kind GLOB 'policy.*')
    OR (SELECT count(denial) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.denied')
    OR (SELECT count(outcome) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.resolved' OR kind GLOB 'policy.*')
    OR (SELECT count(taken) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.taken')
FROM told";

/// The masked texts of what ended, but for those of which what was asked was dropped, and those whose digest the first
/// files did not keep.
const TEXTS: &str = "
SELECT seq, CAST(requests.body AS BLOB), masked_digest FROM audit JOIN requests ON id = request_id
WHERE (kind = 'approval.resolved' OR kind GLOB 'policy.*') AND dropped = 0 AND masked_digest <> '' ORDER BY seq";

/// The first entry that the history contradicts, or the one after the last where the history says more. `is_cut` says
/// whether the trail lost its beginning.
pub(super) fn contradiction(
    connection: &Connection,
    last: Head,
    is_cut: bool,
) -> Result<Option<(u64, Break)>, StoreError> {
    if let Some(seq) = connection.query_row(DIFFERS, [is_cut], |row| row.get(0)).optional()? {
        return Ok(Some((seq, Break::Differs)));
    }
    if connection.query_row(UNTOLD, [is_cut], |row| row.get(0))? {
        return Ok(Some((last.seq + 1, Break::Untold)));
    }
    let mut statement = connection.prepare(TEXTS)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (text, kept): (Vec<u8>, String) = (row.get(1)?, row.get(2)?);
        if digest(&text) != kept {
            return Ok(Some((row.get(0)?, Break::Differs)));
        }
    }
    Ok(None)
}
