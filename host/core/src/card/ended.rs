//! The final state of a card: what was asked, how it ended, who decided, when.

use serde::{Deserialize, Serialize};

use super::subject::brief;
use super::{Part, Style, Subject, always, question};
use crate::flow::choice;
use crate::messenger::{Block, ButtonStyle, Card, Choice};
use crate::request::{ApprovalScope, Edits, ExpiredCause, Offer, Outcome, ReasonSource, Resolver, Term};
use crate::text::{Lang, Words, fill, units};
use crate::visible::{visible, visible_line};

/// The end of a request as texts. A record on disk keeps it, so that any process can draw the final card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The title, in which `{}` stands for the tool: `✅ 승인됨: {}`.
    title: String,
    lines: Vec<String>,
    /// Whether the grant of the approval can be revoked on the card.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    revocable: bool,
}

/// The status of the grant that an answer carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantEnd {
    /// It is in force, and a process watches the card for presses.
    Revocable,
    /// It is in force, and no process watches the card any more.
    Holds,
    /// It could not be stored.
    NotKept,
    /// It has ended: it expired or was revoked.
    Over,
}

impl Ended {
    /// Returns the texts for an outcome. `when` is a time in the local notation.
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
            Outcome::RejectedNoReason { source, .. } => {
                let is_late = *source == ReasonSource::Timeout;
                let why = if is_late { words.no_reason_timeout } else { words.no_reason };
                (words.rejected, vec![why.to_owned()])
            }
            Outcome::Expired(cause) => {
                let (title, why, denied) = match cause {
                    ExpiredCause::Nobody => (words.expired, words.why_nobody, words.why_nobody_denied),
                    ExpiredCause::Failed(_) => (words.interrupted, words.why_failed, words.why_failed_denied),
                };
                (title, vec![if deny_on_expired { denied } else { why }.to_owned()])
            }
            Outcome::ResolvedElsewhere(resolver) => {
                let why = match resolver {
                    Resolver::Terminal => words.why_terminal,
                    Resolver::Stopped => words.why_stopped,
                    Resolver::ClientGone => words.why_client_gone,
                };
                (words.elsewhere, vec![why.to_owned()])
            }
        };
        Self { title: title.to_owned(), lines: why.into_iter().chain([signature]).collect(), revocable: false }
    }

    /// Returns the texts for a request whose process died before it ended.
    pub fn interrupted(when: &str, lang: Lang) -> Self {
        let words = lang.words();
        let lines = vec![words.why_interrupted.to_owned(), when.to_owned()];
        Self { title: words.interrupted.to_owned(), lines, revocable: false }
    }

    /// Adds what the client stores, and where, if the person chose to store something.
    #[must_use]
    pub fn storing(mut self, outcome: &Outcome, offer: &Offer, lang: Lang) -> Self {
        if let Outcome::Approved { scope: ApprovalScope::Always { scope, broad }, .. } = outcome {
            self.lines.splice(0..0, always::stored(offer, *scope, *broad, lang.words()));
        }
        self
    }

    /// Adds the surface where it was answered, for a card on another surface.
    pub fn answered_on(mut self, surface: &str, lang: Lang) -> Self {
        let line = fill(lang.words().answered_on, &[&visible_line(&lang.surface(surface))]);
        self.lines.insert(self.lines.len().saturating_sub(1), line);
        self
    }

    /// Adds the status of its grant.
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

    /// Shows that the grant no longer holds: who revoked it, and when, or that it has ended by itself.
    pub fn without_grant(mut self, by: Option<&str>, when: &str, lang: Lang) -> Self {
        let words = lang.words();
        self.forget_grant(lang);
        self.lines.push(match by {
            Some(by) => fill(words.revoked_by, &[&visible_line(by), when]),
            None => words.granted_over.to_owned(),
        });
        Self { revocable: false, ..self }
    }

    /// Removes the statement that the call is allowed without asking.
    fn forget_grant(&mut self, lang: Lang) {
        let words = lang.words();
        self.lines.retain(|line| line != words.granted_half_hour && line != words.granted_session);
    }

    /// Returns whether its grant can be revoked on the card.
    pub fn is_revocable(&self) -> bool {
        self.revocable
    }

    /// Returns the title, for the further pages of the card.
    pub fn headline(&self, tool: &str) -> String {
        fill(&self.title, &[tool])
    }

    /// Returns one line, for people who answer late.
    pub fn told(&self, tool: &str) -> String {
        let title = self.headline(tool);
        self.lines.iter().fold(title, |told, line| format!("{told} · {}", visible_line(line)))
    }

    /// Returns the first line of the result, for the prompt.
    pub fn line(&self) -> &str {
        self.lines.first().map_or("", String::as_str)
    }
}

/// Returns the title of an approval, and the lines about its scope.
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

/// Returns the card of an ended request. It has no choices, except one that revokes its grant while that is in force.
/// It takes about `budget` units: the messenger's limit, or less if that proved too much. Omitted text is marked; the
/// first card or its file showed it in full.
pub fn ended(subject: &Subject, ended: &Ended, tag: &str, style: Style, budget: usize) -> Card {
    let words = style.lang.words();
    let title = ended.headline(&subject.tool);
    let id = fill(words.id, &[&subject.request_id]);
    let pressable = ended.revocable && style.answering.has_labels();
    let granted = subject.granted.iter().filter(|_| ended.revocable);
    let how = (ended.revocable && !pressable).then(|| words.revoke_how.to_owned());
    let lines: Vec<&String> = ended.lines.iter().chain(granted).chain(&how).collect();
    let around: usize = lines.iter().copied().chain(&subject.context).map(|line| units(line) + 1).sum();
    let room = budget.saturating_sub(units(&title) + around + units(&id) + 4);
    let lines = lines.into_iter().cloned().map(Block::Text);
    let parts = brief(&subject.parts, room).into_iter().map(Part::block);
    let context = subject.context.iter().cloned().chain([id]).map(Block::Text);
    let revoke = pressable.then(|| Choice::new(choice::REVOKE, words.revoke, ButtonStyle::Danger));
    let choices = revoke.into_iter().collect();
    Card { choices, ..Card::new(tag, title, lines.chain(parts).chain(context).collect()) }
}
