//! Words to people outside the flow: notices, and what late input is told.

use std::time::Duration;

use dmplz_core::card;
use dmplz_core::flow::Notice;
use dmplz_core::messenger::{Chosen, Event, MessageRef};

use crate::Desk;
use crate::close::retire;
use crate::ledger::Ledger;
use crate::messenger::Messenger;

/// A word to somebody may take this long; the flow waits for it.
const WORD: Duration = Duration::from_secs(3);

impl<M: Messenger, L: Ledger> Desk<M, L> {
    /// Tells somebody who answers a request of the past that it has expired, once: seed 0, 7.4. Changes nothing else.
    pub(crate) async fn tell_late(&mut self, event: &Event) {
        let Some(late) = self.ledger.late(event) else { return };
        let line = card::late(self.style.lang, &late.request_id);
        match event {
            // A press waits for a sign even when there is nothing new to say.
            Event::Chosen(press) => {
                let line = late.first.then_some(line.as_str());
                let _ = self.messenger.acknowledge(press, line, WORD).await;
            }
            Event::Said(said) if late.first => self.post_line(&line, Some(said.message.clone())).await,
            Event::Said(_) => {}
        }
        if let Some(progress) = late.lost {
            let _ = retire(&self.messenger, &progress, self.style, WORD).await;
        }
    }

    /// Tells somebody something about their press. That it fails changes nothing.
    pub(crate) async fn acknowledge(&self, press: &Chosen, notice: Notice) {
        let _ = self.messenger.acknowledge(press, self.style.lang.notice(notice), WORD).await;
    }

    /// Acknowledges presses whose turn has come.
    pub(crate) async fn acknowledge_all(&self, presses: Vec<(Chosen, Notice)>) {
        for (press, notice) in presses {
            self.acknowledge(&press, notice).await;
        }
    }

    /// Says something in the chat that answers no press.
    pub(crate) async fn say(&self, notice: Notice, reply_to: Option<MessageRef>) {
        if let Some(line) = self.style.lang.notice(notice) {
            self.post_line(line, reply_to).await;
        }
    }

    async fn post_line(&self, line: &str, reply_to: Option<MessageRef>) {
        let tag = format!("n{:016x}", fastrand::u64(..));
        let _ = self.messenger.post(&self.chat, &card::notice(line, &tag, reply_to), WORD).await;
    }
}
