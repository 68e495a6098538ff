//! Sessions of Claude Code that the gateway runs, each held by a keeper ([`dmplz_runner::keeper`]).
//!
//! ```text
//! client ─ keeper ─▶ Live (one task a session) ─ Exchange ─▶ asking ─ rules, grants ─▶ Approvals ─▶ surfaces
//!                                               └─ events ─▶ bus (`session.event`)
//! ```
//!
//! What a session asks goes the way of a hook's question (`sessions/asking`). A gateway that starts attaches to the keepers that are there:
//! each tells it again what went over the pipes, so that it knows what the gateway before it answered; what is still pending is the
//! same request, under the same id, and is asked once.
//!
//! **The id of a request** is a digest of the client's id and a secret of the session, so that it is found again and nobody guesses it.
//!
//! Limits: `MOST` sessions run at a time, `KEPT` that have ended are kept, and of each the last `EVENTS` events in memory.

mod asking;
mod link;
mod live;
mod notes;
mod start;
mod view;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dmplz_core::card::Remark;
use dmplz_core::claude::{HookInput, ToolCall};
use dmplz_core::grant::Covers;
use dmplz_core::request::{Outcome, Resolution};
use dmplz_core::text::Lang;
use dmplz_policy::Ruled;
use dmplz_protocol::session::{MAX_TEXT, OneSession, Session, StartSession, State};
use dmplz_protocol::{Code, RequestId, RpcError};
use dmplz_runner::control::UserMessage;
use dmplz_runner::keeper::{SessionDir, SessionDirError};
use tokio::sync::mpsc;
use uuid::Uuid;

use self::live::{Live, Order};
use self::notes::Notes;
use self::view::View;
use crate::approvals::Approvals;

/// Sessions that may run at a time.
const MOST: usize = 64;
/// Sessions that have ended, and are kept.
const KEPT: usize = 50;
/// Events of a session that are kept in memory.
const EVENTS: usize = 1_000;

/// What does not change while the gateway runs.
#[derive(Clone)]
pub struct Setup {
    /// The state directory that holds the sessions.
    pub state: PathBuf,
    /// This program, which is also the keeper.
    pub program: PathBuf,
    /// The environment of sessions that are started without one of their own.
    pub env: BTreeMap<String, String>,
    /// The language of what people read.
    pub lang: Lang,
    /// The rules and grants.
    pub consent: Arc<dyn Consent>,
}

/// The rules that a person wrote and the grants that a person gave, as they are about a session's call. Whoever composes the gateway
/// supplies them; any doubt is a person's.
pub trait Consent: Send + Sync {
    /// What they say of a call. It may read files.
    fn judge(&self, input: &HookInput, call: &ToolCall) -> Ruling;

    /// Keeps the grant that an approval carries, if it carries one, before the client hears of the approval. It may write files.
    fn keep(&self, outcome: &Outcome, covers: Option<Covers>, input: &HookInput, request: RequestId);

    /// Writes down how a call ended that the client asked about, as hooks do. It may write files.
    fn record(&self, ended: &Ended);

    /// The client did not take what a person approved, so a grant that went with it counts no more. It may write files.
    fn take_back(&self, request: RequestId);

    /// A session is over, and the grants that were given for it. It may write files.
    fn ended(&self, session: &str);
}

/// How a call ended that the client of a session asked about.
#[derive(Debug)]
pub struct Ended {
    /// The id of the request that ended.
    pub request: RequestId,
    /// What was asked, as a hook would be told of it.
    pub input: HookInput,
    /// The call that was asked about.
    pub call: ToolCall,
    /// How the request ended.
    pub resolution: Resolution,
    /// How long a person took; none where nobody answered.
    pub answered_after: Option<Duration>,
}

/// What the rules and grants say of a call.
#[derive(Debug, Default)]
pub struct Ruling {
    /// What a rule or a grant decides; none where a person does.
    pub ruled: Option<Ruled>,
    /// What that person should know.
    pub remarks: Vec<Remark>,
    /// What that person may grant; none where a grant would not count.
    pub grantable: Option<Covers>,
}

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
    /// Nobody reads as much.
    #[error("a message to a session takes {MAX_TEXT} bytes")]
    LongText,
    /// Too many run.
    #[error("{MOST} sessions run already")]
    TooMany,
    /// Its folder in the state directory.
    #[error(transparent)]
    Dir(#[from] SessionDirError),
    /// The keeper did not start.
    #[error("the session cannot be started: {0}")]
    Start(String),
}

/// The sessions of a state directory. Cheap to clone.
#[derive(Clone)]
pub struct Sessions {
    shared: Arc<Shared>,
}

struct Shared {
    approvals: Approvals,
    setup: Setup,
    known: Mutex<HashMap<Uuid, Known>>,
}

#[derive(Clone)]
struct Known {
    view: Arc<View>,
    orders: mpsc::UnboundedSender<Order>,
}

impl Sessions {
    /// Takes up the sessions that are there. It answers for those whose keepers live.
    pub fn open(approvals: Approvals, setup: Setup) -> Self {
        let sessions = Self { shared: Arc::new(Shared { approvals, setup, known: Mutex::default() }) };
        let mut found: Vec<(Notes, SessionDir)> = SessionDir::all(&sessions.shared.setup.state)
            .unwrap_or_default()
            .into_iter()
            .filter_map(|dir| Notes::read(&dir).map(|notes| (notes, dir)))
            .collect();
        found.sort_by_key(|(notes, _)| std::cmp::Reverse(notes.created_ms));
        let mut ended = 0;
        for (notes, dir) in found {
            ended += usize::from(!dir.is_kept());
            if ended > KEPT && !dir.is_kept() {
                // It is tried again at the next start.
                let _ = dir.remove();
            } else {
                sessions.take_up(dir, notes);
            }
        }
        sessions
    }

    /// Starts a session. Returns once its keeper runs.
    pub async fn start(&self, wanted: StartSession) -> Result<OneSession, SessionError> {
        if !wanted.cwd.is_absolute() || !wanted.cwd.is_dir() {
            return Err(SessionError::Folder(wanted.cwd));
        }
        if wanted.prompt.as_ref().is_some_and(|prompt| prompt.len() > MAX_TEXT) {
            return Err(SessionError::LongText);
        }
        let running = self.known().values().filter(|known| known.view.session().state != State::Ended).count();
        if running >= MOST {
            return Err(SessionError::TooMany);
        }
        let setup = &self.shared.setup;
        let prompt = wanted.prompt.clone();
        let (dir, notes) = start::start(setup, wanted, self.shared.approvals.now_ms()).await?;
        let known = self.take_up(dir, notes);
        if let Some(text) = prompt {
            let _ = known.orders.send(Order::Say(UserMessage { id: Uuid::new_v4(), text }));
        }
        Ok(known.view.one())
    }

    /// The sessions that are known, the newest first.
    pub fn list(&self) -> Vec<Session> {
        let mut all: Vec<Session> = self.known().values().map(|known| known.view.session()).collect();
        all.sort_by_key(|session| std::cmp::Reverse((session.created_ms, session.id)));
        all
    }

    /// One session, with its last events.
    pub fn get(&self, id: Uuid) -> Result<OneSession, SessionError> {
        Ok(self.find(id)?.view.one())
    }

    /// Sends a person's message. Its id.
    pub fn send(&self, id: Uuid, text: String) -> Result<Uuid, SessionError> {
        if text.len() > MAX_TEXT {
            return Err(SessionError::LongText);
        }
        let message = UserMessage { id: Uuid::new_v4(), text };
        let message_id = message.id;
        self.order(id, Order::Say(message))?;
        Ok(message_id)
    }

    /// Stops the turn of a session; the session goes on.
    pub fn interrupt(&self, id: Uuid) -> Result<(), SessionError> {
        self.order(id, Order::Interrupt)
    }

    /// Ends the session in order.
    pub fn stop(&self, id: Uuid) -> Result<(), SessionError> {
        self.order(id, Order::Quit)
    }

    fn order(&self, id: Uuid, order: Order) -> Result<(), SessionError> {
        let known = self.find(id)?;
        if known.view.session().state == State::Ended {
            return Err(SessionError::Ended(id));
        }
        known.orders.send(order).map_err(|_| SessionError::Ended(id))
    }

    fn take_up(&self, dir: SessionDir, notes: Notes) -> Known {
        let (orders, received) = mpsc::unbounded_channel();
        let view = Arc::new(View::new(dir.id(), &notes));
        let known = Known { view: Arc::clone(&view), orders };
        self.known().insert(dir.id(), known.clone());
        let live = Live::new(self.shared.approvals.clone(), self.shared.setup.clone(), dir, notes, view);
        tokio::spawn(live.run(received));
        known
    }

    fn find(&self, id: Uuid) -> Result<Known, SessionError> {
        self.known().get(&id).cloned().ok_or(SessionError::Unknown(id))
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Uuid, Known>> {
        self.shared.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<SessionError> for RpcError {
    fn from(error: SessionError) -> Self {
        let code = match &error {
            SessionError::Unknown(_) => Code::UNKNOWN,
            SessionError::Ended(_) => Code::ANSWERED,
            SessionError::Folder(_) | SessionError::LongText => Code::PARAMS,
            SessionError::TooMany => Code::TOO_MANY,
            SessionError::Dir(_) | SessionError::Start(_) => Code::INTERNAL,
        };
        Self::new(code, error.to_string())
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}
