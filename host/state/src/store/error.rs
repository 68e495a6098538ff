//! Why the database could not be used.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::ffi::ErrorCode;

use super::head::{Head, InvalidHead};

/// Why the database could not be used. Whatever was being written then is not there.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The disk, or what it may hold, is full. Writing works again once there is room.
    #[error("the database cannot be written to: the disk is full")]
    Full(#[source] Arc<rusqlite::Error>),
    /// Another process holds it, longer than was to be waited for.
    #[error("the database cannot be used: another process holds it")]
    Busy(#[source] Arc<rusqlite::Error>),
    /// What is in the file is no database, or a damaged one.
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
        /// What the system said.
        #[source]
        source: Arc<io::Error>,
    },
    /// A later version of this program wrote it.
    #[error(
        "the database cannot be read: it has version {found}, this program knows those up to {known}; use a newer dmplz"
    )]
    Newer {
        /// Its version.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// It is the database of something else.
    #[error("the database cannot be used: it holds tables of something else")]
    Foreign,
    /// The audit trail does not hold what its head names: its end was removed, or it was written anew.
    #[error(
        "the audit trail cannot be gone on with: `audit.head` names entry {} and the trail, which ends with entry {}, does not hold \
         it; look at it with `dmplz audit verify`, and remove `audit.head` to go on",
        .head.seq, .last.seq
    )]
    EndMissing {
        /// What is to be there.
        head: Head,
        /// What is there.
        last: Head,
    },
    /// An entry of the audit trail is not what was recorded, so the trail is not cut there.
    #[error("the audit trail cannot be cut: entry {0} is not as it was recorded; look at it with `dmplz audit verify`")]
    Untrue(u64),
    /// The audit trail's head cannot be read.
    #[error("`audit.head` cannot be read")]
    Head(#[from] InvalidHead),
    /// Another request has the id.
    #[error("request {0} cannot be kept: another one has its id")]
    IdTaken(String),
    /// It was ended from another thread.
    #[error("reading the database took too long")]
    Interrupted,
    /// The database refused, for a reason of which the caller knows no more than we do.
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
