//! The one owner of an account while a request is open: posts its card, receives what people do, drives the flow of
//! [`dmplz_core::flow`] over the provider, and retires the card. It decides nothing: every decision is the flow's.
//!
//! ```text
//! Desk::open ─▶ Desk::ask ─▶ (caller hands the decision to the client) ─▶ Desk::close
//! ```
//!
//! Alone, `dmplz hook` is a desk with one request. **Invariant:** nothing in here writes to stdout, and `close`, which
//! shows "allowed", runs only after the caller says whether the client took the decision.

mod ask;
mod close;
mod files;
mod late;
mod ledger;
mod messenger;
mod press;
mod race;
mod retry;

use std::collections::HashSet;
use std::time::Duration;

use dmplz_core::card::Style;
use dmplz_core::flow::Millis;
use dmplz_core::messenger::{Chat, OpenChat, ProviderError};
use dmplz_core::text::Lang;
use tokio::time::Instant;

pub use ask::{Ask, Asked};
pub use files::{Clock, Face, Files};
pub use ledger::{LateCard, Ledger, Progress};
pub use messenger::Messenger;

/// How long one call that is not a look for events may take.
const CALL: Duration = Duration::from_secs(20);

/// An account with its chat open.
#[derive(Debug)]
pub struct Desk<M, L> {
    messenger: M,
    ledger: L,
    chat: OpenChat,
    style: Style,
    /// Where the next look for events goes on.
    cursor: String,
    started: Instant,
    /// Reactions stand and are reported at every look: what was dealt with already.
    seen: HashSet<String>,
}

impl<M: Messenger, L: Ledger> Desk<M, L> {
    /// Opens the chat. `started` is the start of the process: all times of the flow count from it. `deadline` is the
    /// request's.
    pub async fn open(
        messenger: M,
        ledger: L,
        chat: &Chat,
        lang: Lang,
        started: Instant,
        deadline: Millis,
    ) -> Result<Self, ProviderError> {
        let mut retry = retry::Retry::default();
        let end = started + Duration::from_millis(deadline);
        let chat = loop {
            match messenger.open(chat, CALL.min(end.saturating_duration_since(Instant::now()))).await {
                Ok(chat) => break chat,
                Err(error) => match retry.after(&error) {
                    Some(wait) if Instant::now() + wait < end => tokio::time::sleep(wait).await,
                    _ => return Err(error),
                },
            }
        };
        let manifest = messenger.manifest();
        let style = Style { lang, answering: manifest.answering, limits: manifest.limits };
        let cursor = ledger.cursor();
        Ok(Self { messenger, ledger, chat, style, cursor, started, seen: HashSet::new() })
    }

    /// The open chat.
    pub fn chat(&self) -> &OpenChat {
        &self.chat
    }

    /// What cards look like here.
    pub fn style(&self) -> Style {
        self.style
    }

    /// What is written down.
    pub fn ledger(&mut self) -> &mut L {
        &mut self.ledger
    }

    fn now(&self) -> Millis {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(Millis::MAX)
    }

    fn at(&self, time: Millis) -> Instant {
        self.started + Duration::from_millis(time)
    }
}

#[cfg(test)]
mod tests;
