//! What the desk writes down, so that another process can finish what this one could not.

pub(crate) mod files;
pub(crate) mod gateway;
pub(crate) mod press;
pub(crate) mod view;

use dmplz_core::card::{Ended, Subject};
use dmplz_core::messenger::{Chosen, Event, MessageRef, Watch};
use dmplz_state::Stage;
use tokio::sync::oneshot;

use crate::ledger::press::{is_on, messages_of};
use crate::ledger::view::{CardView, Page};

/// All that is needed to retire a request's card and to recognise late input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// How far it has come.
    pub stage: Stage,
    /// The tag that the card and each of its buttons carry.
    pub tag: String,
    /// What the card shows, shortened.
    pub subject: Subject,
    /// The message that shows the card, once it is known.
    pub card: Option<MessageRef>,
    /// The prompt for words: a reason, or an answer of one's own.
    pub prompt: Option<MessageRef>,
    /// The id of the person who denied.
    pub denier: Option<String>,
    /// Standing reactions that were dealt with: not late input.
    pub seen: Vec<String>,
    /// Whether the time for a reason ran out, so that words may still come.
    pub awaited_text: bool,
    /// How the request ended; none while it is open.
    pub ended: Option<Ended>,
    /// What its messages show.
    pub view: CardView,
}

/// Comes back once what was saved outlives this process.
#[derive(Debug, Default)]
pub struct Saved(Option<oneshot::Receiver<()>>);

/// A request of the past that somebody answers now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateCard {
    /// The tag of the card that was pressed.
    pub tag: String,
    /// Its id, for the text of seed 0, 7.4.
    pub request_id: String,
    /// What is told instead of that text, where it is known how the request ended.
    pub line: Option<String>,
    /// How to retire the card that was pressed, where only the press tells where it is: the messenger's reply to its
    /// posting was lost, or the process died before.
    pub lost: Option<Progress>,
    /// Whether no earlier process told this person already.
    pub first: bool,
}

/// Where the desk writes things down. A failure to write is the implementation's to report: it never changes what
/// becomes of a request.
pub trait Ledger {
    /// Keeps an orphan ours until it is dropped.
    type Claim;

    /// Where the last look for events of this account ended; empty at first.
    fn cursor(&self) -> String;
    /// Keeps where the next look goes on.
    fn keep_cursor(&mut self, cursor: &str);
    /// Keeps how far the request has come. Called before and after everything that shows in the chat, and before a press
    /// that changed the form is acknowledged.
    fn save(&mut self, progress: &Progress) -> Saved;
    /// Cards of the past that may still get late input, at most a handful.
    fn recent(&self) -> Vec<Watch>;
    /// Takes over the cards that dead processes left, at most a handful.
    fn orphans(&mut self) -> Vec<(Progress, Self::Claim)>;
    /// The wall clock, in Unix milliseconds.
    fn now_ms(&self) -> u64;
    /// The time of day, as a card shows it.
    fn time_of_day(&self) -> String;
    /// An orphan's messages show its end now.
    fn retired(&mut self, progress: Progress, claim: Self::Claim);
    /// Whose card an event is about that is not about the open request; none when it is no card of ours.
    fn late(&mut self, event: &Event) -> Option<LateCard>;
    /// The ended request whose grant a press takes back; none when there is nothing on that card to take back.
    fn revocable(&self, press: &Chosen) -> Option<Progress> {
        let _ = press;
        None
    }
    /// The ended request that this is the id of, where its card offers to take its grant back.
    fn granted(&self, request_id: &str) -> Option<Progress> {
        let _ = request_id;
        None
    }
}

impl Saved {
    /// What is written down already, so that nobody waits.
    pub const ALREADY: Self = Self(None);

    /// Once the other end is dropped.
    pub fn later() -> (oneshot::Sender<()>, Self) {
        let (sender, receiver) = oneshot::channel();
        (sender, Self(Some(receiver)))
    }

    /// Waits for it.
    pub(crate) async fn settled(self) {
        if let Some(receiver) = self.0 {
            // An error says that the other end was dropped.
            let _ = receiver.await;
        }
    }
}

impl Progress {
    /// A request that has just come in.
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

    /// Whether a press is on one of its messages.
    pub(crate) fn is_pressed(&self, press: &Chosen) -> bool {
        is_on(press, messages_of(self.card.as_ref(), self.prompt.as_ref(), &self.view.pages), &self.tag)
    }

    /// Whose words count now.
    pub(crate) fn writer(&self) -> Option<&String> {
        self.denier.as_ref().or(self.view.form.writer.as_ref().map(|writer| &writer.id))
    }

    /// A prompt is up.
    pub(crate) fn prompted(&mut self, message: MessageRef) {
        self.view.spent.extend(self.prompt.replace(message));
    }

    /// A second copy of its card, as all that is to be retired.
    pub(crate) fn copy_at(&self, message: &MessageRef) -> Self {
        let view = CardView { pages: Vec::new(), spent: Vec::new(), ..self.view.clone() };
        Self { card: Some(message.clone()), prompt: None, view, ..self.clone() }
    }

    /// What to look at after its end: somebody may press or write too late.
    pub(crate) fn late_watches(&self) -> Vec<Watch> {
        let prompt = self.prompt_watch().filter(|_| self.awaited_text);
        self.watches().take(1).chain(prompt).collect()
    }

    /// What to look at for words.
    pub(crate) fn prompt_watch(&self) -> Option<Watch> {
        let choices = self.view.writes.clone();
        self.prompt.clone().map(|message| Watch { message, choices, text: true })
    }

    /// What to look at for choices: the newest page, and the one before, which people may still have before them.
    pub(crate) fn watches(&self) -> impl Iterator<Item = Watch> {
        let watch = |page: &Page| Watch { message: page.message.clone(), choices: page.choices.clone(), text: false };
        self.view.pages.iter().rev().take(2).map(watch)
    }
}
