//! Notices over a messenger, as cards without choices, but for a test's button. They take no place of a request's card.

use std::time::Duration;

use dmplz_core::messenger::{Block, Card, Chat, OpenChat, ProviderError};
use dmplz_core::notify::units_cost;
use dmplz_desk::Messenger;
use dmplz_gateway::notices::{Deliver, Outgoing, Undelivered};
use futures_util::future::join_all;
use tokio::sync::OnceCell;

use super::proof::Proofs;
use crate::serve::notify::MessengerLine;

/// How long posting may take.
const POSTING: Duration = Duration::from_secs(20);
/// The most characters of a card's tag.
const TAG: usize = 22;

/// One channel over a messenger.
struct Channel<'a, M> {
    messenger: &'a M,
    /// The chat that requests are asked in.
    chat: &'a OpenChat,
    /// Another chat that its settings name. It is only posted to: no press there counts.
    own: Option<&'a str>,
    opened: OnceCell<OpenChat>,
    proofs: &'a Proofs<M>,
    silent: bool,
}

/// Runs the lines of a messenger's channels. Never returns.
pub(super) async fn send<M: Messenger>(messenger: &M, chat: &OpenChat, lines: &[MessengerLine], proofs: &Proofs<M>) {
    let run = async |it: &MessengerLine| {
        let (own, opened) = (it.chat.as_deref(), OnceCell::new());
        it.line.run(&Channel { messenger, chat, own, opened, proofs, silent: it.silent }).await
    };
    tokio::join!(join_all(lines.iter().map(run)), proofs.run());
}

impl<M: Messenger> Channel<'_, M> {
    /// Returns the chat to post in. One that the settings name is opened by its first notice.
    async fn target(&self) -> Result<&OpenChat, ProviderError> {
        match self.own {
            None => Ok(self.chat),
            Some(id) => {
                let chat = Chat::Room(id.to_owned());
                self.opened.get_or_try_init(|| self.messenger.open(&chat, POSTING)).await
            }
        }
    }
}

impl<M: Messenger> Deliver for Channel<'_, M> {
    async fn deliver(&self, outgoing: &Outgoing) -> Result<(), Undelivered> {
        let limit = self.messenger.transport().limits.text;
        let fitted = outgoing.notice.fit(limit, units_cost, outgoing.lang);
        // The same at every attempt, so that a messenger that can will not show it twice.
        let tag: String = outgoing.uid.chars().take(TAG).collect();
        let body = if fitted.body.is_empty() { Vec::new() } else { vec![Block::Text(fitted.body)] };
        let card = Card { silent: self.silent, ..Card::new(&tag, fitted.title, body) };
        let chat = self.target().await.map_err(|error| undelivered(&error))?;
        let test = outgoing.press_test().filter(|_| self.own.is_none());
        let card = test.map_or_else(|| card.clone(), |id| self.proofs.asking(id, card.clone()));
        let message = self.messenger.post(chat, &card, POSTING).await.map_err(|error| undelivered(&error))?;
        if let Some(id) = test {
            self.proofs.posted(id, message);
        }
        Ok(())
    }
}

/// Whether trying again may help.
fn undelivered(error: &ProviderError) -> Undelivered {
    match error {
        ProviderError::RateLimited(wait) => Undelivered::Limited(wait.map(|ms| Duration::from_millis(ms.into()))),
        ProviderError::Unavailable(_)
        | ProviderError::Unreachable(_)
        | ProviderError::Deadline
        | ProviderError::Conflict(_) => Undelivered::Down(error.to_string()),
        ProviderError::Broken(_) | ProviderError::Other(_) => Undelivered::Broke(error.to_string()),
        ProviderError::Unauthorized
        | ProviderError::Denied(_)
        | ProviderError::NotFound
        | ProviderError::TooLarge
        | ProviderError::BadSetting(..)
        | ProviderError::Refused(_)
        | ProviderError::Rejected(_) => Undelivered::Refused(error.to_string()),
    }
}
