//! Files of the first version from before its release. They have the same version number, but other columns.
//!
//! | missing column | value in existing rows |
//! |---|---|
//! | `requests.dropped` | 0: no text was dropped |
//! | `requests.masked_digest` | the digest of the masked text; empty for ended requests, whose entries do not hold it |
//! | `invocations.finished_ms` | 0, the oldest time, for those that had ended |

use rusqlite::Connection;

use crate::store::StoreError;
use crate::store::requests::digest;

/// Adds the missing columns of the first version to a file.
pub(super) fn complete(tables: &Connection) -> Result<(), StoreError> {
    tables.execute_batch("DROP TABLE IF EXISTS output; DROP TABLE IF EXISTS sessions")?;
    if !has(tables, "requests", "dropped")? {
        tables.execute_batch(
            "ALTER TABLE requests ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1)); \
             CREATE INDEX requests_full ON requests (ended_ms) WHERE status = 'ended' AND dropped = 0",
        )?;
    }
    if !has(tables, "invocations", "finished_ms")? {
        tables.execute_batch(
            "ALTER TABLE invocations ADD COLUMN finished_ms INTEGER; \
             UPDATE invocations SET finished_ms = 0 WHERE finished = 1; \
             DROP INDEX invocations_unfinished; ALTER TABLE invocations DROP COLUMN finished; \
             CREATE INDEX invocations_finished ON invocations (finished_ms)",
        )?;
    }
    if !has(tables, "requests", "masked_digest")? {
        tables.execute_batch("ALTER TABLE requests ADD COLUMN masked_digest TEXT NOT NULL DEFAULT ''")?;
        let mut open = tables.prepare("SELECT number, masked FROM requests WHERE status <> 'ended'")?;
        let open: Vec<(i64, Option<String>)> =
            open.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        for (number, masked) in open {
            let masked = digest(masked.unwrap_or_default().as_bytes());
            tables.execute("UPDATE requests SET masked_digest = ? WHERE number = ?", (masked, number))?;
        }
    }
    Ok(())
}

fn has(tables: &Connection, table: &str, column: &str) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM pragma_table_info(?) WHERE name = ?)";
    Ok(tables.query_row(sql, (table, column), |row| row.get(0))?)
}
