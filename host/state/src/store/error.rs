//! Why the database could not be used.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::ffi::ErrorCode;

use super::head::{Head, InvalidHead};

/// Why the database could not be used. Nothing was written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The disk or the database is full. Writing works again once there is space.
    #[error("the database cannot be written to: the disk is full")]
    Full(#[source] Arc<rusqlite::Error>),
    /// Another process held the database beyond the time limit.
    #[error("the database cannot be used: another process holds it")]
    Busy(#[source] Arc<rusqlite::Error>),
    /// The file is no database, or is damaged.
    #[error("the database cannot be read: it is damaged")]
    Corrupt(#[source] Arc<rusqlite::Error>),
    /// SQLite or the file system refused.
    #[error("the file of the database cannot be used")]
    Io(#[source] Arc<rusqlite::Error>),
    /// The file cannot be opened.
    #[error("{path} cannot be opened")]
    Open {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: Arc<io::Error>,
    },
    /// A later version of this program wrote the file.
    #[error(
        "the database cannot be read: it has version {found}, this program knows those up to {known}; use a newer dmplz"
    )]
    Newer {
        /// The file's version.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// The file is the database of another program.
    #[error("the database cannot be used: it holds tables of something else")]
    Foreign,
    /// The audit trail does not hold the entry that its head names: its end was removed, or it was rewritten.
    #[error(
        "the audit trail cannot be gone on with: `audit.head` names entry {} and the trail, which ends with entry {}, does not hold \
         it; look at it with `dmplz audit verify`, and remove `audit.head` to go on",
        .head.seq, .last.seq
    )]
    EndMissing {
        /// The entry that the head names.
        head: Head,
        /// The last entry of the trail.
        last: Head,
    },
    /// An entry of the audit trail is not as recorded, so the trail is not cut there.
    #[error("the audit trail cannot be cut: entry {0} is not as it was recorded; look at it with `dmplz audit verify`")]
    Untrue(u64),
    /// The file of the audit trail's head cannot be read.
    #[error("`audit.head` cannot be read")]
    Head(#[from] InvalidHead),
    /// Another request has the same id.
    #[error("request {0} cannot be kept: another one has its id")]
    IdTaken(String),
    /// Another thread interrupted the call.
    #[error("reading the database took too long")]
    Interrupted,
    /// SQLite reported another error.
    #[error("the database refused")]
    Sql(#[source] Arc<rusqlite::Error>),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let code = error.sqlite_error_code();
        let source = Arc::new(error);
        match code {
            Some(ErrorCode::DiskFull) => Self::Full(source),
            Some(ErrorCode::OperationInterrupted) => Self::Interrupted,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(source),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Corrupt(source),
            Some(
                ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::FileLockingProtocolFailed,
            ) => Self::Io(source),
            _ => Self::Sql(source),
        }
    }
}
