//! The owner of an account while requests are open. It posts their cards, receives input, runs the flow of
//! [`dmplz_core::flow`] over the provider, and retires the cards. It decides nothing: every decision is the flow's.
//!
//! ```text
//! alone          Desk::open ─▶ Desk::ask ─▶ (caller hands the decision to the client) ─▶ Desk::close
//! many at once   Desk::open ─▶ Desk::serve ◀─ commands: ask, resolved, close
//!                                   └──────▶ owner: denied, decided (does it count?), reachable
//! ```
//!
//! Alone, `dmplz hook` is a desk with one request, and its answer counts. With the gateway, the desk is one surface of
//! several: an answer counts, and its press is acknowledged, only after the [`Owner`] of the requests accepts it.
//!
//! | module | content | uses |
//! |---|---|---|
//! | `ask`, `serve` | a desk with one request, and with many | every module |
//! | `card` | one request's messages: posting, revising, closing; late input | `session`, `ledger` |
//! | `session` | the messenger with its chat open: calls, retries, notices, posted cards | `ledger` |
//! | `ledger` | the records of each request, alone and for the gateway | |
//!
//! **Invariant:** nothing in this crate writes to stdout.
//! **Invariant:** "allowed" is shown only after the caller says that the client took the decision.

mod ask;
mod card;
mod ledger;
mod serve;
mod session;

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card::Style;
use dmplz_core::flow::Millis;
use dmplz_core::messenger::{Chat, OpenChat, ProviderError};
use dmplz_core::text::Lang;
use tokio::task::LocalSet;
use tokio::time::Instant;

pub use ask::Asked;
pub use card::open::Ask;
pub use ledger::files::{Clock, Face, Files};
pub use ledger::gateway::{GatewayLedger, Noted};
pub use ledger::view::{CardView, Page};
pub use ledger::{LateCard, Ledger, Progress, Saved};
pub use serve::{Command, Job, Terms};
use session::CALL;
use session::chat::ChatSession;
pub use session::messenger::Messenger;
pub use session::notices_sent::News;
pub use session::owner::{Claim, Owner, Revocation, Verdict};
use session::retry::Retry;

/// The time limits of a desk.
#[derive(Debug, Clone, Copy)]
pub struct TimeLimits {
    /// When everything ends, in milliseconds since the start of the process.
    pub deadline: Millis,
    /// How long the desk tries to reach a messenger as long as certainly nothing was sent to it. `None` for as long as
    /// the deadline allows.
    pub unreachable: Option<Duration>,
}

impl From<Millis> for TimeLimits {
    fn from(deadline: Millis) -> Self {
        Self { deadline, unreachable: None }
    }
}

/// An account with its chat open.
#[derive(Debug)]
pub struct Desk<M, L> {
    session: Rc<ChatSession<M, L>>,
    /// The cursor of the next poll.
    cursor: String,
    /// The background tasks while one request is asked.
    background: LocalSet,
}

impl<M: Messenger, L: Ledger> Desk<M, L> {
    /// Opens the chat. `started` is the start of the process, from which all times of the flow count. Attempts end at
    /// the deadline. Opening posts nothing, so that they also end once the messenger was not reached for as long as
    /// `limits` say.
    pub async fn open(
        messenger: Rc<M>,
        ledger: L,
        chat: &Chat,
        lang: Lang,
        started: Instant,
        limits: impl Into<TimeLimits>,
    ) -> Result<Self, ProviderError> {
        let (limits, mut retry) = (limits.into(), Retry::default());
        let end = started + Duration::from_millis(limits.deadline);
        let gives_up = limits.unreachable.map(|limit| Instant::now() + limit);
        let chat = loop {
            match messenger.open(chat, CALL.min(end.saturating_duration_since(Instant::now()))).await {
                Ok(chat) => break chat,
                Err(error) => {
                    let limit = gives_up.filter(|_| error.is_down());
                    match retry.after(&error).and_then(|wait| wait_within(wait, limit)) {
                        Some(wait) if Instant::now() + wait < end => tokio::time::sleep(wait).await,
                        _ => return Err(error),
                    }
                }
            }
        };
        let transport = messenger.transport();
        let style = Style { lang, answering: transport.answering, limits: transport.limits };
        let cursor = ledger.cursor();
        let session = Rc::new(ChatSession::new(messenger, ledger, chat, style, started, gives_up));
        Ok(Self { session, cursor, background: LocalSet::new() })
    }

    /// Returns the chat in which the desk asks.
    pub fn chat(&self) -> &OpenChat {
        &self.session.chat
    }

    /// Returns the style of the cards.
    pub fn style(&self) -> Style {
        self.session.style
    }
}

/// Returns how long to wait after an attempt, so that the last one is made when the limit is reached. `None` after that
/// one.
pub(crate) fn wait_within(wait: Duration, limit: Option<Instant>) -> Option<Duration> {
    let Some(end) = limit else { return Some(wait) };
    let left = end.saturating_duration_since(Instant::now());
    (!left.is_zero()).then(|| wait.min(left))
}

#[cfg(test)]
mod tests;
