//! Undoing edits from a chat: a card shows what would change, and its button changes exactly that.
//!
//! | press | so |
//! |---|---|
//! | undo, and the files are as they were shown | they are put back, and the session tells it everywhere |
//! | undo, and they have changed since | nothing is done, and the card says so |
//! | leave them | nothing is done |
//!
//! Each card takes one press. One that a gateway before this one posted takes none.

use dmplz_core::lead::{self, Edits, choice};
use dmplz_core::messenger::{Card, Chosen, MessageRef, Watch};
use dmplz_core::text::fill;
use dmplz_protocol::Refusal;
use dmplz_protocol::session::{Undo, Undone};
use uuid::Uuid;

use super::hear::Answer;
use super::{CALL, Lead};
use crate::{tag, trouble};

/// How many cards offer to undo edits at a time. The oldest one goes where there are more.
const OFFERS: usize = 20;

/// What a card offers to undo.
pub(super) struct Offered {
    session: Uuid,
    undo: Undo,
    edits: Edits,
    card: Card,
    message: MessageRef,
}

impl Offered {
    fn is_on(&self, press: &Chosen) -> bool {
        press.tag.as_deref() == Some(self.card.tag.as_str()) || self.message.is_same(&press.message)
    }
}

impl Lead {
    /// Posts what undoing the last edits of a session changes, and offers to do it. The error is what is said where it cannot.
    pub(super) async fn offer_undo(&self, session: Uuid, at: &MessageRef) -> Result<(), Answer> {
        let (words, name) = (self.words(), self.name(session));
        let found = self.sessions.undo(session, None, None).await.map_err(|error| self.refusal(&error))?;
        let Undone { undo, text: message, .. } = found;
        if undo.files.is_empty() {
            return Err(Answer::of(fill(words.nothing_to_undo, &[&name])));
        }
        let Undo { files, insertions, deletions, .. } = undo.clone();
        let edits = Edits { message, files, insertions, deletions };
        let (tag, title) = (tag::fresh(), fill(words.undo_title, &[&name]));
        let card = lead::undo(&edits, &title, &tag, self.account.style, Some(at.clone()), true);
        let posted = self.account.messenger.post(&self.account.chat.at(&at.chat), &card, CALL).await;
        let message = posted.map_err(|error| {
            trouble::info(&format!("an undo on {} was not posted: {error}", self.account.surface));
            self.not_done(&error)
        })?;
        let mut undos = self.undos.borrow_mut();
        if undos.len() >= OFFERS {
            undos.remove(0);
        }
        undos.push(Offered { session, undo, edits, card, message });
        self.grown.notify_one();
        Ok(())
    }

    /// Handles a press of an approver on the card of an undo.
    pub(super) async fn pressed_undo(&self, press: &Chosen) {
        let pressed = self.undos.borrow_mut().extract_if(.., |offered| offered.is_on(press)).next();
        let Some(Offered { session, undo, edits, card, message }) = pressed else { return };
        let (words, name) = (self.words(), self.name(session));
        let title = if press.choice == choice::UNDO {
            match self.sessions.undo(session, Some(undo.message_id), Some(undo)).await {
                Ok(_) => fill(words.undone, &[&name]),
                Err(Refusal::FilesChanged) => fill(words.undo_changed, &[&name]),
                Err(error) => {
                    let Answer { title, text } = self.refusal(&error);
                    format!("{title} {text}").trim_end().to_owned()
                }
            }
        } else {
            fill(words.kept, &[&name])
        };
        let over = lead::undo(&edits, &title, &card.tag, self.account.style, card.reply_to, false);
        if let Err(error) = self.account.messenger.revise(&message, &over, CALL).await {
            trouble::info(&format!("the end of an undo on {} is not shown: {error}", self.account.surface));
        }
    }

    /// The session whose undo a pressed card offers.
    pub(super) fn offers_undo(&self, press: &Chosen) -> Option<Uuid> {
        self.undos.borrow().iter().find(|offered| offered.is_on(press)).map(|offered| offered.session)
    }

    pub(super) fn undo_watches(&self) -> Vec<Watch> {
        let watch = |offered: &Offered| {
            let (message, choices) = (offered.message.clone(), offered.card.choices.clone());
            Watch { message, tag: offered.card.tag.clone(), choices, text: false }
        };
        self.undos.borrow().iter().map(watch).collect()
    }
}
