//! Checks that the stored requests agree with the audit trail.

use rusqlite::{Connection, OptionalExtension};

use super::Break;
use crate::store::requests::digest;
use crate::store::{Head, StoreError};

/// The first entry that the columns of its request contradict. Entries whose request was removed with the beginning of
/// the trail are skipped: no entry opens such a request, and the chain has no other gap.
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

/// Whether the stored requests hold more than the entries record: requests, denials, ends, or decisions that were
/// taken.
const UNTOLD: &str = "
WITH told AS (SELECT kind, seq FROM audit WHERE NOT ?1 OR request_id IN
    (SELECT request_id FROM audit WHERE kind = 'approval.requested' OR kind GLOB 'policy.*'))
SELECT (SELECT count(*) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.requested' OR kind GLOB 'policy.*')
    OR (SELECT count(denial) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.denied')
    OR (SELECT count(outcome) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.resolved' OR kind GLOB 'policy.*')
    OR (SELECT count(taken) FROM requests) <> count(*) FILTER (WHERE kind = 'approval.taken')
FROM told";

/// The masked texts of ended requests, except those that were dropped and those whose digest the first files did not
/// store.
const TEXTS: &str = "
SELECT seq, CAST(requests.body AS BLOB), masked_digest FROM audit JOIN requests ON id = request_id
WHERE (kind = 'approval.resolved' OR kind GLOB 'policy.*') AND dropped = 0 AND masked_digest <> '' ORDER BY seq";

/// Returns the first entry that the stored requests contradict, or the one after the last if they hold more than the
/// trail. `is_cut` tells whether the trail lost its beginning.
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
