//! Why nothing is done for a session.

use std::path::PathBuf;

use dmplz_protocol::rest::ErrorCode;
use dmplz_protocol::session::{MAX_FILE, MAX_FILES, MAX_NAME, MAX_PART, MAX_TEXT};
use dmplz_protocol::{Code, RpcError};
use dmplz_runner::keeper::SessionDirError;
use uuid::Uuid;

use super::MOST;

/// Why nothing is done for a session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// There is none.
    #[error("there is no session {0}")]
    Unknown(Uuid),
    /// It is over.
    #[error("the session {0} has ended")]
    Ended(Uuid),
    /// The folder is none.
    #[error("a session works in a folder: {0} is no absolute path of one")]
    Folder(PathBuf),
    /// It is started from elsewhere than a terminal, and the folder is not among those of the operator.
    #[error("{0} is in no folder of DMPLZ_RUN_FOLDERS: only the terminal starts a session there")]
    NotAllowed(PathBuf),
    /// It is to begin with an environment, which only a process of the same user gives.
    #[error("a session takes an environment over the Unix socket only")]
    Env,
    /// It runs.
    #[error("the session {0} is running")]
    Running(Uuid),
    /// It is asked for something that needs it to be idle.
    #[error("the session {0} is at work: wait until it is done, or interrupt it")]
    Busy(Uuid),
    /// There is no message since which anything could be undone.
    #[error("nothing can be undone: {0}")]
    NothingToUndo(String),
    /// Undoing would change something else than the person saw.
    #[error("files have changed since: look again at what would be undone")]
    Changed,
    /// The session has no conversation to go on from.
    #[error("the session {0} has no conversation yet")]
    Silence(Uuid),
    /// The name is too long.
    #[error("the name of a session takes {MAX_NAME} characters")]
    LongName,
    /// The client said no.
    #[error("the client refused: {0}")]
    Refused(String),
    /// The client said nothing.
    #[error("the client has not answered")]
    Silent,
    /// Nobody reads as much.
    #[error("a message to a session takes {MAX_TEXT} bytes")]
    LongText,
    /// A file is larger than the host gets from a messenger.
    #[error("a file for a session has at most {} MiB", MAX_FILE >> 20)]
    LargeFile,
    /// A part of a file is no Base64, or too large.
    #[error("a part of a file is at most {} KiB in Base64", MAX_PART >> 10)]
    BadPart,
    /// Nobody sends as many.
    #[error("a message to a session takes {MAX_FILES} files")]
    TooManyFiles,
    /// It has cost what one session may, in US dollars.
    #[error("the session has cost its budget of ${0}: set a higher DMPLZ_RUN_BUDGET, or start another one")]
    Spent(u64),
    /// Sessions have cost what they may in 24 hours, in US dollars.
    #[error("sessions have cost their budget of ${0} for 24 hours: wait, or set a higher DMPLZ_RUN_DAILY_BUDGET")]
    DaySpent(u64),
    /// Too many run.
    #[error("{MOST} sessions run already")]
    TooMany,
    /// No permission has this number.
    #[error("no permission of the session has the number {0}")]
    NoPermission(u32),
    /// What people allowed cannot be written down.
    #[error("the permissions of the session cannot be written: {0}")]
    Permissions(std::io::Error),
    /// A settings file of the client cannot be changed.
    #[error("the client's settings cannot be changed: {0}")]
    Settings(String),
    /// The client lists a rule that was removed from its settings.
    #[error("the settings are changed, and Claude Code still has the rule {0}: /rules shows where else it is")]
    InForce(String),
    /// Nobody is asked in that mode, and the operator does not name it.
    #[error("in the mode {0} nobody is asked: it can be set once DMPLZ_RUN_MODES names it")]
    NoSuchMode(&'static str),
    /// Its folder in the state directory.
    #[error(transparent)]
    Dir(#[from] SessionDirError),
    /// The keeper did not start.
    #[error("the session cannot be started: {0}")]
    Start(String),
}

impl SessionError {
    /// Returns the error's codes over JSON-RPC and over REST.
    pub(crate) fn codes(&self) -> (Code, ErrorCode) {
        match self {
            Self::Unknown(_) | Self::NoPermission(_) => (Code::UNKNOWN, ErrorCode::NotFound),
            Self::Ended(_) | Self::Running(_) => (Code::ANSWERED, ErrorCode::Ended),
            Self::Folder(_)
            | Self::LongText
            | Self::LongName
            | Self::LargeFile
            | Self::BadPart
            | Self::TooManyFiles => (Code::PARAMS, ErrorCode::BadRequest),
            Self::Busy(_)
            | Self::NothingToUndo(_)
            | Self::Changed
            | Self::Dir(SessionDirError::Elsewhere(_))
            | Self::Silence(_) => (Code::NOT_OFFERED, ErrorCode::NotOffered),
            Self::NotAllowed(_) | Self::NoSuchMode(_) => (Code::FORBIDDEN, ErrorCode::Forbidden),
            Self::Env => (Code::FORBIDDEN, ErrorCode::BadRequest),
            Self::TooMany | Self::Spent(_) | Self::DaySpent(_) => (Code::TOO_MANY, ErrorCode::TooManyRequests),
            Self::Dir(_)
            | Self::Start(_)
            | Self::Permissions(_)
            | Self::Settings(_)
            | Self::InForce(_)
            | Self::Refused(_)
            | Self::Silent => (Code::INTERNAL, ErrorCode::Client),
        }
    }
}

impl From<SessionError> for RpcError {
    fn from(error: SessionError) -> Self {
        Self::new(error.codes().0, error.to_string())
    }
}
