//! Somebody denied and may say why, or what to do instead.

use super::action::Action;
use super::{Effect, Event, Millis, Notice, Outcome, ReasonSource, Rules, State, end};
use crate::approvers::Approver;
use crate::messenger::MessageRef;

/// Words that are awaited.
pub(super) struct Awaited {
    pub(super) denier: Approver,
    pub(super) until: Millis,
    pub(super) instead: bool,
}

pub(super) fn reasoning(
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
        Event::Chosen { choice, user, text } => {
            let action = Action::parse(&choice);
            if user.id != denier.id() || user.is_bot {
                let allowed = rules.approvers.admit(&user).is_some();
                let notice = match action {
                    _ if !allowed => Notice::NotAllowed,
                    Some(Action::Skip | Action::Write) => Notice::NotTheDenier,
                    _ => Notice::AlreadyAnswered,
                };
                return (stay(prompt), vec![Effect::Tell(notice)]);
            }
            match action {
                Some(Action::Skip) => end(silent(ReasonSource::ExplicitSkip), true),
                // The same press again; reactions are reported as long as they stand.
                Some(Action::Deny) => (stay(prompt), vec![Effect::Tell(Notice::Taken)]),
                Some(Action::Tell) => match text.and_then(|text| rules.reason.normalise(&text)) {
                    Some(reason) => end(Outcome::RejectedWithReason { by: denier, reason, instead: true }, true),
                    None => (stay(prompt), vec![Effect::Tell(Notice::Taken)]),
                },
                Some(Action::Write) => match text.and_then(|text| rules.reason.normalise(&text)) {
                    Some(reason) => end(Outcome::RejectedWithReason { by: denier, reason, instead }, true),
                    None => (stay(prompt), vec![Effect::Tell(Notice::Taken)]),
                },
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
        Event::Tick if now < until.min(rules.deadline) => (stay(prompt), Vec::new()),
        Event::Tick | Event::ReasonFailed | Event::Elsewhere(_) | Event::Failed(_) => {
            end(silent(ReasonSource::Timeout), false)
        }
    }
}
