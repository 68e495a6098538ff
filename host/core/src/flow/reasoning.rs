//! A denied request: the person who denied may say why, or what to do instead.

use super::action::Action;
use super::{Effect, Event, Millis, Notice, Rules, State, carry_out};
use crate::messenger::MessageRef;
use crate::request::{Answer, Command, Denial, ExpiredCause, Life};

pub(super) fn reasoning(
    denial: Denial<Millis>,
    prompt: Option<MessageRef>,
    event: Event,
    rules: &Rules,
    now: Millis,
) -> (State, Vec<Effect>) {
    let by = denial.by.clone();
    let state = State { prompt, ..State::of(Life::Denied(denial)) };
    let tell = |state, notice| (state, vec![Effect::Tell(notice)]);
    let says = |state, reason, instead, pressed| {
        let answer = Answer::Deny { reason, instead };
        carry_out(state, Command::Answer { answer, by: by.clone() }, pressed, rules, now)
    };
    match event {
        Event::Chosen { choice, user, text } => {
            let action = Action::parse(&choice);
            if user.id != by.id() || user.is_bot {
                let allowed = rules.approvers.admit(&user).is_some();
                let notice = match action {
                    _ if !allowed => Notice::NotAllowed,
                    Some(Action::Skip | Action::Write) => Notice::NotTheDenier,
                    _ => Notice::AlreadyAnswered,
                };
                return tell(state, notice);
            }
            let words = text.and_then(|text| rules.reason.normalise(&text));
            match (action, words) {
                (Some(Action::Skip), _) => says(state, None, false, true),
                (Some(Action::Tell), words @ Some(_)) => says(state, words, true, true),
                (Some(Action::Write), words @ Some(_)) => says(state, words, false, true),
                // The same press came again: reactions are reported as long as they are set.
                (Some(Action::Deny | Action::Tell | Action::Write), _) => tell(state, Notice::Taken),
                _ => tell(state, Notice::AlreadyAnswered),
            }
        }
        Event::Said { user, message, text } => {
            let counts = user.id == by.id()
                && !user.is_bot
                && state.prompt.as_ref().is_some_and(|prompt| message.follows(prompt));
            if !counts {
                return (state, Vec::new());
            }
            if rules.reason.is_skip(&text) {
                return says(state, None, false, false);
            }
            match rules.reason.normalise(&text) {
                words @ Some(_) => says(state, words, false, false),
                None => tell(state, Notice::Unreadable),
            }
        }
        Event::PromptPosted(message) => (State { prompt: Some(message), ..state }, Vec::new()),
        Event::Tick if now < state.wakes_at(rules) => (state, Vec::new()),
        Event::Tick | Event::ReasonFailed => carry_out(state, Command::Expire(ExpiredCause::Nobody), false, rules, now),
        Event::Elsewhere(resolver) => carry_out(state, Command::Withdraw(resolver), false, rules, now),
        Event::Failed(why) => carry_out(state, Command::Expire(ExpiredCause::Failed(why)), false, rules, now),
    }
}
