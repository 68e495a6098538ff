//! The presses and texts on a request's card, and their effect on the request, as a pure function.
//!
//! ```text
//! Open ─ approve ─────────▶ Approved                 Denied ─ text ─────▶ RejectedWithReason
//!   ▲    │        ─ tell + words ▶ RejectedWithReason    │       ─ skip ─────▶ RejectedNoReason(ExplicitSkip)
//!   │    │        ─ deadline, failure ▶ Expired          └ time-out, failure, deadline, terminal
//!   │    │        ─ terminal ▶ ResolvedElsewhere                             ▶ RejectedNoReason(Timeout)
//!   │    └─ deny, tell ─▶ Denied
//!   └─ scope, broad, answers to questions: the card's [`Form`], which counts for 15 minutes (`flow/expiry.rs`)
//! ```
//!
//! A press means an [`Action`]. Its effect on the request is a [`Command`], which the request's [`Life`] accepts or
//! refuses. The request's owner is asked first.

use crate::approvers::Approvers;
use crate::messenger::{MessageRef, User};
use crate::reason::ReasonRules;
use crate::request::{Command, Life, Offer, Outcome, Resolver, Step, Trouble};

mod action;
mod asking;
mod deciding;
mod expiry;
mod form;
mod notice;
mod reasoning;

pub use action::{Act, Action, choice};
pub use form::{Draft, Form, Writer};
pub use notice::Notice;

use deciding::deciding;
use reasoning::reasoning;

/// Milliseconds since the start of the process.
pub type Millis = u64;

/// A moment on the two clocks that the flow uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// Milliseconds since the start of the process. Deadlines use this clock.
    pub at: Millis,
    /// The wall clock in Unix milliseconds. Times that may outlive the process use this clock.
    pub wall_ms: u64,
}

/// Settings that stay the same while a request is open.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The people whose answers count.
    pub approvers: Approvers,
    /// What the card offers besides yes and no.
    pub offer: Offer,
    /// The moment by which everything must have ended.
    pub deadline: Millis,
    /// How long a reason is awaited. It never extends beyond the deadline.
    pub reason_timeout: Millis,
    /// How the text of a reason is normalised.
    pub reason: ReasonRules,
}

/// A request and the state of its card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The state of the request.
    pub life: Life<Millis>,
    /// The choices made on the card while nobody has answered.
    pub form: Form,
    /// The prompt for the reason of a denial, once it is posted. Earlier messages do not count as a reason.
    pub prompt: Option<MessageRef>,
}

/// What can happen to a request.
#[derive(Debug, Clone)]
pub enum Event {
    /// A choice on the request's card or on its prompt.
    Chosen {
        /// The choice's id; see [`Action`].
        choice: String,
        /// The user who pressed.
        user: User,
        /// The text that the user wrote into the choice's field.
        text: Option<String>,
    },
    /// A text in the request's chat.
    Said {
        /// The user who wrote.
        user: User,
        /// The message that holds the text.
        message: MessageRef,
        /// The text of the message.
        text: String,
    },
    /// The prompt for words is posted.
    PromptPosted(MessageRef),
    /// The prompt could not be posted, or the messenger went away while words were awaited.
    ReasonFailed,
    /// Only time passed: a deadline may be over.
    Tick,
    /// The request was answered elsewhere, or nobody waits for the answer any more.
    Elsewhere(Resolver),
    /// The messenger cannot be used.
    Failed(Trouble),
}

/// An action for the caller, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Tell the user who caused the event.
    Tell(Notice),
    /// Revise the card: its form changed.
    Show,
    /// Post the prompt for a reason.
    AskReason {
        /// The moment at which waiting for the reason ends.
        until: Millis,
    },
    /// Post the prompt for the words of the form's [`Writer`].
    AskWords,
    /// Apply a person's command. It precedes every other effect but [`Effect::Tell`]: the new state counts only if the
    /// request's owner accepts the command.
    Command(Command),
}

impl Effect {
    /// Returns the command, if the effect is one.
    pub fn command(&self) -> Option<&Command> {
        match self {
            Self::Command(command) => Some(command),
            _ => None,
        }
    }
}

impl State {
    /// Returns a request that nobody has answered yet.
    pub fn waiting() -> Self {
        Self::deciding(Form::default())
    }

    /// Returns a request that nobody has answered, with the choices made on its card so far.
    pub fn deciding(form: Form) -> Self {
        Self { form, ..Self::of(Life::Open) }
    }

    /// Returns a request in this state, with nothing chosen on its card.
    pub fn of(life: Life<Millis>) -> Self {
        Self { life, form: Form::default(), prompt: None }
    }

    /// Returns whether nobody has answered yet.
    pub fn is_undecided(&self) -> bool {
        self.life == Life::Open
    }

    /// Returns the moment at which the next [`Event::Tick`] is due.
    pub fn wakes_at(&self, rules: &Rules) -> Millis {
        self.life.due(rules.deadline).unwrap_or(rules.deadline)
    }

    /// Returns the id of the user whose texts in the chat count now. They count only after the prompt.
    pub fn awaits_words_of(&self) -> Option<&str> {
        match &self.life {
            Life::Open => self.form.writer.as_ref().map(|writer| writer.id.as_str()),
            Life::Denied(denial) => Some(denial.by.id()),
            Life::Ended(_) => None,
        }
    }

    /// Returns the final state, if the request has ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.life {
            Life::Ended(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// Applies one event. A request ends exactly once, and an ended request never changes again.
pub fn step(state: State, event: Event, rules: &Rules, now: Now) -> (State, Vec<Effect>) {
    let is_late = now.at >= state.wakes_at(rules) && state.outcome().is_none();
    if is_late { late(state, event, rules, now) } else { timely(state, event, rules, now) }
}

/// Handles an event that is seen after the time was over. It is too late unless it denies: a process that was suspended
/// reads only afterwards what was sent in time. A denial ends the request at once. Any other press or text changes
/// nothing, so that a denial behind it still counts; the next tick ends the request.
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
            let notice = if state.is_undecided() { Notice::Expired } else { Notice::AlreadyAnswered };
            let told = is_press.then_some(Effect::Tell(notice));
            (state, told.into_iter().collect())
        }
        _ => timely(state, Event::Tick, rules, now),
    }
}

fn timely(state: State, event: Event, rules: &Rules, now: Now) -> (State, Vec<Effect>) {
    match state.life {
        Life::Open => deciding(state.form, event, rules, now),
        Life::Denied(denial) => reasoning(denial, state.prompt, event, rules, now.at),
        Life::Ended(ref outcome) => {
            let expired = matches!(outcome, Outcome::Expired(_));
            let notice = if expired { Notice::Expired } else { Notice::AlreadyAnswered };
            let told = matches!(event, Event::Chosen { .. }).then_some(Effect::Tell(notice));
            (state, told.into_iter().collect())
        }
    }
}

/// Applies a command. If a person `pressed`, the effects tell that person the result.
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
