//! Sessions that are led from the chat of a messenger (`DMPLZ_RUN_CHATS`).
//!
//! ```text
//! bus ─ session.event, session.changed ─▶ show ─ cards, edited at most every few seconds; ends of turns as new messages ─▶ chat
//! desk ─ texts, presses that are no request's ─▶ hear ─▶ orders ─▶ Sessions
//! ```
//!
//! | somebody writes | so |
//! |---|---|
//! | anything in the thread of a session | it is a message to the session |
//! | a reply to a message about a session | it is a message to the session |
//! | a command, alone or as such a reply | it is carried out |
//! | anything else, in a private chat where one session runs and no request is open | it is a message to that session |
//! | anything else, in a private chat | it goes nowhere, and the answer says what to do |
//! | anything else, in a group | nothing: people talk to each other there |
//!
//! What anybody else than the approvers of the chat writes is passed over.
//!
//! **Invariant:** nothing here answers a request.
//!
//! **Each text counts once**: which ones were handled is kept (`state::Handled`), and what a text starts or sends has an id that
//! follows from it, so that one that is told again after a crash starts and sends nothing again.

mod drafts;
mod face;
mod hear;
mod inbox;
mod orders;
mod show;
mod thread;
mod undo;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::future::pending;
use std::rc::Rc;
use std::time::Duration;

use dmplz_core::approvers::Approvers;
use dmplz_core::card::Style;
use dmplz_core::lead::{self, Medium};
use dmplz_core::messenger::{Card, Chat, Chosen, Event, MessageRef, OpenChat, Said, Watch};
use dmplz_core::text::LeadWords;
use dmplz_desk::Claim;
use dmplz_gateway::Approvals;
use dmplz_gateway::sessions::Sessions;
use dmplz_plugin::Provider;
use dmplz_state::{Led, LedFile, LedSession};
use tokio::sync::{Mutex, Notify, oneshot};
use uuid::Uuid;

use self::inbox::{Inbox, Received};
use super::Common;
use crate::settings::ChatDetail;
use crate::{tag, trouble};

/// How long a call of the messenger may take.
const CALL: Duration = Duration::from_secs(20);
/// How many messages about a session are remembered, to which people may reply.
const MESSAGES: usize = 50;

/// The account on which sessions are led.
pub(super) struct Account {
    pub(super) messenger: Rc<Provider>,
    /// The chat as it is configured.
    pub(super) configured: Chat,
    pub(super) surface: String,
    pub(super) chat: OpenChat,
    pub(super) style: Style,
    pub(super) detail: ChatDetail,
    pub(super) approvers: Approvers,
    pub(super) file: LedFile,
}

/// Sessions that are led from one chat.
pub(super) struct Lead {
    account: Account,
    medium: Medium,
    approvals: Approvals,
    sessions: Sessions,
    led: RefCell<Led>,
    /// The cards as they are shown, by sessions.
    shown: RefCell<HashMap<Uuid, Card>>,
    /// The cards that offer to undo edits, by their tags. After a restart they offer nothing any more.
    undos: RefCell<Vec<undo::Offered>>,
    /// Sessions whose cards are to be looked at.
    touched: RefCell<BTreeSet<Uuid>>,
    is_touched: Notify,
    /// It is decided where a session is shown.
    placed: Notify,
    /// Held while a message about a session is posted: people may see it, and reply to it, before it is known here.
    posting: Mutex<()>,
    /// There is more to watch.
    grown: Notify,
    inbox: Inbox,
    received: RefCell<Option<Received>>,
    /// The bot's name, once somebody wrote a command to a bot by name.
    bot: OnceCell<String>,
    /// When this began, in Unix milliseconds. What a session did before it ran here is not told.
    began_ms: u64,
}

/// Leads while the desk serves. Never returns.
pub(super) async fn run(lead: Option<Rc<Lead>>) {
    let Some(lead) = lead else { return pending().await };
    let Some(Received { heard, strangers }) = lead.received.take() else { return pending().await };
    tokio::join!(lead.hear(heard), lead.turn_away(strangers), lead.show());
}

impl Lead {
    /// Takes up what the gateway before knew of the chat.
    pub(super) fn open(account: Account, common: &Common) -> anyhow::Result<Self> {
        let mut led = account.file.load()?;
        if led.chat != account.chat.id || led.secret.is_empty() {
            let secret = Uuid::new_v4().simple().to_string();
            led = Led { secret, chat: account.chat.id.clone(), home_tag: tag::fresh(), ..Led::default() };
        }
        let (inbox, received) = Inbox::open();
        Ok(Self {
            medium: Medium::of(account.messenger.transport().reads_chat),
            approvals: common.approvals.clone(),
            sessions: common.sessions.clone(),
            led: RefCell::new(led),
            shown: RefCell::default(),
            undos: RefCell::default(),
            touched: RefCell::default(),
            is_touched: Notify::new(),
            placed: Notify::new(),
            posting: Mutex::new(()),
            grown: Notify::new(),
            inbox,
            received: RefCell::new(Some(received)),
            bot: OnceCell::new(),
            began_ms: common.approvals.now_ms(),
            account,
        })
    }

    /// What is watched: the chat's own card, which brings the texts, also one that was deleted, those in threads, and the
    /// cards with choices.
    pub(super) fn watches(&self) -> Vec<Watch> {
        let (led, shown) = (self.led.borrow(), self.shown.borrow());
        let home = led.home.clone().map(|message| {
            let Card { tag, choices, .. } = self.home(&led);
            Watch { message, tag, choices, text: true }
        });
        // Where each watched message costs a look, the threads of sessions that have ended are let go.
        let polled = self.account.messenger.transport().poll_interval > 0;
        let card = |(id, session): (&String, &LedSession)| {
            let message = session.card.clone()?;
            let card = Uuid::try_parse(id).ok().and_then(|id| shown.get(&id));
            let choices = card.map(|card| card.choices.clone()).unwrap_or_default();
            let text = session.thread().is_some() && !(polled && session.over);
            let tag = session.tag.clone();
            (text || !choices.is_empty()).then_some(Watch { message, tag, choices, text })
        };
        let former = led.former_home.clone();
        let former = former.map(|message| Watch { message, tag: String::new(), choices: Vec::new(), text: true });
        home.into_iter().chain(former).chain(led.sessions.iter().filter_map(card)).chain(self.undo_watches()).collect()
    }

    /// Completes once there is more to watch.
    pub(super) async fn grown(&self) {
        self.grown.notified().await;
    }

    /// Takes an event, if it is about a session. The receiver completes once it is handled.
    pub(super) fn take(&self, event: &Event, claim: Claim) -> Option<oneshot::Receiver<()>> {
        let is_ours = match (event, claim) {
            (Event::Chosen(press), Claim::First) => self.pressed_on(press).is_some(),
            (Event::Chosen(_), Claim::Last) => false,
            (Event::Said(said), claim) => self.is_heard(said) && (claim == Claim::Last || self.is_certainly_ours(said)),
        };
        if !is_ours {
            return None;
        }
        let handled = self.inbox.put(event, &self.account.approvers);
        if handled.is_none() {
            trouble::warn(&format!("a text on {} was passed over: too many came at once", self.account.surface));
        }
        Some(handled.unwrap_or_else(|| oneshot::channel().1))
    }

    /// Whether the person may lead sessions.
    fn is_heard(&self, said: &Said) -> bool {
        self.is_here(&said.message) && self.account.approvers.admit(&said.user).is_some()
    }

    /// A reply to a message about a session, or a command that is no reply to anything else: a text that is neither may be the reason
    /// that a request waits for.
    fn is_certainly_ours(&self, said: &Said) -> bool {
        let is_command = || lead::parse(&said.text).is_some_and(|written| written.verb.is_some());
        match &said.reply_to {
            Some(to) => self.session_of(to).is_some() || (self.is_home(to) && is_command()),
            None => is_command(),
        }
    }

    /// The session whose card was pressed; nil for the chat's own card.
    fn pressed_on(&self, press: &Chosen) -> Option<Uuid> {
        if !press.choice.starts_with(lead::choice::PREFIX) || !self.is_here(&press.message) {
            return None;
        }
        let led = self.led.borrow();
        let is_on = |tag: &str, message: Option<&MessageRef>| {
            press.tag.as_deref() == Some(tag) || message.is_some_and(|message| message.is_same(&press.message))
        };
        if is_on(&led.home_tag, led.home.as_ref()) {
            return Some(Uuid::nil());
        }
        self.session_where(|session| is_on(&session.tag, session.card.as_ref())).or_else(|| self.offers_undo(press))
    }

    /// The session that a message is about.
    fn session_of(&self, message: &MessageRef) -> Option<Uuid> {
        self.session_where(|session| session.card.iter().chain(&session.messages).any(|other| other.is_same(message)))
    }

    fn session_where(&self, is_it: impl Fn(&LedSession) -> bool) -> Option<Uuid> {
        let led = self.led.borrow();
        let found = led.sessions.iter().find(|(_, session)| is_it(session));
        found.and_then(|(id, _)| Uuid::try_parse(id).ok())
    }

    fn is_home(&self, message: &MessageRef) -> bool {
        let led = self.led.borrow();
        led.home.iter().chain(&led.former_home).any(|home| home.is_same(message))
    }

    /// The card of the chat, as it is to look.
    fn home(&self, led: &Led) -> Card {
        let threads = self.account.messenger.transport().threads;
        lead::home(&self.sessions.folders(self.here()), &led.home_tag, self.account.style, self.medium, threads)
    }

    /// Has a session's card looked at.
    fn touch(&self, id: Uuid) {
        self.touched.borrow_mut().insert(id);
        self.is_touched.notify_one();
    }

    /// Changes what is remembered, and keeps it.
    fn keep(&self, change: impl FnOnce(&mut Led)) {
        let mut led = self.led.borrow_mut();
        change(&mut led);
        trouble::report(self.account.file.store(&led));
    }

    /// Remembers a session, if it is not yet.
    fn know(&self, id: Uuid, told: u64) {
        let key = id.to_string();
        if !self.led.borrow().sessions.contains_key(&key) {
            self.keep(|led| {
                drop(led.sessions.insert(key, LedSession { tag: tag::fresh(), told, ..LedSession::default() }))
            });
        }
    }

    fn words(&self) -> &'static LeadWords {
        &self.account.style.lang.words().lead
    }
}
