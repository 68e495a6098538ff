//! The desk's records, so that another process can finish what this one could not.

pub(crate) mod files;
pub(crate) mod gateway;
pub(crate) mod press;
pub(crate) mod view;

use dmplz_core::card::{Ended, Subject};
use dmplz_core::messenger::{Chosen, Event, MessageRef, Said, Watch};
use dmplz_state::Stage;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::ledger::press::{is_on, prompt_tag, standing};
use crate::ledger::view::{CardView, Page};

/// How many handled reactions there may be for one more of a stranger to be kept.
const KEPT_OF_STRANGERS: usize = 100;

/// Everything needed to retire a request's card and to recognise late input. The gateway keeps it without what its store
/// has: what was asked, which the store masks when the request ends, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The progress of the request.
    pub stage: Stage,
    /// The tag that the card and each of its buttons carry.
    pub tag: String,
    /// The subject that the card shows, shortened.
    #[serde(skip)]
    pub subject: Subject,
    /// The message that shows the card, once it is known.
    pub card: Option<MessageRef>,
    /// The prompt for words: a reason, or an answer in the user's own words.
    pub prompt: Option<MessageRef>,
    /// The id of the person who denied.
    pub denier: Option<String>,
    /// Reactions that were handled, and so are no late input.
    pub seen: Vec<String>,
    /// Whether the time for a reason ran out, so that late words may still come.
    pub awaited_text: bool,
    /// How the request ended; `None` while it is open.
    #[serde(skip)]
    pub ended: Option<Ended>,
    /// The state of its messages.
    #[serde(flatten)]
    pub view: CardView,
}

/// Completes once the saved record survives this process.
#[derive(Debug, Default)]
pub struct Saved(Option<oneshot::Receiver<()>>);

/// A past request that a user answers now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateCard {
    /// The tag of the card that was pressed.
    pub tag: String,
    /// The request's id, which the answer to a late input contains.
    pub request_id: String,
    /// The text to send instead of that one, if the request's end is known.
    pub line: Option<String>,
    /// The record for retiring the pressed card, if only the press revealed its message: the messenger's reply to its
    /// posting was lost, or the process died before.
    pub lost: Option<Progress>,
    /// Whether no earlier process has told this user already.
    pub first: bool,
}

/// The desk's store of records. The implementation reports its own write errors, which never change a request's
/// outcome.
pub trait Ledger {
    /// Keeps an orphan claimed until it is dropped.
    type Claim;

    /// Returns the cursor where the last poll of this account ended; empty at first.
    fn cursor(&self) -> String;
    /// Stores the cursor for the next poll.
    fn keep_cursor(&mut self, cursor: &str);
    /// Stores the progress of the request. Called before and after every change in the chat, and before a press that
    /// changed the form is acknowledged.
    fn save(&mut self, progress: &Progress) -> Saved;
    /// Returns the past cards that may still get late input, at most a handful.
    fn recent(&self) -> Vec<Watch>;
    /// Claims the cards that dead processes left, at most a handful.
    fn orphans(&mut self) -> Vec<(Progress, Self::Claim)>;
    /// Returns the wall clock in Unix milliseconds.
    fn now_ms(&self) -> u64;
    /// Returns the time of day as cards show it.
    fn time_of_day(&self) -> String;
    /// Notes that an orphan's messages show its end.
    fn retired(&mut self, progress: Progress, claim: Self::Claim);
    /// Returns the past card that an event concerns; `None` if the event concerns no card of ours.
    fn late(&mut self, event: &Event) -> Option<LateCard>;
    /// Returns the ended request whose grant a press revokes; `None` if there is nothing to revoke on that card.
    fn revocable(&self, _press: &Chosen) -> Option<Progress> {
        None
    }
    /// Returns the ended request with this id if its card offers to revoke its grant.
    fn granted(&self, _request_id: &str) -> Option<Progress> {
        None
    }
}

impl Saved {
    /// A record that is stored already, so that nobody waits.
    pub const ALREADY: Self = Self(None);

    /// Returns a pair whose second half completes when the first is dropped.
    pub fn later() -> (oneshot::Sender<()>, Self) {
        let (sender, receiver) = oneshot::channel();
        (sender, Self(Some(receiver)))
    }

    /// Waits until the record is stored.
    pub(crate) async fn settled(self) {
        if let Some(receiver) = self.0 {
            // An error means that the other half was dropped.
            let _ = receiver.await;
        }
    }
}

impl Progress {
    /// Creates the record of a new request.
    pub fn new(tag: &str, subject: Subject) -> Self {
        Self {
            stage: Stage::Queued,
            tag: tag.to_owned(),
            subject,
            card: None,
            prompt: None,
            denier: None,
            seen: Vec::new(),
            awaited_text: false,
            ended: None,
            view: CardView::default(),
        }
    }

    /// Returns the messages of the request.
    pub(crate) fn messages(&self) -> impl Iterator<Item = &MessageRef> {
        self.card.iter().chain(&self.prompt).chain(self.view.pages.iter().map(|page| &page.message))
    }

    /// Returns whether a press is on one of the request's messages.
    pub(crate) fn is_pressed(&self, press: &Chosen) -> bool {
        is_on(press, self.messages(), &self.tag)
    }

    /// Returns whether a person presses on one of the messages after the request's end. A reaction that was handled is
    /// none: it stays set.
    pub(crate) fn is_pressed_late(&self, press: &Chosen) -> bool {
        let is_handled = standing(press).is_some_and(|key| self.seen.contains(&key));
        self.is_pressed(press) && !press.user.is_bot && !is_handled
    }

    /// Notes that a reaction was handled. There may be any number of strangers, so not all of theirs are kept: what one of them
    /// pressed can only become late input.
    pub(crate) fn see(&mut self, key: String, is_strangers: bool) {
        let has_room = !is_strangers || self.seen.len() < KEPT_OF_STRANGERS;
        if has_room && !self.seen.contains(&key) {
            self.seen.push(key);
        }
    }

    /// Returns whether a text gives the reason that did not come in time.
    pub(crate) fn is_explained_late(&self, said: &Said) -> bool {
        self.awaited_text
            && !said.has_only_files()
            && self.denier.as_deref() == Some(&said.user.id)
            && self.prompt.as_ref().is_some_and(|prompt| said.message.follows(prompt))
    }

    /// Returns the id of the user whose words are accepted now.
    pub(crate) fn writer(&self) -> Option<&String> {
        self.denier.as_ref().or(self.view.form.writer.as_ref().map(|writer| &writer.id))
    }

    /// Notes that a prompt is posted.
    pub(crate) fn prompted(&mut self, message: MessageRef) {
        self.view.spent.extend(self.prompt.replace(message));
    }

    /// Forgets all messages, because they are gone.
    pub(crate) fn lose_messages(&mut self) {
        (self.card, self.prompt) = (None, None);
        self.view.pages.clear();
        self.view.spent.clear();
        self.view.writes.clear();
    }

    /// Returns the record for retiring the card whose message only this press reveals.
    pub(crate) fn lost(&self, event: &Event) -> Option<Self> {
        let Event::Chosen(press) = event else { return None };
        let is_lost = press.tag.as_deref() == Some(&self.tag) && self.card.as_ref() != Some(&press.message);
        (is_lost && press.message.is_known()).then(|| self.copy_at(&press.message))
    }

    /// Returns the record for retiring one further copy of the card.
    pub(crate) fn copy_at(&self, message: &MessageRef) -> Self {
        let view = CardView { pages: Vec::new(), spent: Vec::new(), ..self.view.clone() };
        Self { card: Some(message.clone()), prompt: None, view, ..self.clone() }
    }

    /// Returns what to poll for after the request's end: late presses and late words.
    pub(crate) fn late_watches(&self) -> Vec<Watch> {
        let prompt = self.prompt_watch().filter(|_| self.awaited_text);
        self.watches().take(1).chain(prompt).collect()
    }

    /// Returns the watch for words.
    pub(crate) fn prompt_watch(&self) -> Option<Watch> {
        let choices = self.view.writes.clone();
        let tag = prompt_tag(&self.tag);
        self.prompt.clone().map(|message| Watch { message, tag, choices, text: true })
    }

    /// Returns the watches for choices: the newest page, and the previous one, which people may still see.
    pub(crate) fn watches(&self) -> impl Iterator<Item = Watch> {
        let watch = |page: &Page| {
            let (message, choices) = (page.message.clone(), page.choices.clone());
            Watch { message, tag: self.tag.clone(), choices, text: false }
        };
        self.view.pages.iter().rev().take(2).map(watch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_often_strangers_react_what_is_kept_of_it_is_bounded_and_each_reaction_of_an_approver_is_kept_once() {
        let mut progress = Progress::new("t", Subject::default());
        for at in 0..2 * KEPT_OF_STRANGERS {
            for _ in 0..2 {
                progress.see(format!("c:10:{at}:deny"), true);
                progress.see("c:10:ann:deny".to_owned(), false);
            }
        }
        assert_eq!(progress.seen.len(), KEPT_OF_STRANGERS);
        progress.see("c:10:ann:approve".to_owned(), false);
        let of_approvers = progress.seen.iter().filter(|key| key.contains(":ann:"));
        assert_eq!(of_approvers.collect::<Vec<_>>(), ["c:10:ann:deny", "c:10:ann:approve"]);
    }
}
