//! The choices made on a card count for 15 minutes. A request may wait for a day, and a user who comes back to its
//! card must not confirm choices that they have forgotten.
//!
//! | press | if the form was last touched more than 15 minutes ago |
//! |---|---|
//! | approve, session, a grant, a plan, deny, tell, skip | accepted: it does not depend on the form |
//! | own words, in a field or in the chat | accepted: they are new |
//! | always, scope, broad, more; a step of a question, submit | refused once: the user is told and the card is revised |
//! | a press that would not count anyway | answered as usual: it confirms nothing |
//!
//! When a press is not accepted, the scope of "always" and the broad suggestions return to their defaults. A button that
//! still shows the expired scope does not count until a user chooses that scope again. Answers to questions stay:
//! nobody has to write them twice.
//!
//! Edge cases: exactly 15 minutes is not too old. A form on which nothing is chosen is never too old. A form touched in
//! the future (the clock was set back) is too old, and so is one whose last touch is unknown.

use super::action::{Act, Action};
use super::form::{Draft, Form};
use super::{Effect, Notice, State};
use crate::claude::Scope;
use crate::request::Life;

/// How long choices count, in milliseconds.
const FRESH_MS: u64 = 15 * 60 * 1000;

impl Form {
    /// Returns whether the form holds choices that are too old to count. `now_ms` is in Unix milliseconds.
    pub fn is_stale(&self, now_ms: u64) -> bool {
        let age = self.touched_ms.and_then(|touched| now_ms.checked_sub(touched));
        let chosen = self.scope != Scope::default() || self.broad || self.drafts.iter().any(Draft::is_answered);
        chosen && age.is_none_or(|age| age > FRESH_MS)
    }

    /// Returns whether a button that stores in `scope` counts. It does not if it was shown before that scope expired.
    pub(super) fn stores(&self, scope: Scope) -> bool {
        self.expired != Some(scope)
    }

    /// Returns the form without its expired choices, touched now.
    fn looked_at_again(self, now_ms: u64) -> Self {
        let expired = Some(self.scope).filter(|scope| *scope != Scope::default()).or(self.expired);
        Self { scope: Scope::default(), broad: false, expired, touched_ms: Some(now_ms), ..self }
    }
}

/// Returns whether the meaning of a press depends on earlier choices.
pub(super) fn rests_on_form(action: Option<Action>, worded: bool) -> bool {
    match action {
        Some(Action::Always { .. } | Action::Scope(_) | Action::Widen(_) | Action::More(_) | Action::Submit) => true,
        Some(Action::Question { act, .. }) => !(worded && act == Act::Other),
        _ => false,
    }
}

/// Ages the step of a press or text that began with the form `before`. An accepted step touches the form now. If the
/// step rests on choices that are too old, it is replaced by a notice that says so. A step that is not accepted stays
/// as it is.
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
