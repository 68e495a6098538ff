//! Serves many requests of one account at once.
//!
//! ```text
//!  commands ─▶ line ─▶ cards (a limited number, first come first served)          ─▶ retired
//!                        ▲ presses, words                │ denied, decided
//!           poll ────────┘                               ▼
//!        (one for all)                                 owner
//! ```
//!
//! A request takes a place when its card is posted, and frees it as soon as the owner reports its end. What the card
//! finally shows comes later, when it is known whether the client took the decision. A card that the messenger cannot
//! show goes to the end of the line and is tried again, so that it delays no other card. If the messenger is down, its
//! requests stay open, because other surfaces may answer.
//!
//! **Invariant:** the next poll, which lets the messenger forget the events of the last one, begins only after the
//! owner has stored those events that may count, or two seconds later at most. A card that is busy holds up no other.
//! **Invariant:** the owner alone ends a request whose time is over. A poll begins at that time, so that the owner gets
//! every denial that was pressed before; the owner is told once those events are passed on.

mod attend;
mod look;
mod revoke;

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::approvers::Approvers;
use dmplz_core::card::{Ended, Subject};
use dmplz_core::flow::Rules;
use dmplz_core::reason::ReasonRules;
use dmplz_core::request::{Denial, Offer};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::Desk;
use crate::ledger::{Ledger, Progress};
use crate::session::chat::ChatSession;
use crate::session::messenger::Messenger;
use crate::session::owner::Owner;

/// The delay before a card that cannot be shown is tried again. It doubles up to [`LONGEST`].
const AGAIN: Duration = Duration::from_secs(2);
const LONGEST: Duration = Duration::from_secs(60);

/// A command to a desk.
#[derive(Debug)]
pub enum Command {
    /// Asks people about a request.
    Ask(Box<Job>),
    /// The request has ended in some way. Nobody may answer its card any more, and its place is free.
    Resolved {
        /// The request's id.
        id: String,
    },
    /// Sets what the request's card shows from now on. Also ends the request.
    Close {
        /// The request's id.
        id: String,
        /// How it ended.
        ended: Ended,
    },
    /// The grant that the request was answered with no longer holds, and was not revoked on its card.
    Ungranted {
        /// The request's id.
        id: String,
        /// The name of the person who revoked it; `None` if it ended by itself.
        by: Option<String>,
    },
}

/// One of many requests.
#[derive(Debug, Clone)]
pub struct Job {
    /// The owner's id of the request.
    pub id: String,
    /// The tag that the card and each of its buttons carry.
    pub tag: String,
    /// The full subject of the request.
    pub subject: Arc<Subject>,
    /// What the card offers besides yes and no.
    pub offer: Offer,
    /// When the owner ends the request.
    pub deadline: Instant,
    /// Its progress in a dead process. A card that is posted is not posted again.
    pub progress: Option<Progress>,
    /// The person who denied on this messenger before, and may still give a reason.
    pub denied: Option<Denial<Instant>>,
    /// Whether it has ended already. Then no card is posted. A card that a dead process posted shows the end, even if
    /// only a press reveals its message.
    pub is_over: bool,
}

/// Settings for all requests.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The people whose answers count.
    pub approvers: Approvers,
    /// How long a reason is awaited.
    pub reason_timeout: Duration,
    /// How the text of a reason is normalised.
    pub reason: ReasonRules,
    /// The most cards that are posted at a time, at least one.
    pub active: usize,
}

impl<M: Messenger + 'static, L: Ledger + 'static> Desk<M, L> {
    /// Serves until the commands end. Posted cards stay for the next process. Must run within a
    /// [`LocalSet`](tokio::task::LocalSet).
    pub async fn serve<O: Owner + 'static>(self, mut commands: mpsc::Receiver<Command>, owner: O, terms: Terms) {
        let mut health = self.session.health.subscribe();
        let owner = Rc::new(owner);
        let mut looks = JoinSet::new();
        let terms = Rc::new(terms);
        looks.spawn_local(look::look_on(self.session.clone(), self.cursor, owner.clone(), terms.clone()));
        let session = self.session;
        let mut service = Service {
            session: session.clone(),
            owner: owner.clone(),
            terms,
            line: VecDeque::new(),
            waiting: HashMap::new(),
            cards: HashMap::new(),
            attended: JoinSet::new(),
            later: JoinSet::new(),
        };
        looks.spawn_local(async move { session.retire_orphans().await });
        let mut up = true;
        loop {
            // Handles all waiting commands first, so that a request which ended during an outage is not shown for a moment.
            while let Ok(command) = commands.try_recv() {
                service.obey(command);
            }
            service.next_cards();
            tokio::select! {
                biased;
                command = commands.recv() => match command {
                    Some(command) => service.obey(command),
                    None => return,
                },
                Some(Ok(left)) = service.attended.join_next() => service.left(left),
                Some(Ok(id)) = service.later.join_next() => service.line.push_back(id),
                Ok(()) = health.changed() => {
                    let health = health.borrow_and_update().clone();
                    let trouble = health.looking.or(health.posting);
                    if up != trouble.is_none() {
                        up = trouble.is_none();
                        owner.reachable(trouble.as_deref());
                    }
                }
            }
        }
    }
}

struct Service<M, L, O> {
    session: Rc<ChatSession<M, L>>,
    owner: Rc<O>,
    terms: Rc<Terms>,
    /// The ids of requests that wait for a place. Ended ones are no longer in `waiting`.
    line: VecDeque<String>,
    waiting: HashMap<String, (Box<Job>, u32)>,
    cards: HashMap<String, Card>,
    attended: JoinSet<attend::Left>,
    later: JoinSet<String>,
}

/// A request that has a place.
struct Card {
    tries: u32,
    resolve: Option<oneshot::Sender<()>>,
    close: Option<oneshot::Sender<Ended>>,
}

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner + 'static> Service<M, L, O> {
    fn obey(&mut self, command: Command) {
        match command {
            Command::Ask(job) if self.cards.contains_key(&job.id) || self.waiting.contains_key(&job.id) => {}
            // A card that is posted already needs no place in the line.
            Command::Ask(job) if job.is_over || job.progress.as_ref().is_some_and(|it| it.card.is_some()) => {
                let ended = job.is_over.then(|| job.id.clone());
                self.attend(job, 0);
                ended.inspect(|id| self.resolve(id));
            }
            Command::Ask(job) => {
                self.line.push_back(job.id.clone());
                self.waiting.insert(job.id.clone(), (job, 0));
            }
            Command::Resolved { id } => self.resolve(&id),
            Command::Close { id, ended } => {
                self.resolve(&id);
                if let Some(close) = self.cards.get_mut(&id).and_then(|card| card.close.take()) {
                    let _ = close.send(ended);
                }
            }
            Command::Ungranted { id, by } => revoke::ungranted(&self.session, &id, by.as_deref()),
        }
    }

    fn resolve(&mut self, id: &str) {
        self.waiting.remove(id);
        if let Some(resolve) = self.cards.get_mut(id).and_then(|card| card.resolve.take()) {
            let _ = resolve.send(());
        }
    }

    /// Gives free places to the requests that wait for one.
    fn next_cards(&mut self) {
        let mut up = self.cards.values().filter(|card| card.resolve.is_some()).count();
        while up < self.terms.active.max(1)
            && let Some(id) = self.line.pop_front()
        {
            if let Some((job, tries)) = self.waiting.remove(&id) {
                self.attend(job, tries);
                up += 1;
            }
        }
        if self.waiting.is_empty() {
            self.line.clear();
        }
    }

    fn attend(&mut self, job: Box<Job>, tries: u32) {
        let (resolve, resolved) = oneshot::channel();
        let (close, closed) = oneshot::channel();
        self.cards.insert(job.id.clone(), Card { tries, resolve: Some(resolve), close: Some(close) });
        let attending = attend::Attending {
            session: self.session.clone(),
            owner: self.owner.clone(),
            rules: self.terms.rules(&self.session, &job),
            job,
        };
        self.attended.spawn_local(attending.run(resolved, closed));
    }

    fn left(&mut self, left: attend::Left) {
        match left {
            attend::Left::Retired { id } => drop(self.cards.remove(&id)),
            attend::Left::Unshown { job } => {
                let Some(Card { tries, resolve: Some(_), .. }) = self.cards.remove(&job.id) else { return };
                let wait = AGAIN.saturating_mul(1 << tries.min(5)).min(LONGEST);
                let id = job.id.clone();
                self.waiting.insert(id.clone(), (job, tries.saturating_add(1)));
                self.later.spawn_local(async move {
                    tokio::time::sleep(wait).await;
                    id
                });
            }
        }
    }
}

impl Terms {
    fn rules<M: Messenger, L: Ledger>(&self, session: &ChatSession<M, L>, job: &Job) -> Rules {
        Rules {
            approvers: self.approvers.clone(),
            offer: job.offer.clone(),
            deadline: session.millis(job.deadline),
            reason_timeout: u64::try_from(self.reason_timeout.as_millis()).unwrap_or(u64::MAX),
            reason: self.reason.clone(),
        }
    }
}
