//! The final state of a card: what was asked, what became of it, who decided, when.

use serde::{Deserialize, Serialize};

use super::subject::brief;
use super::{Part, Style, Subject, always, question};
use crate::flow::{Edits, ExpiredCause, Extent, Offer, Outcome, ReasonSource, Term};
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
            Outcome::Approved { extent, .. } => approved(extent, words),
            Outcome::RejectedWithReason { reason, instead, .. } => {
                let template = if *instead { words.instead } else { words.reason };
                (words.rejected, vec![fill(template, &[&visible(reason)])])
            }
            Outcome::RejectedNoReason { source, .. } => (words.rejected, vec![no_reason(*source, words)]),
            Outcome::AllowedByRule { by } => (words.approved, vec![fill(words.rule, &[&visible_line(by.place())])]),
            Outcome::DeniedByRule(denial) => (words.rejected, vec![fill(words.rule, &[&visible_line(&denial.rule)])]),
            Outcome::Expired(cause) => {
                let (title, why, denied) = match cause {
                    ExpiredCause::Nobody => (words.expired, words.why_nobody, words.why_nobody_denied),
                    ExpiredCause::Failed(_) => (words.interrupted, words.why_failed, words.why_failed_denied),
                };
                (title, vec![if deny_on_expired { denied } else { why }.to_owned()])
            }
            Outcome::ResolvedElsewhere(resolver) => (words.elsewhere, vec![lang.resolver(*resolver).to_owned()]),
        };
        Self { title: title.to_owned(), lines: why.into_iter().chain([signature]).collect() }
    }

    /// The words for a request whose process died without an end.
    pub fn interrupted(when: &str, lang: Lang) -> Self {
        let words = lang.words();
        Self { title: words.interrupted.to_owned(), lines: vec![words.why_interrupted.to_owned(), when.to_owned()] }
    }

    /// The same with what the client stores, and where, if the person chose that.
    #[must_use]
    pub fn storing(mut self, outcome: &Outcome, offer: &Offer, lang: Lang) -> Self {
        if let Outcome::Approved { extent: Extent::Always { scope, wide }, .. } = outcome {
            self.lines.splice(0..0, always::stored(offer, *scope, *wide, lang.words()));
        }
        self
    }

    /// The same with the surface where it was answered, for a card on another one.
    pub fn answered_on(mut self, surface: &str, lang: Lang) -> Self {
        let line = fill(lang.words().answered_on, &[&visible_line(lang.surface(surface))]);
        self.lines.insert(self.lines.len().saturating_sub(1), line);
        self
    }

    /// The same with the word that the grant which belongs to it could not be kept.
    pub fn not_kept(mut self, lang: Lang) -> Self {
        self.lines.insert(self.lines.len().saturating_sub(1), lang.words().granted_not_kept.to_owned());
        self
    }

    /// In one line, for who answers late.
    pub fn told(&self, tool: &str) -> String {
        let title = fill(&self.title, &[tool]);
        self.lines.iter().fold(title, |told, line| format!("{told} · {}", visible_line(line)))
    }

    /// The first line of what happened, for the prompt.
    pub fn line(&self) -> &str {
        self.lines.first().map_or("", String::as_str)
    }
}

/// The title of an approval, and how far it reaches.
fn approved(extent: &Extent, words: &'static Words) -> (&'static str, Vec<String>) {
    let line = |line: &str| vec![line.to_owned()];
    match extent {
        Extent::Once => (words.approved, Vec::new()),
        Extent::Session => (words.approved_session, Vec::new()),
        Extent::Always { .. } => (words.approved_always, Vec::new()),
        Extent::Plan { edits: Edits::AutoAccept } => (words.approved, line(words.edits_auto)),
        Extent::Plan { edits: Edits::Manual } => (words.approved, line(words.edits_manual)),
        Extent::Answers { answers } => {
            let answers = answers.iter().map(|answer| question::answered(answer, words).text().to_owned());
            (words.answered, answers.collect())
        }
        Extent::Granted { term: Term::HalfHour } => (words.approved, line(words.granted_half_hour)),
        Extent::Granted { term: Term::Session } => (words.approved, line(words.granted_session)),
    }
}

fn no_reason(source: ReasonSource, words: &Words) -> String {
    match source {
        ReasonSource::Timeout => words.no_reason_timeout,
        ReasonSource::ExplicitSkip | ReasonSource::UserInput | ReasonSource::Instead | ReasonSource::Policy => {
            words.no_reason
        }
    }
    .to_owned()
}

/// The card of an ended request, without any way to answer, in about `budget` units: the messenger's limit, or less
/// when that proved too much. What does not fit is marked; it stood in full in the first card or its file.
pub fn ended(subject: &Subject, ended: &Ended, tag: &str, style: Style, budget: usize) -> Card {
    let title = fill(&ended.title, &[&subject.tool]);
    let id = fill(style.lang.words().id, &[&subject.request_id]);
    let lines: Vec<&String> = ended.lines.iter().chain(&subject.context).collect();
    let around: usize = lines.iter().map(|line| units(line) + 1).sum();
    let room = budget.saturating_sub(units(&title) + around + units(&id) + 4);
    let lines = lines.into_iter().cloned().map(Block::Text);
    let parts = brief(&subject.parts, room).into_iter().map(Part::block);
    Card {
        tag: tag.to_owned(),
        title,
        body: lines.chain(parts).chain([Block::Text(id)]).collect(),
        choices: Vec::new(),
        reply_to: None,
        wants_text: false,
    }
}
