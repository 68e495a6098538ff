//! Stops the turn of a session for a person, who may say why.
//!
//! | what the session waits for | so |
//! |---|---|
//! | a request that the client cancels because of the interrupt | it ends as denied by that person, with the reason |
//! | a request that the client keeps, such as one of an agent in the background | it stays open |
//!
//! The client drops the message of a denial that ends the turn, so the agent would never read the reason. It is sent as a message
//! of the person that starts no turn: the agent reads it with the next message (both observed on 2.1.330).

use dmplz_core::request::Answer;
use dmplz_protocol::{Refusal, RequestId};
use dmplz_runner::control::{Command, UserMessage};
use uuid::Uuid;

use super::link::Link;
use super::live::Live;
use super::order::{Asker, Interrupt, Interrupting, Order};
use super::{Sessions, fits, told};

impl Sessions {
    /// Stops the turn of a session; the session goes on.
    pub async fn interrupt(&self, id: Uuid, interrupt: Interrupt) -> Result<(), Refusal> {
        interrupt.reason.as_deref().map_or(Ok(()), fits)?;
        let told = self.answered(id, |asker| Order::Interrupt(interrupt, asker)).await?;
        let view = self.find(id)?.view;
        told::cancelled(&told).into_iter().for_each(|message| view.dropped(message));
        Ok(())
    }
}

impl Live {
    /// Tells the client to stop its turn, and then the reason.
    pub(super) async fn interrupt(
        &mut self,
        interrupt: Interrupt,
        asker: Asker,
        link: &mut Link,
    ) -> std::io::Result<()> {
        let Interrupt { by, reason, cancel_queued } = interrupt;
        let reason = reason.map(|reason| reason.trim().to_owned()).filter(|reason| !reason.is_empty());
        let command = self.request(&Command::Interrupt { cancel_queued }, asker, link).await?;
        self.interrupting = Some(Interrupting { command, by, reason: reason.clone() });
        // Sent first, it would be among the messages that the interrupt takes back.
        match reason {
            Some(text) => self.send(&UserMessage { id: Uuid::new_v4(), text, starts_turn: false }, link).await,
            None => Ok(()),
        }
    }

    /// The client answered a request of ours, which may be the interrupt. Its cancellations come before the answer.
    pub(super) fn interrupted(&mut self, command: &str) {
        self.interrupting = self.interrupting.take().filter(|interrupting| interrupting.command != command);
    }

    /// Denies a request that the client cancelled, for the person who interrupts. Whether somebody does, and was the first to
    /// answer it.
    pub(super) async fn denied_by_interrupt(&mut self, id: &str, request: RequestId) -> bool {
        let Some(Interrupting { by, reason, .. }) = self.interrupting.as_ref().filter(|_| self.is_asked(id)) else {
            return false;
        };
        let denial = Answer::Deny { reason: reason.clone(), instead: false };
        self.approvals.answer(request, denial, by.clone()).await.is_ok()
    }
}
