//! A card that waits for its answer. Only what the card offers and shows counts. Everything else changes nothing,
//! except that a denial always counts.

use super::action::Action;
use super::asking::{self, changed, stay};
use super::expiry;
use super::form::Form;
use super::{Effect, Event, Millis, Notice, Now, Rules, State, carry_out};
use crate::approvers::Approver;
use crate::request::{Answer, ApprovalScope, Command, ExpiredCause};

pub(super) fn deciding(form: Form, event: Event, rules: &Rules, now: Now) -> (State, Vec<Effect>) {
    let form = form.fitting(&rules.offer);
    let carried_out = |form, command| carry_out(State::deciding(form), command, false, rules, now.at);
    match event {
        Event::Chosen { choice, user, text } => {
            let Some(by) = rules.approvers.admit(&user) else {
                return stay(form, vec![Effect::Tell(Notice::NotAllowed)]);
            };
            let (action, text) = (Action::parse(&choice), text.as_deref());
            let worded = text.and_then(|text| rules.reason.normalise(text)).is_some();
            let step = pressed(form.clone(), by, action, text, rules, now.at);
            expiry::aged(form, step, expiry::rests_on_form(action, worded), now.wall_ms)
        }
        Event::Said { user, message, text } => {
            let step = asking::said(form.clone(), &user, &message, &text, rules);
            expiry::aged(form, step, false, now.wall_ms)
        }
        Event::PromptPosted(message) => asking::prompted(form, message),
        Event::ReasonFailed => asking::unasked(form),
        Event::Tick if now.at >= rules.deadline => carried_out(form, Command::Expire(ExpiredCause::Nobody)),
        Event::Tick => stay(form, Vec::new()),
        Event::Elsewhere(resolver) => carried_out(form, Command::Withdraw(resolver)),
        Event::Failed(why) => carried_out(form, Command::Expire(ExpiredCause::Failed(why))),
    }
}

/// Handles a press of a user who may answer.
fn pressed(
    form: Form,
    by: Approver,
    action: Option<Action>,
    text: Option<&str>,
    rules: &Rules,
    now: Millis,
) -> (State, Vec<Effect>) {
    let offer = &rules.offer;
    let carried_out = |form, command| carry_out(State::deciding(form), command, true, rules, now);
    let scope = match action {
        Some(Action::Deny) => return carried_out(form, offer.denial(by, false)),
        Some(Action::Tell) => {
            let command = match text.and_then(|text| rules.reason.normalise(text)) {
                reason @ Some(_) => Command::Answer { answer: Answer::Deny { reason, instead: true }, by },
                None => Command::Deny { by, instead: true },
            };
            return carried_out(form, command);
        }
        Some(Action::Scope(scope)) if offer.has_scope(form.broad) => {
            return changed(Form { scope, expired: None, ..form });
        }
        Some(Action::Widen(broad)) if offer.has_broad() => return changed(Form { broad, ..form }),
        Some(Action::More(page)) => return changed(Form { page: page - 1, ..form }),
        Some(Action::Question { step, act }) => return asking::act(form, step, act, text, &by, rules),
        Some(Action::Approve) => Some(ApprovalScope::Once),
        Some(Action::Session) => Some(ApprovalScope::Session),
        // Broad suggestions count only while the card shows them.
        Some(Action::Always { scope, broad }) => {
            Some(ApprovalScope::Always { scope, broad }).filter(|_| (!broad || form.broad) && form.stores(scope))
        }
        Some(Action::Grant(term)) => Some(ApprovalScope::Granted { term }),
        Some(Action::Plan(edits)) => Some(ApprovalScope::Plan { edits }),
        Some(Action::Submit) if form.question == offer.questions.len() => {
            form.answers(offer).map(|answers| ApprovalScope::Answers { answers })
        }
        Some(Action::Scope(_) | Action::Widen(_) | Action::Submit | Action::Skip | Action::Write | Action::Revoke)
        | None => None,
    };
    match scope.filter(|scope| offer.offers(scope)) {
        Some(scope) => carried_out(form, Command::Answer { answer: Answer::Allow(scope), by }),
        None => stay(form, vec![Effect::Tell(Notice::Outdated)]),
    }
}
