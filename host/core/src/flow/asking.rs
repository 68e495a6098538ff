//! The agent's questions: one at a time, each with a way back, then a review of all answers before they are sent.
//!
//! If a question takes one option, choosing it goes on to the next question. If it takes several, options are added and
//! removed, and `next` goes on. The user's own words replace a single option, and stand beside several.

use super::action::Act;
use super::form::{Draft, Form, Writer};
use super::{Effect, Notice, Rules, State};
use crate::approvers::Approver;
use crate::messenger::{MessageRef, User};

/// Applies a user's action to a question, if that question is the current one.
pub(super) fn act(mut form: Form, step: usize, act: Act, text: Option<&str>, by: &Approver, rules: &Rules) -> Step {
    let outdated = vec![Effect::Tell(Notice::Outdated)];
    if rules.offer.questions.is_empty() || step != form.question.saturating_add(1) {
        return stay(form, outdated);
    }
    if act == Act::Back {
        return match form.question.checked_sub(1) {
            Some(before) => changed(form.at_question(before)),
            None => stay(form, outdated),
        };
    }
    let Some(question) = rules.offer.questions.get(form.question) else { return stay(form, outdated) };
    let Some(draft) = form.drafts.get_mut(form.question) else { return stay(form, outdated) };
    let several = question.multi_select;
    let taken = match act {
        Act::Choose(number) if (1..=question.options.len()).contains(&number) => {
            let option = number - 1;
            if !several {
                *draft = Draft { options: vec![option], text: None };
                return changed(form.at_next_question());
            }
            draft.options.push(option);
            draft.options.sort_unstable();
            draft.options.dedup();
            true
        }
        Act::Remove(0) => draft.text.take().is_some(),
        Act::Remove(number) if several => {
            draft.options.retain(|option| option + 1 != number);
            true
        }
        Act::Next if draft.is_answered() => return changed(form.at_next_question()),
        Act::Other => match text.and_then(|text| rules.reason.normalise(text)) {
            Some(words) => return written(form, words, several),
            None => return await_words(form, by),
        },
        Act::Choose(_) | Act::Remove(_) | Act::Next | Act::Back => false,
    };
    if taken { changed(form) } else { stay(form, outdated) }
}

/// Handles a text in the chat. It is the answer if the awaited writer sent it after the prompt.
pub(super) fn said(form: Form, user: &User, message: &MessageRef, text: &str, rules: &Rules) -> Step {
    let after = |prompt| message.follows(prompt);
    let awaited = form.writer.as_ref().is_some_and(|it| it.id == user.id && it.prompt.as_ref().is_some_and(after));
    let several = form.asked(&rules.offer).map(|(question, _)| question.multi_select);
    match several.filter(|_| awaited && rules.approvers.admit(user).is_some()) {
        Some(several) => match rules.reason.normalise(text) {
            Some(words) => {
                let (state, effects) = written(form, words, several);
                // A text is no press, so nothing waits for an acknowledgement.
                (state, effects.into_iter().filter(|effect| *effect == Effect::Show).collect())
            }
            None => stay(form, vec![Effect::Tell(Notice::Unreadable)]),
        },
        None => stay(form, Vec::new()),
    }
}

/// Notes that the prompt for words is posted.
pub(super) fn prompted(mut form: Form, message: MessageRef) -> Step {
    if let Some(writer) = &mut form.writer {
        writer.prompt = Some(message);
    }
    stay(form, Vec::new())
}

/// Stops waiting for words, because the prompt could not be posted.
pub(super) fn unasked(form: Form) -> Step {
    let effects = if form.writer.is_some() { vec![Effect::Show] } else { Vec::new() };
    stay(Form { writer: None, ..form }, effects)
}

type Step = (State, Vec<Effect>);

fn written(mut form: Form, words: String, several: bool) -> Step {
    if let Some(draft) = form.drafts.get_mut(form.question) {
        draft.text = Some(words);
        if !several {
            draft.options.clear();
            return changed(form.at_next_question());
        }
    }
    changed(Form { writer: None, ..form })
}

fn await_words(form: Form, by: &Approver) -> Step {
    // The same press came again: reactions are reported as long as they are set. Without a prompt, its posting was
    // lost.
    if form.writer.as_ref().is_some_and(|writer| writer.id == by.id() && writer.prompt.is_some()) {
        return stay(form, vec![Effect::Tell(Notice::Taken)]);
    }
    let writer = Some(Writer { id: by.id().to_owned(), prompt: None });
    stay(Form { writer, ..form }, vec![Effect::Tell(Notice::Taken), Effect::AskWords])
}

pub(super) fn changed(form: Form) -> Step {
    stay(form, vec![Effect::Tell(Notice::Taken), Effect::Show])
}

pub(super) fn stay(form: Form, effects: Vec<Effect>) -> Step {
    (State::deciding(form), effects)
}
