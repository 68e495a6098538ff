//! Posts and edits the cards of sessions.

use dmplz_core::lead::{self, Face};
use dmplz_core::messenger::{Card, MessageRef, ProviderError};
use dmplz_protocol::session::{OneSession, State};
use tokio::time::Instant;
use uuid::Uuid;

use super::work::Work;
use crate::serve::messengers::lead::face::face;
use crate::serve::messengers::lead::{CALL, Lead};

impl Lead {
    /// Makes a card show the session as it is.
    pub(super) async fn edit(&self, one: &OneSession, work: &mut Work) -> Result<(), ProviderError> {
        let id = one.session.id;
        work.writing.remove(&id);
        let Some(led) = self.led.borrow().sessions.get(&id.to_string()).cloned() else { return Ok(()) };
        let (Some(message), false) = (led.card, led.over) else { return Ok(()) };
        let face = face(&one.session, &one.events, &one.partial, self.account.detail);
        let card = lead::card(&face, &led.tag, self.account.style, self.medium_of(id));
        if self.shown.borrow().get(&id) != Some(&card) {
            work.edited = Some(Instant::now());
            match self.account.messenger.revise(&message, &card, CALL).await {
                // Somebody deleted it.
                Err(ProviderError::NotFound) => {
                    self.change(id, |session| session.card = None);
                    work.news.insert(id);
                    return Ok(());
                }
                revised => revised?,
            }
            self.shown.borrow_mut().insert(id, card);
        }
        let is_over = one.session.state == State::Ended;
        if !self.keep_thread(id, &face, is_over).await? {
            return Ok(());
        }
        if is_over {
            work.drafts.iter_mut().for_each(|drafts| drafts.forget(id));
            self.shown.borrow_mut().remove(&id);
            self.change(id, |session| session.over = true);
        }
        Ok(())
    }

    /// Posts the card of a session. `false` if its thread is gone.
    pub(super) async fn post_card(&self, id: Uuid, face: &Face) -> Result<bool, ProviderError> {
        let Some(tag) = self.led.borrow().sessions.get(&id.to_string()).map(|session| session.tag.clone()) else {
            return Ok(false);
        };
        let card = lead::card(face, &tag, self.account.style, self.medium_of(id));
        let Some(message) = self.post_about(id, face, &card).await? else { return Ok(false) };
        self.change(id, |session| session.card = Some(message));
        self.shown.borrow_mut().insert(id, card);
        self.grown.notify_one();
        Ok(true)
    }

    /// Posts a message about a session where the session is shown. `None` if its thread is gone.
    pub(super) async fn post_about(
        &self,
        id: Uuid,
        face: &Face,
        card: &Card,
    ) -> Result<Option<MessageRef>, ProviderError> {
        let chat = self.chat_of(id);
        match self.account.messenger.post(&chat, card, CALL).await {
            Err(ProviderError::NotFound) if chat.id != self.account.chat.id => {
                self.lost_thread(id, face).await;
                Ok(None)
            }
            posted => posted.map(Some),
        }
    }
}
