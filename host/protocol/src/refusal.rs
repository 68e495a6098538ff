//! What the gateway refuses, with the values of its sentence. JSON-RPC sends it as the `data` of an error:
//!
//! ```json
//! {"code": -32001, "message": "there is no session …", "data": {"refusal": "no_session", "session": "…"}}
//! ```
//!
//! A refusal of several kinds has the kind beside it, as `why`: the approval that a request does not offer ([`NotOffered`]), and
//! the command that cannot be run ([`NotRunnable`]).
//!
//! An error that repeats what a parser, the disk or a file said has only a code and a message. So has one that an older
//! gateway sends, and a client takes one of a later gateway that it does not know for the same.

mod not_offered;
mod not_runnable;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::{Code, RpcError};
use crate::request::RequestId;
use crate::rest::ErrorCode;
use crate::session::{MAX_FILE, MAX_FILES, MAX_NAME, MAX_PART, MAX_TEXT};

pub use not_offered::NotOffered;
pub use not_runnable::NotRunnable;

/// Why the gateway does not do what it is asked for. It displays the message of the error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "refusal", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the sentence of each variant says what it and its values are")]
pub enum Refusal {
    #[error("there is no request {request}")]
    NoRequest { request: RequestId },
    /// Another answer came first, or the time was over. The approval is beside it.
    #[error("request {request} cannot be answered: it has ended")]
    RequestEnded { request: RequestId },
    /// Another person has denied it and may still say why. The approval is beside it.
    #[error("request {request} cannot be answered: it was denied")]
    RequestDenied { request: RequestId },
    /// The next gateway takes answers again.
    #[error("request {request} cannot be answered now: the gateway is stopping")]
    GatewayStopping { request: RequestId },
    /// The approval is beside it.
    #[error("request {request} does not take this answer: {why}; it takes {takes}")]
    NotOffered {
        request: RequestId,
        #[serde(flatten)]
        why: Box<NotOffered>,
        takes: String,
    },
    #[error("what became of request {request} cannot be recorded")]
    OutcomeNotRecorded { request: RequestId },
    /// It is not known whether there is such a request either.
    #[error("the disk cannot be read, so it is not known what became of request {request}")]
    RequestUnreadable { request: RequestId },
    #[error("request {request} cannot be recorded")]
    RequestNotRecorded { request: RequestId },
    /// They are too many, or too long.
    #[error("{open} requests are open already")]
    TooManyRequests { open: usize },
    /// No surface is attached that could show the request.
    #[error("no messenger, page or terminal is listening")]
    NobodyListens,
    #[error("no grant that holds has this id; an id is given whole, as the list of grants shows it")]
    NoGrant,
    #[error("there is no invocation {invocation}")]
    NoInvocation { invocation: Uuid },
    #[error("the invocation cannot be recorded")]
    InvocationNotRecorded,
    #[error("one more command cannot be taken: {running} wait or run already")]
    TooManyInvocations { running: usize },
    #[error("{why}")]
    NotRunnable {
        #[serde(flatten)]
        why: Box<NotRunnable>,
    },
    /// The next gateway takes commands, and shows grants, again.
    #[error("the gateway is about to end")]
    GatewayEnding,
    #[error("no browser with this id is paired")]
    NoBrowser,
    #[error("there is no session {session}")]
    NoSession { session: Uuid },
    #[error("the session {session} has ended")]
    SessionEnded { session: Uuid },
    #[error("a session works in a folder: {folder} is no absolute path of one")]
    NoFolder { folder: PathBuf },
    /// It is started from elsewhere than a terminal.
    #[error("{folder} is in no folder of DMPLZ_RUN_FOLDERS: only the terminal starts a session there")]
    FolderNotAllowed { folder: PathBuf },
    #[error("a session takes an environment over the Unix socket only")]
    EnvNotAllowed,
    #[error("the session {session} is running")]
    SessionRunning { session: Uuid },
    /// It is asked for something that needs it to be idle.
    #[error("the session {session} is at work: wait until it is done, or interrupt it")]
    SessionBusy { session: Uuid },
    #[error("nothing can be undone: {why}")]
    NothingToUndo { why: String },
    #[error("nothing can be undone: the agent has received no message")]
    NothingReceived,
    /// Undoing would change something else than the person saw.
    #[error("files have changed since: look again at what would be undone")]
    FilesChanged,
    /// There is nothing to go on from.
    #[error("the session {session} has no conversation yet")]
    NoConversation { session: Uuid },
    #[error("the name of a session takes {MAX_NAME} characters")]
    LongName,
    #[error("the client refused: {why}")]
    ClientRefused { why: String },
    #[error("the answer of the client cannot be understood")]
    ClientUnclear,
    #[error("the client has not answered")]
    ClientSilent,
    #[error("a message to a session takes {MAX_TEXT} bytes")]
    LongText,
    #[error("a file for a session has at most {} MiB", MAX_FILE >> 20)]
    LargeFile,
    #[error("a part of a file is at most {} KiB in Base64", MAX_PART >> 10)]
    BadPart,
    /// A part does not follow what was sent before.
    #[error("the upload has {bytes} bytes so far: go on there, or begin anew at 0")]
    PartElsewhere { bytes: u64 },
    #[error("a message to a session takes {MAX_FILES} files")]
    TooManyFiles,
    #[error("the session has cost its budget of ${usd}: set a higher DMPLZ_RUN_BUDGET, or start another one")]
    BudgetSpent { usd: u64 },
    #[error("sessions have cost their budget of ${usd} for 24 hours: wait, or set a higher DMPLZ_RUN_DAILY_BUDGET")]
    DailyBudgetSpent { usd: u64 },
    #[error("{running} sessions run already")]
    TooManySessions { running: usize },
    #[error("no permission of the session has the number {number}")]
    NoPermission { number: u32 },
    #[error("the permissions of the session cannot be written: {why}")]
    PermissionsNotWritten { why: String },
    #[error("the client's settings cannot be changed: {why}")]
    SettingsNotChanged { why: String },
    /// The client lists a rule that was removed from its settings.
    #[error("the settings are changed, and Claude Code still has the rule {rule}: /rules shows where else it is")]
    RuleInForce { rule: String },
    #[error("in the mode {mode} nobody is asked: it can be set once DMPLZ_RUN_MODES names it")]
    ModeNotNamed { mode: String },
    /// `why` is a whole sentence. REST does not send it: where the folder is concerns the operator only.
    #[error("{why}")]
    SessionFolder { why: String },
    #[error("the session cannot be started: {why}")]
    SessionNotStarted { why: String },
}

impl Refusal {
    /// Returns what an error refuses, if its data says so and is understood.
    pub fn of(error: &RpcError) -> Option<Self> {
        Self::deserialize(error.data.as_ref()?).ok()
    }

    /// Returns the code over JSON-RPC.
    pub fn code(&self) -> Code {
        self.codes().0
    }

    /// Returns the codes over JSON-RPC and over REST.
    pub fn codes(&self) -> (Code, ErrorCode) {
        match self {
            Self::NoRequest { .. }
            | Self::NoGrant
            | Self::NoInvocation { .. }
            | Self::NoBrowser
            | Self::NoSession { .. }
            | Self::NoPermission { .. } => (Code::UNKNOWN, ErrorCode::NotFound),
            Self::RequestEnded { .. } | Self::RequestDenied { .. } => (Code::ANSWERED, ErrorCode::AlreadyAnswered),
            Self::SessionEnded { .. } | Self::SessionRunning { .. } => (Code::ANSWERED, ErrorCode::Ended),
            Self::NotOffered { .. }
            | Self::SessionBusy { .. }
            | Self::NothingToUndo { .. }
            | Self::NothingReceived
            | Self::FilesChanged
            | Self::PartElsewhere { .. }
            | Self::NoConversation { .. } => (Code::NOT_OFFERED, ErrorCode::NotOffered),
            // Not `NOT_RECORDED`: a client takes that for a denial that counts.
            Self::RequestUnreadable { .. } => (Code::INTERNAL, ErrorCode::NotRead),
            Self::OutcomeNotRecorded { .. } | Self::RequestNotRecorded { .. } | Self::InvocationNotRecorded => {
                (Code::NOT_RECORDED, ErrorCode::NotRecorded)
            }
            Self::NobodyListens => (Code::NOBODY_LISTENS, ErrorCode::NobodyListens),
            Self::NoFolder { .. }
            | Self::LongText
            | Self::LongName
            | Self::LargeFile
            | Self::BadPart
            | Self::TooManyFiles => (Code::PARAMS, ErrorCode::BadRequest),
            Self::FolderNotAllowed { .. } | Self::ModeNotNamed { .. } => (Code::FORBIDDEN, ErrorCode::Forbidden),
            Self::EnvNotAllowed => (Code::FORBIDDEN, ErrorCode::BadRequest),
            Self::TooManyRequests { .. }
            | Self::TooManyInvocations { .. }
            | Self::TooManySessions { .. }
            | Self::BudgetSpent { .. }
            | Self::DailyBudgetSpent { .. } => (Code::TOO_MANY, ErrorCode::TooManyRequests),
            Self::NotRunnable { .. } => (Code::PARAMS, ErrorCode::NotFound),
            Self::GatewayStopping { .. } | Self::GatewayEnding => (Code::INTERNAL, ErrorCode::Closing),
            Self::SessionFolder { .. }
            | Self::SessionNotStarted { .. }
            | Self::PermissionsNotWritten { .. }
            | Self::SettingsNotChanged { .. }
            | Self::RuleInForce { .. }
            | Self::ClientRefused { .. }
            | Self::ClientUnclear
            | Self::ClientSilent => (Code::INTERNAL, ErrorCode::Client),
        }
    }
}

impl From<Refusal> for RpcError {
    fn from(refusal: Refusal) -> Self {
        let data = serde_json::to_value(&refusal).ok();
        Self { code: refusal.code(), message: refusal.to_string(), data }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use serde_json::{json, to_value};

    use super::*;

    const ID: &str = "5d77f1a0-6f3b-4c1e-9b1d-0a1b2c3d4e5f";

    #[test]
    fn a_refusal_is_read_back_from_the_error_that_it_was_sent_as() {
        let (id, request) = (ID.parse().unwrap(), ID.parse().unwrap());
        for refusal in [
            Refusal::NobodyListens,
            Refusal::SessionBusy { session: id },
            Refusal::NoFolder { folder: "/x".into() },
            Refusal::TooManySessions { running: 64 },
            Refusal::NotOffered { request, why: NotOffered::Plan.into(), takes: "approve, deny".to_owned() },
            Refusal::NotOffered {
                request,
                why: NotOffered::Twice { question: "Why?".to_owned() }.into(),
                takes: "answers, deny".to_owned(),
            },
            Refusal::NotRunnable { why: NotRunnable::TooLarge { file: "/x".into(), most: 9 }.into() },
        ] {
            let sent = to_value(RpcError::from(refusal.clone())).unwrap();
            let read: RpcError = serde_json::from_value(sent).unwrap();
            assert_eq!((read.code, read.to_string()), (refusal.code(), refusal.to_string()));
            assert_eq!(Refusal::of(&read), Some(refusal));
        }
        assert_eq!(
            to_value(RpcError::from(Refusal::NoSession { session: id })).unwrap(),
            json!({ "code": -32001, "message": format!("there is no session {ID}"),
                "data": { "refusal": "no_session", "session": ID } })
        );
    }

    #[test]
    fn a_kind_of_a_refusal_and_its_values_stand_beside_it() {
        let data = |refusal| RpcError::from(refusal).data.unwrap();
        let (request, question) = (ID.parse().unwrap(), "Which?".to_owned());
        let why = NotOffered::Label { question, label: "Red".to_owned(), options: vec!["Blue".to_owned()] }.into();
        assert_eq!(
            data(Refusal::NotOffered { request, why, takes: "answers, deny".to_owned() }),
            json!({ "refusal": "not_offered", "request": ID, "why": "label", "question": "Which?", "label": "Red",
                "options": ["Blue"], "takes": "answers, deny" })
        );
        let why = NotRunnable::NotFound { program: "nope".to_owned() }.into();
        assert_eq!(
            data(Refusal::NotRunnable { why }),
            json!({ "refusal": "not_runnable", "why": "not_found", "program": "nope" })
        );
    }

    #[test]
    fn data_that_is_not_understood_is_an_error_without_a_refusal() {
        let known = json!({ "refusal": "no_session", "session": ID, "later": 1 });
        let id = ID.parse().unwrap();
        let read = |data| Refusal::of(&RpcError { data, ..RpcError::new(Code::UNKNOWN, "no") });
        assert_eq!(read(Some(known)), Some(Refusal::NoSession { session: id }));
        for other in [
            json!({ "refusal": "of_later" }),
            json!({ "refusal": "no_session" }),
            json!({ "id": ID }),
            json!(7),
            json!({ "refusal": "not_offered", "request": ID, "why": "it is no plan", "takes": "deny" }),
        ] {
            assert_eq!(read(Some(other.clone())), None, "{other}");
        }
        assert_eq!(read(None), None);
        let odd = PathBuf::from(std::ffi::OsString::from_vec(vec![b'/', 0xff]));
        let sent = RpcError::from(Refusal::NoFolder { folder: odd });
        assert_eq!((sent.code, sent.data), (Code::PARAMS, None), "JSON has no such path");
    }
}
