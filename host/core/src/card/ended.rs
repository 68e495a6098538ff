//! The final state of a card: what was asked, what became of it, who decided, when.

use serde::{Deserialize, Serialize};

use super::subject::brief;
use super::{Part, Style, Subject};
use crate::flow::{ExpiredCause, Outcome, ReasonSource};
use crate::messenger::{Block, Card};
use crate::text::{Lang, Words, fill, units};
use crate::visible::{visible, visible_line};

/// How a request ended, as words: what a record on disk keeps so that any process can draw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Without the tool: `✅ 승인됨: {}`.
    title: String,
    lines: Vec<String>,
}

impl Ended {
    /// The words for an outcome. `when` is a time as people of the place write it.
    pub fn of(outcome: &Outcome, deny_on_expired: bool, when: &str, lang: Lang) -> Self {
        let words = lang.words();
        let by = outcome.by().map(|by| fill(words.by, &[&visible_line(by.name()), when]));
        let signature = by.unwrap_or_else(|| fill(words.at, &[when]));
        let (title, why) = match outcome {
            Outcome::Approved { .. } => (words.approved, None),
            Outcome::ApprovedSession { .. } => (words.approved_session, None),
            Outcome::RejectedWithReason { reason, .. } => {
                (words.rejected, Some(fill(words.reason, &[&visible(reason)])))
            }
            Outcome::RejectedNoReason { source, .. } => (words.rejected, Some(no_reason(*source, words))),
            Outcome::Expired(ExpiredCause::Nobody) => (
                words.expired,
                Some(if deny_on_expired { words.why_nobody_denied } else { words.why_nobody }.to_owned()),
            ),
            Outcome::Expired(ExpiredCause::Failed(_)) => (words.interrupted, Some(words.why_interrupted.to_owned())),
            Outcome::ResolvedElsewhere(resolver) => (words.elsewhere, Some(lang.resolver(*resolver).to_owned())),
        };
        Self { title: title.to_owned(), lines: why.into_iter().chain([signature]).collect() }
    }

    /// The words for a request whose process died without an end.
    pub fn interrupted(when: &str, lang: Lang) -> Self {
        let words = lang.words();
        Self { title: words.interrupted.to_owned(), lines: vec![words.why_interrupted.to_owned(), when.to_owned()] }
    }

    /// The first line of what happened, for the prompt.
    pub fn line(&self) -> &str {
        self.lines.first().map_or("", String::as_str)
    }
}

fn no_reason(source: ReasonSource, words: &Words) -> String {
    match source {
        ReasonSource::Timeout => words.no_reason_timeout,
        ReasonSource::ExplicitSkip | ReasonSource::UserInput => words.no_reason,
    }
    .to_owned()
}

/// The card of an ended request, without any way to answer.
pub fn ended(subject: &Subject, ended: &Ended, tag: &str, style: Style) -> Card {
    closed(subject, fill(&ended.title, &[&subject.tool]), &ended.lines, tag, style)
}

/// The card while a reason is awaited: decided, so without choices.
pub fn rejecting(subject: &Subject, tag: &str, style: Style) -> Card {
    closed(subject, fill(style.lang.words().rejecting, &[&subject.tool]), &[], tag, style)
}

fn closed(subject: &Subject, title: String, lines: &[String], tag: &str, style: Style) -> Card {
    let id = fill(style.lang.words().id, &[&subject.request_id]);
    let around: usize = units(&title) + lines.iter().chain(&subject.context).map(|line| units(line) + 1).sum::<usize>();
    // Half of what is left: escaping makes texts longer, and what was asked stands in full in the first card or file.
    let room = style.limits.text.saturating_sub(around + units(&id)) / 2;
    let parts = brief(&subject.parts, room).into_iter().map(Part::block);
    let text = |line: &String| Block::Text(line.clone());
    Card {
        tag: tag.to_owned(),
        title,
        body: lines
            .iter()
            .map(text)
            .chain(subject.context.iter().map(text))
            .chain(parts)
            .chain([Block::Text(id)])
            .collect(),
        choices: Vec::new(),
        reply_to: None,
        wants_text: false,
    }
}
