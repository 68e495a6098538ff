//! What becomes of one request: seed 0, section 8.2, as a pure function.
//!
//! ```text
//! WaitingDecision ─ approve ─▶ Approved            WaitingReason ─ text ─────▶ RejectedWithReason
//!   ▲    │        ─ tell + words ▶ RejectedWithReason    │       ─ skip ─────▶ RejectedNoReason(ExplicitSkip)
//!   │    │        ─ deadline, failure ▶ Expired          └ time-out, failure, deadline, terminal
//!   │    │        ─ terminal ▶ ResolvedElsewhere                             ▶ RejectedNoReason(Timeout)
//!   │    └─ deny, tell ─▶ WaitingReason
//!   └─ scope, wide, answers to questions: the card's [`Form`], which counts for 15 minutes (`flow/expiry.rs`)
//! ```
//!
//! How far an approval reaches is its [`Extent`]; what a press means is a [`Action`].
//!
//! A request that a rule decides waits for nobody, and never comes here: a rule's end is `dmplz_policy::Ruled`.
//!
//! **Invariant:** an allow holds an [`Approver`].
//! **Invariant:** from `WaitingReason` every way leads to a rejection. The seed's `WaitingReason → Expired` (hook
//! time-out) is a rejection here, because a deny that was pressed is never lost.

use crate::approvers::{Approver, Approvers};
use crate::messenger::{MessageRef, User};
use crate::reason::ReasonRules;

mod action;
mod asking;
mod deciding;
mod expiry;
mod extent;
mod form;
mod offer;
mod outcome;
mod reasoning;

pub use action::{Act, Action, choice};
pub use extent::{Answered, Edits, Extent, Scope, Term};
pub use form::{Draft, Form, Writer};
pub use offer::{Offer, Suggestion, Wide};
pub use outcome::{Decision, ExpiredCause, Outcome, ReasonSource, Resolver, Trouble};

use deciding::deciding;
use reasoning::{Awaited, reasoning};

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

/// Where a request stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// The card is up, or about to be.
    WaitingDecision {
        /// What was chosen on it so far.
        form: Form,
    },
    /// Somebody denied and may say why.
    WaitingReason {
        /// Who pressed deny: only their words count.
        denier: Approver,
        /// The prompt, once it is posted. Words before it do not count.
        prompt: Option<MessageRef>,
        /// When waiting for words ends.
        until: Millis,
        /// Whether they are to say what to do instead.
        instead: bool,
    },
    /// The request has ended, for good.
    Ended(Outcome),
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
    /// The request has ended: hand over the decision, then retire the card.
    End(Outcome),
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

impl State {
    /// A request that nobody answered yet.
    pub fn waiting() -> Self {
        Self::WaitingDecision { form: Form::default() }
    }

    /// Whether nobody answered yet.
    pub fn is_undecided(&self) -> bool {
        matches!(self, Self::WaitingDecision { .. })
    }

    /// When the next [`Event::Tick`] is due.
    pub fn wakes_at(&self, rules: &Rules) -> Millis {
        match self {
            Self::WaitingReason { until, .. } => *until.min(&rules.deadline),
            _ => rules.deadline,
        }
    }

    /// Whose words in the chat count now, by id, as far as there is a prompt for them.
    pub fn awaits_words_of(&self) -> Option<&str> {
        match self {
            Self::WaitingDecision { form } => form.writer.as_ref().map(|writer| writer.id.as_str()),
            Self::WaitingReason { denier, .. } => Some(denier.id()),
            Self::Ended(_) => None,
        }
    }

    /// The final state, once there is one.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Self::Ended(outcome) => Some(outcome),
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
    match &next {
        State::WaitingReason { .. } if state.is_undecided() => {
            let (ended, end) = timely(next, Event::Tick, rules, now);
            effects.retain(|effect| matches!(effect, Effect::Tell(_)));
            effects.extend(end);
            (ended, effects)
        }
        State::Ended(outcome) if outcome.rejection().is_some() => (next, effects),
        _ if by_a_person => {
            let told = is_press.then_some(Effect::Tell(Notice::AlreadyAnswered));
            (state, told.into_iter().collect())
        }
        _ => timely(state, Event::Tick, rules, now),
    }
}

fn timely(state: State, event: Event, rules: &Rules, now: Now) -> (State, Vec<Effect>) {
    match state {
        State::WaitingDecision { form } => deciding(form, event, rules, now),
        State::WaitingReason { denier, prompt, until, instead } => {
            reasoning(Awaited { denier, until, instead }, prompt, event, rules, now.at)
        }
        State::Ended(outcome) => {
            let told = matches!(event, Event::Chosen { .. }).then_some(Effect::Tell(Notice::AlreadyAnswered));
            (State::Ended(outcome), told.into_iter().collect())
        }
    }
}

fn end(outcome: Outcome, pressed: bool) -> (State, Vec<Effect>) {
    let told = pressed.then_some(Effect::Tell(Notice::Taken));
    (State::Ended(outcome.clone()), told.into_iter().chain([Effect::End(outcome)]).collect())
}

#[cfg(test)]
mod tests;
