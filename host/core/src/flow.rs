//! What people do on a request's card, and what becomes of the request by it: seed 0, section 8.2, as a pure function.
//!
//! ```text
//! Open ─ approve ─────────▶ Approved                 Denied ─ text ─────▶ RejectedWithReason
//!   ▲    │        ─ tell + words ▶ RejectedWithReason    │       ─ skip ─────▶ RejectedNoReason(ExplicitSkip)
//!   │    │        ─ deadline, failure ▶ Expired          └ time-out, failure, deadline, terminal
//!   │    │        ─ terminal ▶ ResolvedElsewhere                             ▶ RejectedNoReason(Timeout)
//!   │    └─ deny, tell ─▶ Denied
//!   └─ scope, wide, answers to questions: the card's [`Form`], which counts for 15 minutes (`flow/expiry.rs`)
//! ```
//!
//! What a press means is an [`Action`]. What it does to the request is a [`Command`], which the request's [`Life`] takes or
//! refuses; whoever owns the request is asked first.

use crate::approvers::Approvers;
use crate::messenger::{MessageRef, User};
use crate::reason::ReasonRules;
use crate::request::{Command, Life, Offer, Outcome, Resolver, Step, Trouble};

mod action;
mod asking;
mod deciding;
mod expiry;
mod form;
mod reasoning;

pub use action::{Act, Action, choice};
pub use form::{Draft, Form, Writer};

use deciding::deciding;
use reasoning::reasoning;

/// Milliseconds since the start of the process.
pub type Millis = u64;

/// A moment, on the clocks that the flow goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// Deadlines count by it.
    pub at: Millis,
    /// Unix milliseconds, wherever the clock is set: what may outlive a process counts by it.
    pub wall_ms: u64,
}

/// What does not change while a request is open.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The people whose answers count.
    pub approvers: Approvers,
    /// What the card offers besides yes and no.
    pub offer: Offer,
    /// When everything must have ended.
    pub deadline: Millis,
    /// How long a reason is waited for, at most up to the deadline.
    pub reason_timeout: Millis,
    /// How a reason is read.
    pub reason: ReasonRules,
}

/// A request, and what its card has come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Where the request stands.
    pub life: Life<Millis>,
    /// What was chosen on the card so far, while nobody has answered.
    pub form: Form,
    /// The prompt for the reason of a denial, once it is posted. Words before it do not count.
    pub prompt: Option<MessageRef>,
}

/// What can happen to a request.
#[derive(Debug, Clone)]
pub enum Event {
    /// A choice on the request's card or on its prompt.
    Chosen {
        /// Which, see [`Action`].
        choice: String,
        /// By whom.
        user: User,
        /// What they wrote into the choice's field.
        text: Option<String>,
    },
    /// A text in the request's chat.
    Said {
        /// By whom.
        user: User,
        /// The message.
        message: MessageRef,
        /// What.
        text: String,
    },
    /// The prompt for words is up.
    PromptPosted(MessageRef),
    /// The prompt could not be posted, or the messenger is gone while words are awaited.
    ReasonFailed,
    /// Nothing happened but time: a deadline may have passed.
    Tick,
    /// The request was answered elsewhere, or nobody waits for the answer any more.
    Elsewhere(Resolver),
    /// The messenger cannot be used.
    Failed(Trouble),
}

/// What is to be done. In order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Tell whoever caused the event.
    Tell(Notice),
    /// Draw the card again: its form changed.
    Show,
    /// Post the prompt for a reason, which may be given until then.
    AskReason {
        /// The end of waiting.
        until: Millis,
    },
    /// Post the prompt for the words of the form's [`Writer`].
    AskWords,
    /// A person answers or denies. Comes before every other effect but [`Effect::Tell`]: the state counts only if whoever
    /// owns the request takes it.
    Command(Command),
}

/// What a person who pressed is told. The words are [`crate::text`]'s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// Taken, nothing to add.
    Taken,
    /// They may not answer.
    NotAllowed,
    /// It was answered already.
    AlreadyAnswered,
    /// Only the person who denied may say why.
    NotTheDenier,
    /// Their message arrived without its text (Discord without the message content intent).
    Unreadable,
    /// The choice is not on the card any more, or says nothing there.
    Outdated,
    /// Nobody here knows the card: it is old, or of another program that uses the same bot.
    UnknownCard,
    /// What was chosen on the card before is too old to be answered with: they may look again and press again.
    Stale,
    /// They denied several requests, and their words do not say which of them they are about.
    WhichCard,
}

impl Effect {
    /// The command of a person, where it is one.
    pub fn command(&self) -> Option<&Command> {
        match self {
            Self::Command(command) => Some(command),
            _ => None,
        }
    }
}

impl State {
    /// A request that nobody answered yet.
    pub fn waiting() -> Self {
        Self::deciding(Form::default())
    }

    /// The same with what was chosen on its card so far.
    pub fn deciding(form: Form) -> Self {
        Self { form, ..Self::of(Life::Open) }
    }

    /// A request that stands there, with nothing chosen on its card.
    pub fn of(life: Life<Millis>) -> Self {
        Self { life, form: Form::default(), prompt: None }
    }

    /// Whether nobody answered yet.
    pub fn is_undecided(&self) -> bool {
        self.life == Life::Open
    }

    /// When the next [`Event::Tick`] is due.
    pub fn wakes_at(&self, rules: &Rules) -> Millis {
        self.life.due(rules.deadline).unwrap_or(rules.deadline)
    }

    /// Whose words in the chat count now, by id, as far as there is a prompt for them.
    pub fn awaits_words_of(&self) -> Option<&str> {
        match &self.life {
            Life::Open => self.form.writer.as_ref().map(|writer| writer.id.as_str()),
            Life::Denied(denial) => Some(denial.by.id()),
            Life::Ended(_) => None,
        }
    }

    /// The final state, once there is one.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.life {
            Life::Ended(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// One step. An ended request never changes again, and ends exactly once.
pub fn step(state: State, event: Event, rules: &Rules, now: Now) -> (State, Vec<Effect>) {
    let is_late = now.at >= state.wakes_at(rules) && state.outcome().is_none();
    if is_late { late(state, event, rules, now) } else { timely(state, event, rules, now) }
}

/// What is seen after its time came too late, unless it denies: a process that was suspended sees what it was sent before
/// its time only afterwards. A denial ends the request at once. What else people did then changes nothing, so that a denial
/// behind it still counts; the next tick ends the request.
fn late(state: State, event: Event, rules: &Rules, now: Now) -> (State, Vec<Effect>) {
    let by_a_person = matches!(event, Event::Chosen { .. } | Event::Said { .. });
    let is_press = matches!(event, Event::Chosen { .. });
    let (next, mut effects) = timely(state.clone(), event, rules, now);
    match &next.life {
        Life::Denied(_) if state.is_undecided() => {
            let (ended, end) = timely(next, Event::Tick, rules, now);
            effects.retain(|effect| matches!(effect, Effect::Tell(_) | Effect::Command(_)));
            effects.extend(end);
            (ended, effects)
        }
        Life::Ended(outcome) if outcome.rejection().is_some() => (next, effects),
        _ if by_a_person => {
            let told = is_press.then_some(Effect::Tell(Notice::AlreadyAnswered));
            (state, told.into_iter().collect())
        }
        _ => timely(state, Event::Tick, rules, now),
    }
}

fn timely(state: State, event: Event, rules: &Rules, now: Now) -> (State, Vec<Effect>) {
    match state.life {
        Life::Open => deciding(state.form, event, rules, now),
        Life::Denied(denial) => reasoning(denial, state.prompt, event, rules, now.at),
        Life::Ended(_) => {
            let told = matches!(event, Event::Chosen { .. }).then_some(Effect::Tell(Notice::AlreadyAnswered));
            (state, told.into_iter().collect())
        }
    }
}

/// Carries out a command. A person who `pressed` is told what came of it.
fn carry_out(state: State, command: Command, pressed: bool, rules: &Rules, now: Millis) -> (State, Vec<Effect>) {
    let tell = |notice| pressed.then_some(Effect::Tell(notice)).into_iter();
    let until = now.saturating_add(rules.reason_timeout).min(rules.deadline);
    match state.life.step(command.clone(), until) {
        Ok(step) => {
            let commanded = command.by().is_some().then_some(Effect::Command(command));
            let asked = matches!(step, Step::Deny(_)).then_some(Effect::AskReason { until });
            (State::of(step.into()), tell(Notice::Taken).chain(commanded).chain(asked).collect())
        }
        Err(_) => (state, tell(Notice::AlreadyAnswered).collect()),
    }
}

#[cfg(test)]
mod tests;
