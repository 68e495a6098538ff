//! The agent's questions: one at a time, each with a way back, then a look over all answers before they are sent.
//!
//! An option of a single choice is chosen and the next question asked; of several ones it is chosen or taken away, and
//! `next` goes on. Own words replace the option of a single choice, and stand beside those of a multiple one.

use super::action::Act;
use super::form::{Draft, Form, Writer};
use super::{Effect, Notice, Rules, State};
use crate::approvers::Approver;
use crate::messenger::{MessageRef, User};

/// Does something about a question, if it is the one that is asked.
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

/// Words in the chat: the answer, if they are of the person who wants to write it and came after the prompt.
pub(super) fn said(form: Form, user: &User, message: &MessageRef, text: &str, rules: &Rules) -> Step {
    let after = |prompt: &MessageRef| prompt.chat == message.chat && message.sequence > prompt.sequence;
    let awaited = form.writer.as_ref().is_some_and(|it| it.id == user.id && it.prompt.as_ref().is_some_and(after));
    let several = form.asked(&rules.offer).map(|(question, _)| question.multi_select);
    match several.filter(|_| awaited && rules.approvers.admit(user).is_some()) {
        Some(several) => match rules.reason.normalise(text) {
            Some(words) => {
                let (state, effects) = written(form, words, several);
                // No press waits for a sign.
                (state, effects.into_iter().filter(|effect| *effect == Effect::Show).collect())
            }
            None => stay(form, vec![Effect::Tell(Notice::Unreadable)]),
        },
        None => stay(form, Vec::new()),
    }
}

/// The prompt for words is up.
pub(super) fn prompted(mut form: Form, message: MessageRef) -> Step {
    if let Some(writer) = &mut form.writer {
        writer.prompt = Some(message);
    }
    stay(form, Vec::new())
}

/// Nobody can be asked for words.
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
    // The same press again; reactions are reported as long as they stand. Without a prompt its posting was lost.
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
