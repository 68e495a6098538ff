//! The final state of a card: what was asked, what became of it, who decided, when.

use serde::{Deserialize, Serialize};

use super::subject::brief;
use super::{Part, Style, Subject, always, question};
use crate::flow::choice;
use crate::messenger::{Answering, Block, ButtonStyle, Card, Choice};
use crate::request::{ApprovalScope, Edits, ExpiredCause, Offer, Outcome, ReasonSource, Term};
use crate::text::{Lang, Words, fill, units};
use crate::visible::{visible, visible_line};

/// How a request ended, as words: what a record on disk keeps so that any process can draw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Without the tool: `✅ 승인됨: {}`.
    title: String,
    lines: Vec<String>,
    /// Whether the grant that was given with it can be taken back on the card.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    revocable: bool,
}

/// What has become of the grant that an answer carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantEnd {
    /// It holds, and somebody looks for presses on the card.
    Revocable,
    /// It holds, and nobody will look at the card any more.
    Holds,
    /// It could not be written down.
    NotKept,
    /// It has ended: its time is over, or somebody took it back.
    Over,
}

impl Ended {
    /// The words for an outcome. `when` is a time as people of the place write it.
    pub fn of(outcome: &Outcome, deny_on_expired: bool, when: &str, lang: Lang) -> Self {
        let words = lang.words();
        let by = outcome.by().map(|by| fill(words.by, &[&visible_line(by.name()), when]));
        let signature = by.unwrap_or_else(|| fill(words.at, &[when]));
        let (title, why) = match outcome {
            Outcome::Approved { scope, .. } => approved(scope, words),
            Outcome::RejectedWithReason { reason, instead, .. } => {
                let template = if *instead { words.instead } else { words.reason };
                (words.rejected, vec![fill(template, &[&visible(reason)])])
            }
            Outcome::RejectedNoReason { source, .. } => (words.rejected, vec![no_reason(*source, words)]),
            Outcome::Expired(cause) => {
                let (title, why, denied) = match cause {
                    ExpiredCause::Nobody => (words.expired, words.why_nobody, words.why_nobody_denied),
                    ExpiredCause::Failed(_) => (words.interrupted, words.why_failed, words.why_failed_denied),
                };
                (title, vec![if deny_on_expired { denied } else { why }.to_owned()])
            }
            Outcome::ResolvedElsewhere(resolver) => (words.elsewhere, vec![lang.resolver(*resolver).to_owned()]),
        };
        Self { title: title.to_owned(), lines: why.into_iter().chain([signature]).collect(), revocable: false }
    }

    /// The words for a request whose process died without an end.
    pub fn interrupted(when: &str, lang: Lang) -> Self {
        let words = lang.words();
        let lines = vec![words.why_interrupted.to_owned(), when.to_owned()];
        Self { title: words.interrupted.to_owned(), lines, revocable: false }
    }

    /// The same with what the client stores, and where, if the person chose that.
    #[must_use]
    pub fn storing(mut self, outcome: &Outcome, offer: &Offer, lang: Lang) -> Self {
        if let Outcome::Approved { scope: ApprovalScope::Always { scope, broad }, .. } = outcome {
            self.lines.splice(0..0, always::stored(offer, *scope, *broad, lang.words()));
        }
        self
    }

    /// The same with the surface where it was answered, for a card on another one.
    pub fn answered_on(mut self, surface: &str, lang: Lang) -> Self {
        let line = fill(lang.words().answered_on, &[&visible_line(&lang.surface(surface))]);
        self.lines.insert(self.lines.len().saturating_sub(1), line);
        self
    }

    /// The same with what has become of the grant that belongs to it.
    pub fn with_grant(mut self, grant: GrantEnd, lang: Lang) -> Self {
        let words = lang.words();
        let line = match grant {
            GrantEnd::Revocable => None,
            GrantEnd::Over => Some(words.granted_over),
            GrantEnd::Holds => Some(words.revoke_how),
            GrantEnd::NotKept => Some(words.granted_not_kept),
        };
        if matches!(grant, GrantEnd::NotKept | GrantEnd::Over) {
            self.forget_grant(lang);
        }
        let signature = self.lines.len().saturating_sub(1);
        self.lines.splice(signature..signature, line.map(str::to_owned));
        Self { revocable: grant == GrantEnd::Revocable, ..self }
    }

    /// The same once somebody took the grant back: who, when.
    pub fn revoked(mut self, by: &str, when: &str, lang: Lang) -> Self {
        self.forget_grant(lang);
        self.lines.push(fill(lang.words().revoked_by, &[&visible_line(by), when]));
        Self { revocable: false, ..self }
    }

    /// The same once the grant is over.
    pub fn granted_no_more(mut self, lang: Lang) -> Self {
        self.forget_grant(lang);
        self.lines.push(lang.words().granted_over.to_owned());
        Self { revocable: false, ..self }
    }

    /// Says no more that it is allowed without asking.
    fn forget_grant(&mut self, lang: Lang) {
        let words = lang.words();
        self.lines.retain(|line| line != words.granted_half_hour && line != words.granted_session);
    }

    /// Whether the grant that belongs to it can be taken back on the card.
    pub fn is_revocable(&self) -> bool {
        self.revocable
    }

    /// What it came to, for a page of the card besides its first.
    pub fn headline(&self, tool: &str) -> String {
        fill(&self.title, &[tool])
    }

    /// In one line, for who answers late.
    pub fn told(&self, tool: &str) -> String {
        let title = self.headline(tool);
        self.lines.iter().fold(title, |told, line| format!("{told} · {}", visible_line(line)))
    }

    /// The first line of what happened, for the prompt.
    pub fn line(&self) -> &str {
        self.lines.first().map_or("", String::as_str)
    }
}

/// The title of an approval, and how far it reaches.
fn approved(scope: &ApprovalScope, words: &'static Words) -> (&'static str, Vec<String>) {
    let line = |line: &str| vec![line.to_owned()];
    match scope {
        ApprovalScope::Once => (words.approved, Vec::new()),
        ApprovalScope::Session => (words.approved_session, Vec::new()),
        ApprovalScope::Always { .. } => (words.approved_always, Vec::new()),
        ApprovalScope::Plan { edits: Edits::AutoAccept } => (words.approved, line(words.edits_auto)),
        ApprovalScope::Plan { edits: Edits::Manual } => (words.approved, line(words.edits_manual)),
        ApprovalScope::Answers { answers } => {
            let answers = answers.iter().map(|answer| question::answered(answer, words).text().to_owned());
            (words.answered, answers.collect())
        }
        ApprovalScope::Granted { term: Term::HalfHour } => (words.approved, line(words.granted_half_hour)),
        ApprovalScope::Granted { term: Term::Session } => (words.approved, line(words.granted_session)),
    }
}

fn revoke(lang: Lang) -> Choice {
    Choice::new(choice::REVOKE, lang.words().revoke, ButtonStyle::Danger)
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

/// The card of an ended request, without any way to answer it, and with one to take a grant back while it holds. It has
/// about `budget` units: the messenger's limit, or less when that proved too much. What does not fit is marked; it stood in full in the first card or its file.
pub fn ended(subject: &Subject, ended: &Ended, tag: &str, style: Style, budget: usize) -> Card {
    let title = ended.headline(&subject.tool);
    let id = fill(style.lang.words().id, &[&subject.request_id]);
    let pressable = ended.revocable && style.answering == Answering::Buttons;
    let granted = subject.granted.iter().filter(|_| ended.revocable);
    let how = (ended.revocable && !pressable).then(|| style.lang.words().revoke_how.to_owned());
    let lines: Vec<&String> = ended.lines.iter().chain(granted).chain(&how).collect();
    let around: usize = lines.iter().copied().chain(&subject.context).map(|line| units(line) + 1).sum();
    let room = budget.saturating_sub(units(&title) + around + units(&id) + 4);
    let lines = lines.into_iter().cloned().map(Block::Text);
    let parts = brief(&subject.parts, room).into_iter().map(Part::block);
    let context = subject.context.iter().cloned().chain([id]).map(Block::Text);
    Card {
        tag: tag.to_owned(),
        title,
        body: lines.chain(parts).chain(context).collect(),
        choices: if pressable { vec![revoke(style.lang)] } else { Vec::new() },
        reply_to: None,
        wants_text: false,
    }
}
