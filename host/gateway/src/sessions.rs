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
//! **The number of an event** is its place in the keeper's log, so that it is the same for the next gateway.
//!
//! Limits: `MOST` sessions run at a time, `KEPT` that have ended are kept, and of each the last `EVENTS` events in memory, at most `BYTES`
//! of text.

mod asking;
mod elicited;
mod folders;
mod fork;
mod form;
mod happenings;
mod interrupt;
mod limits;
mod link;
mod live;
mod mode;
mod notes;
mod order;
mod permissions;
mod queue;
mod received;
mod revoke;
mod start;
mod todos;
mod told;
mod undo;
mod view;
mod writing;

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::card::Remark;
use dmplz_core::claude::{HookInput, Permission, ToolCall};
use dmplz_core::grant::Covers;
use dmplz_core::request::{Outcome, Resolution};
use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;
use dmplz_policy::Ruled;
use dmplz_protocol::session::{MAX_NAME, MAX_TEXT, OneSession, Session, StartSession, State, UnaskedMode};
use dmplz_protocol::{Refusal, RequestId};
use dmplz_runner::control::{Command, UserMessage};
use dmplz_runner::keeper::SessionDir;
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

pub use folders::{Folders, Place};
pub use limits::Limits;
pub use order::Interrupt;
pub use received::Upload;

use self::limits::Spending;
use self::live::Live;
use self::notes::{Notes, Turns};
use self::order::{Asker, Order};
use self::permissions::Permissions;
use self::view::View;
use crate::approvals::Approvals;
use crate::mutex::Mutex;

/// Sessions that may run at a time.
const MOST: usize = 64;
/// Sessions that have ended, and are kept.
const KEPT: usize = 50;
/// Events of a session that are kept in memory.
const EVENTS: usize = 1_000;
/// Bytes of text that the events of a session hold which are kept in memory.
const BYTES: usize = 2 << 20;
/// How long the client may take to answer a request of ours.
const ANSWERS: Duration = Duration::from_secs(15);

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
    /// The folders in which sessions may be started from elsewhere than a terminal.
    pub folders: Folders,
    /// The modes in which nobody is asked that may be set, after a confirmation.
    pub modes: Vec<UnaskedMode>,
    /// What sessions may cost, and how long one may be idle.
    pub limits: Limits,
    /// Is called with what the log should say, in English: which file cannot be read, and what follows from it.
    pub warn: Arc<dyn Fn(&str) + Send + Sync>,
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

    /// Removes a permission from a settings file of the client, and changes nothing else there. One that is not there is no
    /// error; the text of an error says what is wrong. It may write files.
    fn remove(&self, permission: &Permission, settings: &Path) -> Result<(), String>;
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

/// Returns the id of what a message of a chat starts or sends, which is the same each time the message is told. One of the parts is to
/// be a secret, so that nobody guesses it.
pub fn id_of(parts: &[&str]) -> Uuid {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(hash.finalize()).for_each(|(to, from)| *to = from);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// The sessions of a state directory. Cheap to clone.
#[derive(Clone)]
pub struct Sessions {
    shared: Arc<Shared>,
}

struct Shared {
    approvals: Approvals,
    setup: Setup,
    spending: Arc<Spending>,
    notes: Turns,
    known: Mutex<HashMap<Uuid, Known>>,
}

#[derive(Clone)]
struct Known {
    view: Arc<View>,
    permissions: Permissions,
    orders: mpsc::UnboundedSender<Order>,
}

impl Sessions {
    /// Takes up the sessions that are there. It answers for those whose keepers live.
    pub fn open(approvals: Approvals, setup: Setup) -> Self {
        let warn = &*setup.warn;
        let dirs = SessionDir::all(&setup.state).unwrap_or_else(|error| {
            warn(&format!("the sessions in {} cannot be listed, so none goes on: {error}", setup.state.display()));
            Vec::new()
        });
        let mut found: Vec<(Notes, SessionDir)> =
            dirs.into_iter().filter_map(|dir| noted(&dir, warn).map(|notes| (notes, dir))).collect();
        let is_there = |id: &Uuid| found.iter().any(|(_, dir)| dir.id() == *id);
        let spending = Arc::new(Spending::open(&setup.state, setup.limits, is_there, warn));
        let (notes, known) = (Turns::default(), Mutex::default());
        let sessions = Self { shared: Arc::new(Shared { approvals, setup, spending, notes, known }) };
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
        sessions.go_on_with_changes();
        sessions
    }

    /// Starts a session for somebody at this place. Returns once its keeper runs.
    pub async fn start(&self, wanted: StartSession, place: Place<'_>) -> Result<OneSession, Refusal> {
        place.gives(wanted.env.as_ref())?;
        let cwd = self.shared.setup.folders.allowed(place, &wanted.cwd)?;
        let prompt = wanted.prompt.clone();
        let started = self.start_as(Uuid::new_v4(), StartSession { cwd, ..wanted }).await?;
        if let Some(text) = prompt {
            self.send_first(started.session.id, text);
        }
        Ok(started)
    }

    /// Sends the first message of a session that was started, or has the session say why not: meanwhile other sessions may
    /// have spent what was left for the day.
    fn send_first(&self, id: Uuid, text: String) {
        if let Err(refusal) = self.send(id, text) {
            self.note(id, format!("The first message was not sent: {refusal}"));
        }
    }

    async fn start_as(&self, id: Uuid, wanted: StartSession) -> Result<OneSession, Refusal> {
        if !wanted.cwd.is_absolute() || !wanted.cwd.is_dir() {
            return Err(Refusal::NoFolder { folder: wanted.cwd });
        }
        wanted.prompt.as_deref().map_or(Ok(()), fits)?;
        self.has_room()?;
        let now_ms = self.shared.approvals.now_ms();
        let budget = self.shared.spending.allowance(0.0, now_ms)?;
        let (dir, notes) = start::start(&self.shared, id, wanted, budget, now_ms).await?;
        self.shared.spending.count(id, 0.0, now_ms, false);
        Ok(self.take_up(dir, notes).view.one())
    }

    /// Gives a session a name, also one that has ended; an empty one takes it away.
    pub async fn rename(&self, id: Uuid, name: &str) -> Result<(), Refusal> {
        let view = self.find(id)?.view;
        let name = visible_line(name.trim());
        if name.chars().count() > MAX_NAME {
            return Err(Refusal::LongName);
        }
        let dir = SessionDir::of(&self.shared.setup.state, id);
        let turn = self.shared.notes.take().await;
        let notes = Notes::of_known(&dir)?;
        let turn = turn.write(&dir, Notes { name: name.clone(), ..notes }).await?;
        view.renamed(name);
        drop(turn);
        view.tell_changes(&self.shared.approvals);
        Ok(())
    }

    /// The sessions that are known, the newest first.
    pub fn list(&self) -> Vec<Session> {
        let mut all: Vec<Session> = self.shared.known.lock().values().map(|known| known.view.session()).collect();
        all.sort_by_key(|session| std::cmp::Reverse((session.created_ms, session.id)));
        all
    }

    /// One session, with its last events. Right after a start of the gateway it waits for what the session did before.
    pub async fn get(&self, id: Uuid) -> Result<OneSession, Refusal> {
        let view = self.find(id)?.view;
        view.known().await;
        Ok(view.one())
    }

    /// Sends a person's message. Its id.
    pub fn send(&self, id: Uuid, text: String) -> Result<Uuid, Refusal> {
        self.takes(&text)?;
        let message = UserMessage { id: Uuid::new_v4(), text, starts_turn: true };
        let message_id = message.id;
        self.order(id, Order::Say { message, written: None })?;
        Ok(message_id)
    }

    /// Sends a person's message that may be told twice: a session that was sent this id before is not sent it again. Returns once it is on
    /// its way to the keeper, or after 15 seconds.
    pub async fn send_once(&self, id: Uuid, message_id: Uuid, text: String) -> Result<(), Refusal> {
        self.takes(&text)?;
        let (written, is_written) = oneshot::channel();
        let message = UserMessage { id: message_id, text, starts_turn: true };
        self.order(id, Order::Say { message, written: Some(written) })?;
        match timeout(ANSWERS, is_written).await {
            Ok(written) => written.map_err(|_| Refusal::SessionEnded { session: id }),
            Err(_) => Err(Refusal::ClientSilent),
        }
    }

    /// Takes back a message. Whether the client had not taken it yet.
    pub async fn retract(&self, id: Uuid, message_uuid: Uuid) -> Result<bool, Refusal> {
        let retracted = told::retracted(&self.ask(id, Command::CancelAsyncMessage { message_uuid }).await?);
        if retracted {
            self.find(id)?.view.dropped(message_uuid);
        }
        Ok(retracted)
    }

    /// Changes the model of a session; none is the client's default.
    pub async fn set_model(&self, id: Uuid, model: Option<String>) -> Result<(), Refusal> {
        self.ask(id, Command::SetModel { model: model.clone() }).await?;
        let dir = SessionDir::of(&self.shared.setup.state, id);
        let turn = self.shared.notes.take().await;
        let notes = Notes::of_known(&dir)?;
        drop(turn.write(&dir, Notes { model, ..notes }).await?);
        Ok(())
    }

    /// Ends the session in order.
    pub fn stop(&self, id: Uuid) -> Result<(), Refusal> {
        self.order(id, Order::Quit)
    }

    /// Asks a session's client for something. What it says, JSON.
    async fn ask(&self, id: Uuid, command: Command) -> Result<String, Refusal> {
        self.answered(id, |asker| Order::Ask(command, asker)).await
    }

    /// Gives an order to a session's client, and waits for what it says, JSON.
    async fn answered(&self, id: Uuid, order: impl FnOnce(Asker) -> Order) -> Result<String, Refusal> {
        let (asker, answer) = oneshot::channel();
        self.order(id, order(asker))?;
        match timeout(ANSWERS, answer).await {
            Ok(Ok(answer)) => answer.map_err(|refusal| Refusal::ClientRefused { why: refusal.to_string() }),
            Ok(Err(_)) | Err(_) => Err(Refusal::ClientSilent),
        }
    }

    /// Insists that a session may be sent this text now.
    fn takes(&self, text: &str) -> Result<(), Refusal> {
        fits(text)?;
        self.shared.spending.has_left(self.shared.approvals.now_ms())
    }

    fn has_room(&self) -> Result<(), Refusal> {
        let running =
            self.shared.known.lock().values().filter(|known| known.view.session().state != State::Ended).count();
        if running < MOST { Ok(()) } else { Err(Refusal::TooManySessions { running: MOST }) }
    }

    fn order(&self, id: Uuid, order: Order) -> Result<(), Refusal> {
        let known = self.find(id)?;
        if known.view.session().state == State::Ended {
            return Err(Refusal::SessionEnded { session: id });
        }
        known.orders.send(order).map_err(|_| Refusal::SessionEnded { session: id })
    }

    fn take_up(&self, dir: SessionDir, notes: Notes) -> Known {
        let (orders, received) = mpsc::unbounded_channel();
        let permissions = Permissions::open(dir.path(), &*self.shared.setup.warn);
        let view = Arc::new(View::new(dir.id(), &notes));
        let known = Known { view: Arc::clone(&view), permissions: permissions.clone(), orders };
        self.shared.known.lock().insert(dir.id(), known.clone());
        let Shared { approvals, setup, spending, .. } = &*self.shared;
        let live = Live::new(approvals.clone(), setup.clone(), Arc::clone(spending), dir, notes, view, permissions);
        tokio::spawn(live.run(received));
        known
    }

    fn find(&self, id: Uuid) -> Result<Known, Refusal> {
        self.shared.known.lock().get(&id).cloned().ok_or(Refusal::NoSession { session: id })
    }
}

/// Returns the notes of a session. One that has none was never started.
fn noted(dir: &SessionDir, warn: &dyn Fn(&str)) -> Option<Notes> {
    match Notes::read(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            let (path, id) = (dir.notes(), dir.id());
            warn(&format!(
                "{} cannot be read, so session {id} is not known, and nobody is asked what it asks: {error}",
                path.display()
            ));
            None
        }
        Ok(notes) => Some(notes),
    }
}

/// Returns whether a session takes a message of this length.
fn fits(text: &str) -> Result<(), Refusal> {
    if text.len() > MAX_TEXT { Err(Refusal::LongText) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
