//! The tables, and how older files come to have them. `PRAGMA user_version` says how many steps a file has taken.
//!
//! | version | step | what it brought |
//! |---|---|---|
//! | 1 | `schema/1.sql` | requests, audit trail, notes, invocations |
//! | 2 | `early.rs`, `schema/2.sql` | the clock since the machine's start; a trail whose beginning can be cut off |
//!
//! All steps that a file lacks are one transaction: a process that is killed meanwhile leaves the older version.

mod early;

use rusqlite::{Connection, TransactionBehavior};

use super::StoreError;

/// Brings a file from one version to the next.
type Step = fn(&Connection) -> Result<(), StoreError>;

/// One step from each version to the next. A step that was released never changes.
const STEPS: &[Step] = &[
    |tables| Ok(tables.execute_batch(include_str!("schema/1.sql"))?),
    |tables| {
        early::complete(tables)?;
        Ok(tables.execute_batch(include_str!("schema/2.sql"))?)
    },
];

/// The version that this program writes.
pub(super) const VERSION: i64 = STEPS.len() as i64;

/// Makes the connection safe to write to, and the tables what this program knows.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    known(connection)?;
    // Full: a commit is on the disk when it returns. Zeroing, because what is masked later must not stay behind.
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

/// Makes sure that this program can read the file, as it is or after the steps that it lacks. A reader takes none, so
/// it asks for no column that came with a later step.
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

/// How many steps a file has taken.
pub(super) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}
