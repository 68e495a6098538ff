//! What becomes of one request: seed 0, section 8.2, as a pure function.
//!
//! ```text
//! WaitingDecision ─ approve ─▶ Approved            WaitingReason ─ text ─────▶ RejectedWithReason
//!        │        ─ session ─▶ ApprovedSession           │       ─ skip ─────▶ RejectedNoReason(ExplicitSkip)
//!        │        ─ deadline, failure ▶ Expired          └ time-out, failure, deadline, terminal
//!        │        ─ terminal ▶ ResolvedElsewhere                             ▶ RejectedNoReason(Timeout)
//!        └─ deny ─▶ WaitingReason
//! ```
//!
//! A request that a rule decides ends before it waits for anybody: [`Outcome::AllowedByRule`], [`Outcome::DeniedByRule`].
//!
//! **Invariant:** an allow holds an [`Authority`]: an [`Approver`], or a [`Permit`](crate::policy::Permit) of the judge.
//! **Invariant:** from `WaitingReason` every way leads to a rejection. The seed's `WaitingReason → Expired` (hook
//! time-out) is a rejection here, because a deny that was pressed is never lost.

use crate::approvers::{Approver, Approvers};
use crate::messenger::{MessageRef, User};
use crate::reason::ReasonRules;

mod extent;
mod form;
mod offer;
mod outcome;

pub use extent::{Answered, Edits, Extent, Scope, Term};
pub use form::{Draft, Form};
pub use offer::{Offer, Suggestion};
pub use outcome::{Authority, Decision, ExpiredCause, Outcome, ReasonSource, Resolver, RuleDenial};

/// Milliseconds since the start of the process.
pub type Millis = u64;

/// Ids of the choices that we put on cards.
pub mod choice {
    /// Allow this call.
    pub const APPROVE: &str = "approve";
    /// Allow this call and grant it for the session.
    pub const SESSION: &str = "session";
    /// Deny.
    pub const DENY: &str = "deny";
    /// Deny without a reason; stands on the prompt.
    pub const SKIP: &str = "skip";
    /// Allow and store what the client suggests, where the card says.
    pub const ALWAYS: &str = "always";
    /// The same for this project, just you.
    pub const ALWAYS_LOCAL: &str = "always-local";
    /// The same for all projects.
    pub const ALWAYS_USER: &str = "always-user";
    /// The same for this project, shared.
    pub const ALWAYS_PROJECT: &str = "always-project";
    /// Another place to store it.
    pub const SCOPE: &str = "scope";
    /// Also store what reaches further than the call, or not.
    pub const WIDEN: &str = "widen";
    /// Allow exactly this for 30 minutes.
    pub const GRANT_HALF_HOUR: &str = "grant-30m";
    /// Allow exactly this until the session ends.
    pub const GRANT_SESSION: &str = "grant-session";
    /// Deny and say what to do instead.
    pub const TELL: &str = "tell";
    /// Approve a plan; its edits are accepted by themselves.
    pub const AUTO_ACCEPT: &str = "auto-accept";
    /// Approve a plan; its edits are approved one by one.
    pub const MANUAL: &str = "manual";
    /// An option of a question is this and its number, from 1.
    pub const OPTION: &str = "o";
    /// Answer a question in one's own words.
    pub const OTHER: &str = "other";
    /// The question before.
    pub const BACK: &str = "back";
    /// The next question.
    pub const NEXT: &str = "next";
    /// Send the answers.
    pub const SUBMIT: &str = "submit";
    /// Take a grant of ours back; stands on an ended card.
    pub const REVOKE: &str = "revoke";
}

/// What does not change while a request is open.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Who may answer.
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
    /// Final.
    Ended(Outcome),
}

/// What can happen to a request.
#[derive(Debug, Clone)]
pub enum Event {
    /// A choice on the request's card or on its prompt.
    Chosen {
        /// Which, see [`choice`].
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
    /// The prompt for a reason is up.
    PromptPosted(MessageRef),
    /// The prompt could not be posted, or the messenger is gone while a reason is awaited.
    ReasonFailed,
    /// Time passed.
    Tick,
    /// The request was answered elsewhere, or nobody waits for the answer any more.
    Elsewhere(Resolver),
    /// The messenger cannot be used.
    Failed(String),
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

    /// The final state, once there is one.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Self::Ended(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// One step. An ended request never changes again, and ends exactly once.
pub fn step(state: State, event: Event, rules: &Rules, now: Millis) -> (State, Vec<Effect>) {
    // Whatever arrives after the deadline came too late, except that it may be the very tick.
    let event = if now >= state.wakes_at(rules) && !matches!(state, State::Ended(_)) { Event::Tick } else { event };
    match state {
        State::WaitingDecision { form } => deciding(form, event, rules, now),
        State::WaitingReason { denier, prompt, until, instead } => {
            reasoning(Awaited { denier, until, instead }, prompt, event, rules, now)
        }
        State::Ended(outcome) => {
            let told = matches!(event, Event::Chosen { .. }).then_some(Effect::Tell(Notice::AlreadyAnswered));
            (State::Ended(outcome), told.into_iter().collect())
        }
    }
}

fn deciding(form: Form, event: Event, rules: &Rules, now: Millis) -> (State, Vec<Effect>) {
    match event {
        Event::Chosen { choice, user, text: _ } => {
            let Some(by) = rules.approvers.admit(&user) else {
                return (State::WaitingDecision { form }, vec![Effect::Tell(Notice::NotAllowed)]);
            };
            let approved = |extent| end(Outcome::Approved { by: by.clone(), extent }, true);
            match choice.as_str() {
                choice::APPROVE => approved(Extent::Once),
                choice::SESSION if rules.offer.session => approved(Extent::Session),
                choice::DENY => {
                    let until = now.saturating_add(rules.reason_timeout).min(rules.deadline);
                    let state = State::WaitingReason { denier: by, prompt: None, until, instead: false };
                    (state, vec![Effect::Tell(Notice::Taken), Effect::AskReason { until }])
                }
                _ => (State::WaitingDecision { form }, Vec::new()),
            }
        }
        Event::Tick if now >= rules.deadline => end(Outcome::Expired(ExpiredCause::Nobody), false),
        Event::Elsewhere(resolver) => end(Outcome::ResolvedElsewhere(resolver), false),
        Event::Failed(why) => end(Outcome::Expired(ExpiredCause::Failed(why)), false),
        Event::Tick | Event::Said { .. } | Event::PromptPosted(_) | Event::ReasonFailed => {
            (State::WaitingDecision { form }, Vec::new())
        }
    }
}

/// Words that are awaited.
struct Awaited {
    denier: Approver,
    until: Millis,
    instead: bool,
}

fn reasoning(
    awaited: Awaited,
    prompt: Option<MessageRef>,
    event: Event,
    rules: &Rules,
    now: Millis,
) -> (State, Vec<Effect>) {
    let Awaited { denier, until, instead } = awaited;
    let stay = |prompt| State::WaitingReason { denier: denier.clone(), prompt, until, instead };
    let silent = |source| Outcome::RejectedNoReason { by: denier.clone(), source };
    match event {
        Event::Chosen { choice, user, text: _ } => {
            if user.id != denier.id() || user.is_bot {
                let allowed = rules.approvers.admit(&user).is_some();
                let notice = match choice.as_str() {
                    _ if !allowed => Notice::NotAllowed,
                    choice::SKIP => Notice::NotTheDenier,
                    _ => Notice::AlreadyAnswered,
                };
                return (stay(prompt), vec![Effect::Tell(notice)]);
            }
            match choice.as_str() {
                choice::SKIP => end(silent(ReasonSource::ExplicitSkip), true),
                // The same press again; reactions are reported as long as they stand.
                choice::DENY => (stay(prompt), vec![Effect::Tell(Notice::Taken)]),
                _ => (stay(prompt), vec![Effect::Tell(Notice::AlreadyAnswered)]),
            }
        }
        Event::Said { user, message, text } => {
            let counts = user.id == denier.id()
                && !user.is_bot
                && prompt.as_ref().is_some_and(|p| p.chat == message.chat && message.sequence > p.sequence);
            if !counts {
                return (stay(prompt), Vec::new());
            }
            if rules.reason.is_skip(&text) {
                return end(silent(ReasonSource::ExplicitSkip), false);
            }
            match rules.reason.normalise(&text) {
                Some(reason) => end(Outcome::RejectedWithReason { by: denier.clone(), reason, instead }, false),
                None => (stay(prompt), vec![Effect::Tell(Notice::Unreadable)]),
            }
        }
        Event::PromptPosted(message) => (stay(Some(message)), Vec::new()),
        Event::Tick if now < until => (stay(prompt), Vec::new()),
        Event::Tick | Event::ReasonFailed | Event::Elsewhere(_) | Event::Failed(_) => {
            end(silent(ReasonSource::Timeout), false)
        }
    }
}

fn end(outcome: Outcome, pressed: bool) -> (State, Vec<Effect>) {
    let told = pressed.then_some(Effect::Tell(Notice::Taken));
    (State::Ended(outcome.clone()), told.into_iter().chain([Effect::End(outcome)]).collect())
}

#[cfg(test)]
mod tests;
