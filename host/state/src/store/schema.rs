//! The tables, and the upgrade of older files. `PRAGMA user_version` is the number of steps that a file has taken.
//!
//! | version | step | adds |
//! |---|---|---|
//! | 1 | `schema/1.sql` | requests, audit trail, notes, invocations |
//! | 2 | `early.rs`, `schema/2.sql` | the clock since the machine's start; a trail whose beginning can be cut off |
//! | 3 | `schema/3.sql` | the queues of notices |
//! | 4 | `schema/4.sql` | notices that are held or skipped |
//!
//! All missing steps run in one transaction: if the process is killed meanwhile, the file keeps its older version.

mod early;

use rusqlite::{Connection, TransactionBehavior};

use super::StoreError;

/// Upgrades a file from one version to the next.
type Step = fn(&Connection) -> Result<(), StoreError>;

/// The steps, one per version. A released step never changes.
const STEPS: &[Step] = &[
    |tables| Ok(tables.execute_batch(include_str!("schema/1.sql"))?),
    |tables| {
        early::complete(tables)?;
        Ok(tables.execute_batch(include_str!("schema/2.sql"))?)
    },
    |tables| Ok(tables.execute_batch(include_str!("schema/3.sql"))?),
    |tables| Ok(tables.execute_batch(include_str!("schema/4.sql"))?),
];

/// The version that this program writes.
pub(super) const VERSION: i64 = STEPS.len() as i64;

/// Prepares the connection for safe writing, and upgrades the tables.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    known(connection)?;
    // `FULL`: a commit is on disk when it returns. `secure_delete`: text that is masked later must leave no trace.
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; \
         PRAGMA trusted_schema = OFF; PRAGMA recursive_triggers = ON; PRAGMA journal_size_limit = 16777216;",
    )?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = version(&transaction)?;
    for step in STEPS.iter().skip(usize::try_from(done).unwrap_or_default()) {
        step(&transaction)?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(())
}

/// Checks that this program can read the file, as it is or after an upgrade. A reader does not upgrade, so its queries
/// use no column that a later step adds.
pub(super) fn known(connection: &Connection) -> Result<(), StoreError> {
    let found = version(connection)?;
    if found > VERSION {
        return Err(StoreError::Newer { found, known: VERSION });
    }
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if found < 0 || (found == 0 && tables > 0) {
        return Err(StoreError::Foreign);
    }
    Ok(())
}

/// Returns how many steps a file has taken.
pub(super) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}
