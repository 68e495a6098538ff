//! What the desk writes down, so that another process can finish what this one could not.

use dmplz_core::card::{Ended, Subject};
use dmplz_core::flow::Form;
use dmplz_core::messenger::{Chosen, Event, MessageRef, Watch};
use dmplz_state::Stage;

/// All that is needed to retire a request's card and to recognise late input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// How far it has come.
    pub stage: Stage,
    /// The card's tag.
    pub tag: String,
    /// What the card shows, shortened.
    pub subject: Subject,
    /// The card.
    pub card: Option<MessageRef>,
    /// The prompt for a reason.
    pub prompt: Option<MessageRef>,
    /// Who denied.
    pub denier: Option<String>,
    /// Standing reactions that were dealt with: not late input.
    pub seen: Vec<String>,
    /// Whether the time for a reason ran out, so that words may still come.
    pub awaited_text: bool,
    /// How it ended.
    pub ended: Option<Ended>,
    /// What was chosen on the card before it was answered.
    pub form: Form,
}

/// A request of the past that somebody answers now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateCard {
    /// Its id, for the text of seed 0, 7.4.
    pub request_id: String,
    /// What is told instead of that text, where it is known how the request ended.
    pub line: Option<String>,
    /// How to retire the card that was pressed, where only the press tells where it is: the messenger's reply to its
    /// posting was lost, or the process died before.
    pub lost: Option<Progress>,
    /// Whether this is the first time: only then is something said.
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
    /// Keeps how far the request has come. Called before and after everything that shows in the chat.
    fn save(&mut self, progress: &Progress);
    /// Cards of the past that may still get late input, at most a handful.
    fn recent(&self) -> Vec<Watch>;
    /// Takes over the cards that dead processes left, at most a handful.
    fn orphans(&mut self) -> Vec<(Progress, Self::Claim)>;
    /// The time of day, as a card shows it.
    fn time_of_day(&self) -> String;
    /// An orphan's messages show its end now.
    fn retired(&mut self, progress: Progress, claim: Self::Claim);
    /// Whose card an event is about that is not about the open request; none when it is no card of ours.
    fn late(&mut self, event: &Event) -> Option<LateCard>;
    /// The ended request whose grant a press takes back; none when there is nothing on that card to take back.
    fn revocable(&mut self, press: &Chosen) -> Option<Progress> {
        let _ = press;
        None
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
            form: Form::default(),
        }
    }
}
