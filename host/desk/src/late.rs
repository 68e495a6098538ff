//! Words to people outside the flow: notices, and what late input is told.

use std::time::Duration;

use dmplz_core::card;
use dmplz_core::flow::Notice;
use dmplz_core::messenger::{Chosen, Event, MessageRef, Said};

use crate::close::retire;
use crate::counter::Counter;
use crate::ledger::Ledger;
use crate::messenger::Messenger;
use crate::press::place;
use crate::told::News;

/// A word to somebody may take this long; the flow waits for it.
const WORD: Duration = Duration::from_secs(3);

impl<M: Messenger, L: Ledger> Counter<M, L> {
    /// Tells somebody who answers a request of the past that it is over, each person once: seed 0, 7.4. Changes nothing
    /// else.
    pub(crate) async fn tell_late(&self, event: &Event) {
        let late = self.ledger.borrow_mut().late(event);
        let Some(late) = late else { return self.tell_unknown(event).await };
        let (Event::Chosen(Chosen { user, .. }) | Event::Said(Said { user, .. })) = event;
        let is_news = late.first && self.is_news(&late.tag, user, News::Over);
        let line = late.line.unwrap_or_else(|| card::late(self.style.lang, &late.request_id));
        match event {
            // A press waits for a sign even when there is nothing new to say.
            Event::Chosen(press) => {
                let line = is_news.then_some(line.as_str());
                self.acknowledge(press, line).await;
            }
            Event::Said(said) if is_news => self.post_line(&line, Some(said.message.clone())).await,
            Event::Said(_) => {}
        }
        if let Some(progress) = late.lost {
            let _ = retire(&self.messenger, &progress, self.style, WORD).await;
        }
    }

    /// A button of a card that nobody remembers: whoever pressed it waits for a sign, each time.
    async fn tell_unknown(&self, event: &Event) {
        if let Event::Chosen(press) = event
            && !press.token.is_empty()
        {
            let is_news = self.is_news(&place(&press.message), &press.user, News::Outdated);
            let words = self.style.lang.notice(Notice::Outdated).filter(|_| is_news);
            self.acknowledge(press, words).await;
        }
    }

    /// Ends the waiting sign of a press, with a word or without. That it fails changes nothing.
    pub(crate) async fn acknowledge(&self, press: &Chosen, words: Option<&str>) {
        let words = words.map(|words| within_units(words, self.style.limits.notice));
        let _ = self.messenger.acknowledge(press, words, WORD).await;
    }

    /// Acknowledges presses whose turn has come.
    pub(crate) async fn acknowledge_all(&self, presses: Vec<(Chosen, Option<String>)>) {
        for (press, words) in presses {
            self.acknowledge(&press, words.as_deref()).await;
        }
    }

    /// Says something in the chat that answers no press.
    pub(crate) async fn say(&self, notice: Notice, reply_to: Option<MessageRef>) {
        if let Some(line) = self.style.lang.notice(notice) {
            self.post_line(line, reply_to).await;
        }
    }

    pub(crate) async fn post_line(&self, line: &str, reply_to: Option<MessageRef>) {
        let tag = format!("n{:016x}", fastrand::u64(..));
        let _ = self.messenger.post(&self.chat, &card::notice(line, &tag, reply_to), WORD).await;
    }
}

/// As much of a text as fits into so many units.
fn within_units(text: &str, most: usize) -> &str {
    let mut used = 0;
    let over = text.char_indices().find(|(_, c)| {
        used += c.len_utf16();
        used > most
    });
    over.and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}
