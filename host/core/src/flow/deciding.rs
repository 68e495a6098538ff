//! A card that waits for its answer. Only what the card offers and shows counts; everything else changes nothing, except
//! that a denial always counts.

use super::asking::{self, changed, stay};
use super::form::Form;
use super::lapse;
use super::pick::Pick;
use super::{Effect, Event, ExpiredCause, Extent, Millis, Notice, Now, Outcome, Rules, State, end};
use crate::approvers::Approver;

pub(super) fn deciding(form: Form, event: Event, rules: &Rules, now: Now) -> (State, Vec<Effect>) {
    let form = form.fitting(&rules.offer);
    match event {
        Event::Chosen { choice, user, text } => match rules.approvers.admit(&user) {
            Some(by) => chosen(form, by, Pick::parse(&choice), text.as_deref(), rules, now),
            None => stay(form, vec![Effect::Tell(Notice::NotAllowed)]),
        },
        Event::Said { user, message, text } => {
            let step = asking::said(form.clone(), &user, &message, &text, rules);
            lapse::aged(form, step, false, now.wall_ms)
        }
        Event::PromptPosted(message) => asking::prompted(form, message),
        Event::ReasonFailed => asking::unasked(form),
        Event::Tick if now.at >= rules.deadline => end(Outcome::Expired(ExpiredCause::Nobody), false),
        Event::Tick => stay(form, Vec::new()),
        Event::Elsewhere(resolver) => end(Outcome::ResolvedElsewhere(resolver), false),
        Event::Failed(why) => end(Outcome::Expired(ExpiredCause::Failed(why)), false),
    }
}

/// A press of somebody who may answer.
fn chosen(
    form: Form,
    by: Approver,
    pick: Option<Pick>,
    text: Option<&str>,
    rules: &Rules,
    now: Now,
) -> (State, Vec<Effect>) {
    let worded = text.and_then(|text| rules.reason.normalise(text)).is_some();
    let step = pressed(form.clone(), by, pick, text, rules, now.at);
    lapse::aged(form, step, lapse::rests_on_form(pick, worded), now.wall_ms)
}

fn pressed(
    form: Form,
    by: Approver,
    pick: Option<Pick>,
    text: Option<&str>,
    rules: &Rules,
    now: Millis,
) -> (State, Vec<Effect>) {
    let offer = &rules.offer;
    let extent = match pick {
        Some(Pick::Deny) => return ask_reason(by, false, rules, now),
        Some(Pick::Tell) => {
            return match text.and_then(|text| rules.reason.normalise(text)) {
                Some(reason) => end(Outcome::RejectedWithReason { by, reason, instead: true }, true),
                None => ask_reason(by, true, rules, now),
            };
        }
        Some(Pick::Scope(scope)) if offer.has_scope(form.wide) => {
            return changed(Form { scope, lapsed: None, ..form });
        }
        Some(Pick::Widen(wide)) if offer.has_wide() => return changed(Form { wide, ..form }),
        Some(Pick::Question { step, act }) => return asking::act(form, step, act, text, &by, rules),
        Some(Pick::Approve) => Some(Extent::Once),
        Some(Pick::Session) => Some(Extent::Session),
        // What is wide counts only while the card shows it.
        Some(Pick::Always { scope, wide }) => {
            Some(Extent::Always { scope, wide }).filter(|_| (!wide || form.wide) && form.stores(scope))
        }
        Some(Pick::Grant(term)) => Some(Extent::Granted { term }),
        Some(Pick::Plan(edits)) => Some(Extent::Plan { edits }),
        Some(Pick::Submit) if form.question == offer.questions.len() => {
            form.answers(offer).map(|answers| Extent::Answers { answers })
        }
        Some(Pick::Scope(_) | Pick::Widen(_) | Pick::Submit | Pick::Skip | Pick::Write | Pick::Revoke) | None => None,
    };
    match extent.filter(|extent| offer.offers(extent)) {
        Some(extent) => end(Outcome::Approved { by, extent }, true),
        None => stay(form, vec![Effect::Tell(Notice::Outdated)]),
    }
}

fn ask_reason(denier: Approver, instead: bool, rules: &Rules, now: Millis) -> (State, Vec<Effect>) {
    let until = now.saturating_add(rules.reason_timeout).min(rules.deadline);
    let state = State::WaitingReason { denier, prompt: None, until, instead };
    (state, vec![Effect::Tell(Notice::Taken), Effect::AskReason { until }])
}
