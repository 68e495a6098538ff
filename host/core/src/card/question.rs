//! The agent's questions as a card's text: the current question, or all answers before they are sent.

use super::Part;
use super::choices::DIGITS;
use crate::claude::Answered;
use crate::flow::{Draft, Form};
use crate::request::Offer;
use crate::text::{Words, fill};
use crate::visible::{visible, visible_line};

/// Returns the card's title and text; `None` if nothing is asked.
pub(super) fn text(offer: &Offer, form: &Form, words: &Words) -> Option<(String, Vec<Part>)> {
    let count = offer.questions.len();
    let Some((question, draft)) = form.asked(offer) else {
        let answers = form.answers(offer)?;
        return Some((words.review.to_owned(), answers.iter().map(|answer| answered(answer, words)).collect()));
    };
    let title = fill(words.question, &[&(form.question + 1).to_string(), &count.to_string()]);
    let header = visible_line(&question.header);
    let asked = visible(&question.question);
    let asked = if header.is_empty() { asked } else { format!("[{header}] {asked}") };
    let options = question.options.iter().zip(DIGITS).enumerate().map(|(at, (option, digit))| {
        let mark = match (draft.options.contains(&at), question.multi_select) {
            (true, _) => format!("{digit} ✅"),
            (false, true) => format!("{digit} ▫️"),
            (false, false) => digit.to_owned(),
        };
        let label = visible_line(&option.label);
        match option.description.trim() {
            "" => Part::Text(format!("{mark} {label}")),
            description => Part::Text(format!("{mark} {label}: {}", visible(description))),
        }
    });
    let several = question.multi_select.then(|| Part::Text(words.several.to_owned()));
    let parts = [Part::Text(asked)].into_iter().chain(options).chain(own(draft)).chain(several);
    Some((title, parts.collect()))
}

fn own(draft: &Draft) -> Option<Part> {
    draft.text.as_ref().map(|text| Part::Text(format!("📝 ✅ {}", visible(text))))
}

/// Returns a question with its answer.
pub(super) fn answered(answer: &Answered, words: &Words) -> Part {
    let labels = answer.labels.iter().map(|label| visible_line(label));
    let all: Vec<String> = labels.chain(answer.text.as_deref().map(visible)).collect();
    Part::Text(fill(words.answer, &[&visible(&answer.question), &all.join(", ")]))
}
