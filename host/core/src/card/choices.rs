//! The choices of a card.
//!
//! | row | a call | a plan | a question |
//! |---|---|---|---|
//! | 0 | yes, session, no | yes with its edits | options |
//! | 1 | always | yes, edits one by one | options |
//! | 2 | scope, broad | no | options |
//! | 3 | dmplz grants | | own words |
//! | 4 | feedback | | back, next or submit, no answer |
//!
//! A messenger that shows fewer choices gets them in pages: each page has the refusal, and `more` turns the page.
//!
//! As reactions the choices are a menu of emoji: nothing is cycled, each scope has an emoji of its own, and choices
//! that others make unnecessary are left out.

use super::Style;
use super::always::{self, LABEL, PLACES, short};
use crate::claude::Question;
use crate::flow::{Act, Action, Draft, Form};
use crate::messenger::{Answering, ButtonStyle, Choice, TextField};
use crate::request::{Edits, Offer, Term};
use crate::text::{Words, fill};
use crate::visible::visible_line;

/// The most units that a form takes.
const FIELD: usize = 2000;
/// The most units of the title and label of a field, and of its placeholder: `wit/types.wit`, `text-field`.
const FIELD_LABEL: usize = 45;
const FIELD_PLACEHOLDER: usize = 100;
/// The last of a card's rows.
const LAST_ROW: usize = 4;
/// The rows for the options of a question.
const OPTION_ROWS: usize = 3;

/// The emoji of a question's options, as reactions and before their labels.
pub(super) const DIGITS: [&str; 9] = ["1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣"];

/// Returns the choices of a request in the state of its form; at most as many as the messenger can show.
pub fn choices(style: Style, offer: &Offer, form: &Form) -> Vec<Choice> {
    page(all(style, offer, form), form.page, style)
}

/// Returns the current page of the choices. `most` is at least 3, which leaves room for the refusal, `more` and one
/// other choice.
fn page(choices: Vec<Choice>, number: usize, style: Style) -> Vec<Choice> {
    let most = style.limits.choices;
    if choices.len() <= most {
        return choices;
    }
    let (always, turned): (Vec<_>, Vec<_>) = choices.into_iter().partition(|choice| choice.id == Action::Deny.id());
    let each = most.saturating_sub(always.len() + 1).max(1);
    let pages = turned.len().div_ceil(each);
    let number = number % pages;
    let next = Action::More((number + 1) % pages + 1);
    let more = choice(next, style.lang.words().more, ButtonStyle::Secondary, LAST_ROW);
    let shown = turned.into_iter().skip(number * each).take(each);
    let mut shown: Vec<Choice> = shown.chain(always).chain([more]).collect();
    shown.sort_by_key(|choice| choice.row);
    shown
}

fn all(style: Style, offer: &Offer, form: &Form) -> Vec<Choice> {
    let words = style.lang.words();
    match form.asked(offer) {
        Some((question, draft)) => asked(question, draft, form, words),
        None if !offer.questions.is_empty() => review(form, words),
        None if offer.plan => plan(words),
        None if offer.unanswerable => {
            let label = offer.asked_on.as_ref().map_or(words.no_answer, |_| words.deny);
            vec![choice(Action::Deny, label, ButtonStyle::Danger, 0)]
        }
        None => call(style, offer, form),
    }
}

fn call(style: Style, offer: &Offer, form: &Form) -> Vec<Choice> {
    let words = style.lang.words();
    let buttons = style.answering.has_labels();
    let session = offer.session.then(|| choice(Action::Session, words.session, ButtonStyle::Secondary, 0));
    let first = [choice(Action::Approve, words.approve, ButtonStyle::Success, 0)]
        .into_iter()
        .chain(session)
        .chain([choice(Action::Deny, words.deny, ButtonStyle::Danger, 0)]);
    let grant = |term, label| choice(Action::Grant(term), label, ButtonStyle::Secondary, 3);
    let half_hour = offer.granted.then(|| grant(Term::HalfHour, words.grant_half_hour));
    // The menu of reactions stays short, and the session has an emoji of its own.
    let for_session = (offer.granted && buttons).then(|| grant(Term::Session, words.grant_session));
    first
        .chain(always(style, offer, form))
        .chain(scope(offer, form, words).filter(|_| buttons))
        .chain(widen(offer, form, words))
        .chain(half_hour)
        .chain(for_session)
        .chain([tell(words)])
        .collect()
}

fn always(style: Style, offer: &Offer, form: &Form) -> Vec<Choice> {
    let broad = form.broad && offer.has_broad();
    if offer.stored(form.scope, broad).is_empty() {
        return Vec::new();
    }
    let action = |scope| Action::Always { scope, broad };
    let button = |label: &str, emoji: &str, scope| Choice {
        label: short(label, LABEL),
        emoji: emoji.to_owned(),
        row: 1,
        ..Choice::new(&action(scope).id(), "", ButtonStyle::Primary)
    };
    let label = always::label(offer, form, style.lang);
    match style.answering {
        Answering::Buttons | Answering::Typed => vec![button(&label, "💾", form.scope)],
        Answering::Reactions if !offer.has_scope(broad) => vec![button(&format!("💾 {label}"), "💾", form.scope)],
        Answering::Reactions => PLACES
            .iter()
            .map(|(scope, emoji)| {
                let place = scope.title(style.lang.words());
                button(&format!("{emoji} {}", fill(style.lang.words().always, &[place])), emoji, *scope)
            })
            .collect(),
    }
}

fn scope(offer: &Offer, form: &Form, words: &Words) -> Option<Choice> {
    let label = fill(words.scope, &[form.scope.title(words)]);
    let next = Action::Scope(form.scope.next());
    offer.has_scope(form.broad).then(|| choice(next, &label, ButtonStyle::Secondary, 2))
}

fn widen(offer: &Offer, form: &Form, words: &Words) -> Option<Choice> {
    let label = if form.broad { words.narrow } else { words.widen };
    offer.has_broad().then(|| choice(Action::Widen(!form.broad), label, ButtonStyle::Secondary, 2))
}

fn tell(words: &Words) -> Choice {
    let field = field(words.tell_title, words.tell_label, words.tell_placeholder);
    Choice { field: Some(field), ..choice(Action::Tell, words.tell, ButtonStyle::Secondary, 4) }
}

fn plan(words: &Words) -> Vec<Choice> {
    vec![
        choice(Action::Plan(Edits::AutoAccept), words.auto_accept, ButtonStyle::Success, 0),
        choice(Action::Plan(Edits::Manual), words.manual, ButtonStyle::Primary, 1),
        choice(Action::Deny, words.keep_planning, ButtonStyle::Danger, 2),
    ]
}

fn asked(question: &Question, draft: &Draft, form: &Form, words: &Words) -> Vec<Choice> {
    let step = form.question + 1;
    let action = |act| Action::Question { step, act };
    let columns = question.options.len().div_ceil(OPTION_ROWS).max(1);
    let options = question.options.iter().zip(DIGITS).enumerate().map(|(at, (option, digit))| {
        let chosen = draft.options.contains(&at);
        let act = if chosen && question.multi_select { Act::Remove(at + 1) } else { Act::Choose(at + 1) };
        let mark = match (chosen, question.multi_select) {
            (true, _) => "✅",
            (false, true) => "▫️",
            (false, false) => digit,
        };
        let label = short(&format!("{mark} {}", visible_line(&option.label)), LABEL);
        let style = if chosen { ButtonStyle::Primary } else { ButtonStyle::Secondary };
        Choice { emoji: digit.to_owned(), ..choice(action(act), &label, style, at / columns) }
    });
    let own = draft.text.as_ref().filter(|_| question.multi_select);
    let header = visible_line(&question.header);
    let title = if header.is_empty() { words.other_label } else { header.as_str() };
    let field = field(title, words.other_label, &visible_line(&question.question));
    let other = Choice { field: Some(field), ..choice(action(Act::Other), words.other, ButtonStyle::Secondary, 3) };
    let drop_own = own.map(|_| choice(action(Act::Remove(0)), words.other_away, ButtonStyle::Secondary, 3));
    let back = (step > 1).then(|| choice(action(Act::Back), words.back, ButtonStyle::Secondary, 4));
    let next = draft.is_answered().then(|| choice(action(Act::Next), words.next, ButtonStyle::Success, 4));
    let last = [choice(Action::Deny, words.no_answer, ButtonStyle::Danger, 4)];
    options.chain([other]).chain(drop_own).chain(back).chain(next).chain(last).collect()
}

fn review(form: &Form, words: &Words) -> Vec<Choice> {
    let back = Action::Question { step: form.question + 1, act: Act::Back };
    vec![
        choice(Action::Submit, words.submit, ButtonStyle::Success, 0),
        choice(back, words.back, ButtonStyle::Secondary, 0),
        choice(Action::Deny, words.no_answer, ButtonStyle::Danger, 0),
    ]
}

/// Returns the field of a form, with its texts cut to what a form takes.
pub(crate) fn field(title: &str, label: &str, placeholder: &str) -> TextField {
    let [title, label] = [title, label].map(|text| short(text, FIELD_LABEL));
    TextField { title, label, placeholder: short(placeholder, FIELD_PLACEHOLDER), max: FIELD }
}

fn choice(action: Action, label: &str, style: ButtonStyle, row: usize) -> Choice {
    Choice { row: u8::try_from(row).unwrap_or(u8::MAX), ..Choice::new(&action.id(), label, style) }
}
