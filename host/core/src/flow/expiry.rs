//! What was chosen on a card counts for 15 minutes: seed 4's `PermissionStateStore`. A request may wait for a day, and a
//! person who comes back to its card must not confirm what they no longer have in mind.
//!
//! | press | where the form was last touched more than 15 minutes ago |
//! |---|---|
//! | approve, session, a grant, a plan, deny, tell, skip | taken: it does not rest on the form |
//! | own words, in a field or in the chat | taken: they are of now |
//! | always, scope, wide, more; a step of a question, submit | not taken: its person is told, the card drawn anew; pressed again, it counts |
//! | what would not count anyway | told so, as ever: it confirms nothing |
//!
//! When it is not taken, the place of "always" and what is wide go back to how they were at first, as if they had never
//! been chosen; a button that still shows that place counts no more until somebody chooses it again. Answers stay: nobody
//! has to write twice.
//!
//! Edge cases: exactly 15 minutes is not more. A form on which nothing is chosen is never too old. One from the future
//! (the clock was set back) is, and so is one of which nobody knows when it was touched.

use super::action::{Act, Action};
use super::form::{Draft, Form};
use super::{Effect, Notice, State};
use crate::claude::Scope;
use crate::request::Life;

/// How long what was chosen counts, in milliseconds.
const FRESH_MS: u64 = 15 * 60 * 1000;

impl Form {
    /// Whether anything is chosen on it, and longer ago than that counts. `now_ms` is in Unix milliseconds.
    pub fn is_stale(&self, now_ms: u64) -> bool {
        let age = self.touched_ms.and_then(|touched| now_ms.checked_sub(touched));
        let chosen = self.scope != Scope::default() || self.wide || self.drafts.iter().any(Draft::is_answered);
        chosen && age.is_none_or(|age| age > FRESH_MS)
    }

    /// Whether a button counts that stores there: not one that was drawn before its place expired.
    pub(super) fn stores(&self, scope: Scope) -> bool {
        self.expired != Some(scope)
    }

    /// Without what expires, touched now.
    fn looked_at_again(self, now_ms: u64) -> Self {
        let expired = Some(self.scope).filter(|scope| *scope != Scope::default()).or(self.expired);
        Self { scope: Scope::default(), wide: false, expired, touched_ms: Some(now_ms), ..self }
    }
}

/// Whether what a press means depends on what was chosen before it.
pub(super) fn rests_on_form(action: Option<Action>, worded: bool) -> bool {
    match action {
        Some(Action::Always { .. } | Action::Scope(_) | Action::Widen(_) | Action::More(_) | Action::Submit) => true,
        Some(Action::Question { act, .. }) => !(worded && act == Act::Other),
        _ => false,
    }
}

/// What a step comes to that somebody's press or words would be, with the form that it began with: the same, touched now;
/// or, where it rests on what is too old, no more than a word that it does. A step that does not count stays one.
pub(super) fn aged(before: Form, step: Step, rests: bool, now_ms: u64) -> Step {
    let stale = before.is_stale(now_ms);
    match step {
        (_, effects) if stale && rests && is_taken(&effects) => {
            (State::deciding(before.looked_at_again(now_ms)), vec![Effect::Tell(Notice::Stale), Effect::Show])
        }
        (State { life: Life::Open, form, .. }, effects) if is_taken(&effects) => {
            let form = if stale { form.looked_at_again(now_ms) } else { Form { touched_ms: Some(now_ms), ..form } };
            (State::deciding(form), effects)
        }
        step => step,
    }
}

type Step = (State, Vec<Effect>);

fn is_taken(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::Tell(Notice::Taken) | Effect::Show))
}
