//! Messages outside the flow: notices, and replies to late input. All are sent in the background, so that none delays
//! an answer on its way to stdout.

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card;
use dmplz_core::flow::Notice;
use dmplz_core::messenger::{Chosen, Event, MessageRef, Said, Watch};
use dmplz_core::text::split_units;

use crate::card::close::retire;
use crate::ledger::Ledger;
use crate::ledger::press::{must_be_told, place, standing};
use crate::session::LOOK_SLACK;
use crate::session::chat::{ChatSession, Receipt};
use crate::session::messenger::Messenger;
use crate::session::notices_sent::News;

/// How long closing a card that only a press revealed may take: no later process would know of it.
const LOST: Duration = Duration::from_secs(20);
/// How long sending a notice may take.
const WORD: Duration = Duration::from_secs(3);

impl<M: Messenger + 'static, L: Ledger + 'static> ChatSession<M, L> {
    /// Tells a user who answers a past request that it is over, once per user. Changes nothing else. Returns whether the
    /// event is about a past request, or a press.
    pub(crate) fn tell_late(self: &Rc<Self>, event: &Event) -> bool {
        let late = self.ledger.borrow_mut().late(event);
        let Some(late) = late else { return self.tell_unknown(event) };
        let (Event::Chosen(Chosen { user, .. }) | Event::Said(Said { user, .. })) = event;
        let is_news = late.first && self.is_news(&late.tag, user, News::Over);
        let line = late.line.unwrap_or_else(|| card::late(self.style.lang, &late.request_id));
        match event {
            // A press must be acknowledged even if there is nothing new to say.
            Event::Chosen(press) => self.acknowledge(press.clone(), (is_news || must_be_told(press)).then_some(line)),
            Event::Said(said) if is_news => self.post_line(line, Some(said.message.clone())),
            Event::Said(_) => {}
        }
        if let Some(progress) = late.lost {
            let session = Rc::clone(self);
            self.background(async move {
                let _ = retire(&*session.messenger, &progress, session.style, LOST).await;
            });
        }
        true
    }

    /// Does the same for events that polls report again and again.
    pub(crate) fn tell_late_once(self: &Rc<Self>, event: &Event) {
        let is_new = |press: &Chosen| standing(press).is_none_or(|key| self.see(&key));
        if !matches!(event, Event::Chosen(press) if !is_new(press)) {
            self.tell_late(event);
        }
    }

    /// Polls once for late presses on past cards, in the background. Texts need no poll of their own, because the
    /// cursor includes them in the other polls.
    pub(crate) fn look_back(self: &Rc<Self>, past: Vec<Watch>) {
        let past: Vec<Watch> = past.into_iter().map(|watch| Watch { text: false, ..watch }).collect();
        if past.iter().all(|watch| watch.choices.is_empty()) {
            return;
        }
        let session = Rc::clone(self);
        self.background(async move {
            let looked = session.messenger.receive("", &past, Duration::ZERO, LOOK_SLACK).await;
            for event in looked.into_iter().flat_map(|batch| batch.events) {
                session.tell_late_once(&event);
            }
        });
    }

    /// Acknowledges a button press on an unknown card, each time it comes. Returns whether the event is a press.
    fn tell_unknown(self: &Rc<Self>, event: &Event) -> bool {
        let Event::Chosen(press) = event else { return false };
        if !press.token.is_empty() {
            let is_news = self.is_news(&place(&press.message), &press.user, News::Outdated);
            let words = Notice::UnknownCard.text(self.style.lang).filter(|_| is_news);
            self.acknowledge(press.clone(), words.map(str::to_owned));
        }
        true
    }

    /// Acknowledges a press, with or without a notice. A failure has no consequence.
    pub(crate) fn acknowledge(self: &Rc<Self>, press: Chosen, words: Option<String>) {
        self.acknowledge_kept(press, words, None);
    }

    /// Does the same once the press's effect is recorded.
    pub(crate) fn acknowledge_kept(self: &Rc<Self>, press: Chosen, words: Option<String>, receipt: Option<Receipt>) {
        let session = Rc::clone(self);
        self.background(async move {
            if let Some(receipt) = receipt {
                receipt.wait().await;
            }
            let words = words.as_deref().map(|words| split_units(words, session.style.limits.notice).0);
            let _ = session.messenger.acknowledge(&press, words, WORD).await;
        });
    }

    /// Posts a notice that answers no press.
    pub(crate) fn say(self: &Rc<Self>, notice: Notice, reply_to: Option<MessageRef>) {
        if let Some(line) = notice.text(self.style.lang) {
            self.post_line(line.to_owned(), reply_to);
        }
    }

    /// Posts a line in the chat.
    pub(crate) fn post_line(self: &Rc<Self>, line: String, reply_to: Option<MessageRef>) {
        let session = Rc::clone(self);
        self.background(async move {
            let tag = format!("n{:016x}", fastrand::u64(..));
            let notice = card::notice(&line, &tag, reply_to);
            let _ = session.messenger.post(&session.chat.of(&notice), &notice, WORD).await;
        });
    }
}
