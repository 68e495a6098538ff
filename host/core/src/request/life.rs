//! The one state machine of a request.

use super::{ApprovalScope, ExpiredCause, Outcome, ReasonSource, Resolver};
use crate::approvers::{Answerer, Approver};

/// The state of a request. `T` is a moment on the owner's clock, `E` is the record of the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Life<T, E = Outcome> {
    /// Nobody has answered yet. Every approver may answer.
    Open,
    /// A person denied, and may give a reason.
    Denied(Denial<T>),
    /// The request has ended, for good.
    Ended(E),
}

/// A denial whose reason may still come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial<T> {
    /// The person who denied. Only this person may give the reason.
    pub by: Approver,
    /// Whether the person is asked what to do instead.
    pub instead: bool,
    /// The moment at which waiting for the reason ends.
    pub until: T,
}

/// A person's answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Allow it to this scope, which must be one that the request offers.
    Allow(ApprovalScope),
    /// Deny it, for good.
    Deny {
        /// The person's words, normalised. `None` if the person chose to give no reason.
        reason: Option<String>,
        /// Whether the words say what to do instead.
        instead: bool,
    },
}

/// A change that somebody, or the clock, applies to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A person answers, for good.
    Answer {
        /// The answer that ends the request.
        answer: Answer,
        /// The person who answers.
        by: Approver,
    },
    /// A person denies, and may give a reason afterwards.
    Deny {
        /// The person who denies.
        by: Approver,
        /// Whether the person is asked what to do instead.
        instead: bool,
    },
    /// Nobody waits for the answer any more.
    Withdraw(Resolver),
    /// The time is over, or nobody can be asked.
    Expire(ExpiredCause),
}

/// The effect of a command on a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<T> {
    /// The request is denied, and its reason may still come.
    Deny(Denial<T>),
    /// The request ends, for good.
    End(Outcome),
}

/// Why a command changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A person has denied it before.
    #[error("the request was denied before")]
    Denied,
    /// The request has ended.
    #[error("the request has ended before")]
    Ended,
}

impl Answer {
    /// An approval of this call, and of no other.
    pub const APPROVE: Self = Self::Allow(ApprovalScope::Once);
    /// An approval that includes the session grant.
    pub const SESSION: Self = Self::Allow(ApprovalScope::Session);

    /// Returns the outcome of a request with this answer.
    fn outcome(self, by: Approver) -> Outcome {
        match self {
            Self::Allow(scope) => Outcome::Approved { by, scope },
            Self::Deny { reason: Some(reason), instead } => Outcome::RejectedWithReason { by, reason, instead },
            Self::Deny { reason: None, .. } => Outcome::RejectedNoReason { by, source: ReasonSource::ExplicitSkip },
        }
    }
}

impl Command {
    /// Returns the person who gave the command. `None` for an expiry or a withdrawal.
    pub fn by(&self) -> Option<&Approver> {
        match self {
            Self::Answer { by, .. } | Self::Deny { by, .. } => Some(by),
            Self::Withdraw(_) | Self::Expire(_) => None,
        }
    }

    /// Returns whether a person denies the request.
    pub fn denies(&self) -> bool {
        matches!(self, Self::Answer { answer: Answer::Deny { .. }, .. } | Self::Deny { .. })
    }
}

impl<T> Denial<T> {
    /// Restores the recorded denial of a person. `None` if the record names no person.
    pub fn recorded(by: &Answerer, instead: bool, until: T) -> Option<Self> {
        Some(Self { by: Approver::recorded(by)?, instead, until })
    }

    /// Returns the outcome if no reason follows.
    pub fn silent(&self) -> Outcome {
        Outcome::RejectedNoReason { by: self.by.clone(), source: ReasonSource::Timeout }
    }

    /// Returns the outcome if the answer is the denier's reason, or the denier's choice to give none. The denier's name
    /// may have changed meanwhile. If the denier was asked what to do instead, the words say that, even if the surface
    /// calls them a reason.
    fn completed(&self, answer: Answer, by: Approver) -> Option<Outcome> {
        match answer {
            Answer::Deny { reason, instead } if self.by.is_the_same_as(&by) => {
                let instead = instead || self.instead;
                Some(Answer::Deny { reason, instead }.outcome(by))
            }
            _ => None,
        }
    }
}

impl<T: Copy + Ord, E> Life<T, E> {
    /// Returns the effect of a command. If it denies the request, its reason is awaited until `until`.
    pub fn step(&self, command: Command, until: T) -> Result<Step<T>, Refusal> {
        match (self, command) {
            (Self::Open, Command::Answer { answer, by }) => Ok(Step::End(answer.outcome(by))),
            (Self::Open, Command::Deny { by, instead }) => Ok(Step::Deny(Denial { by, instead, until })),
            (Self::Open, Command::Withdraw(resolver)) => Ok(Step::End(Outcome::ResolvedElsewhere(resolver))),
            (Self::Open, Command::Expire(cause)) => Ok(Step::End(Outcome::Expired(cause))),
            (Self::Denied(denial), Command::Answer { answer, by }) => {
                denial.completed(answer, by).map(Step::End).ok_or(Refusal::Denied)
            }
            (Self::Denied(_), Command::Deny { .. }) => Err(Refusal::Denied),
            (Self::Denied(denial), Command::Withdraw(_) | Command::Expire(_)) => Ok(Step::End(denial.silent())),
            (Self::Ended(_), _) => Err(Refusal::Ended),
        }
    }

    /// Returns the moment the time is over, which is never after `expires`. `None` if the request has ended.
    pub fn due(&self, expires: T) -> Option<T> {
        match self {
            Self::Open => Some(expires),
            Self::Denied(denial) => Some(denial.until.min(expires)),
            Self::Ended(_) => None,
        }
    }

    /// Returns whether the request has not ended.
    pub fn is_open(&self) -> bool {
        !matches!(self, Self::Ended(_))
    }
}

impl<T> From<Step<T>> for Life<T> {
    fn from(step: Step<T>) -> Self {
        match step {
            Step::Deny(denial) => Self::Denied(denial),
            Step::End(outcome) => Self::Ended(outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::approvers::Approvers;
    use crate::messenger::User;

    fn person(surface: &str, id: &str) -> Approver {
        let user = User { id: id.into(), name: format!("user {id}"), is_bot: false };
        Approvers::owner(surface, id).admit(&user).unwrap()
    }

    fn denied(instead: bool) -> Life<u64> {
        Life::Denied(Denial { by: person("telegram", "7"), instead, until: 10 })
    }

    fn says(reason: Option<&str>, instead: bool) -> Answer {
        Answer::Deny { reason: reason.map(str::to_owned), instead }
    }

    /// Returns every kind of command.
    fn commands() -> Vec<Command> {
        let people = || [person("telegram", "7"), person("telegram", "8"), person("web", "7")];
        let answers =
            [Answer::APPROVE, Answer::SESSION, says(None, false), says(Some("no"), false), says(Some("x"), true)];
        let mut all: Vec<Command> = Vec::new();
        for by in people() {
            all.extend(answers.iter().map(|answer| Command::Answer { answer: answer.clone(), by: by.clone() }));
            all.extend([true, false].map(|instead| Command::Deny { by: by.clone(), instead }));
        }
        all.extend([Resolver::Terminal, Resolver::Stopped, Resolver::ClientGone].map(Command::Withdraw));
        all.push(Command::Expire(ExpiredCause::Nobody));
        all
    }

    #[test]
    fn from_a_denial_every_way_leads_to_a_rejection() {
        for command in commands() {
            match denied(false).step(command.clone(), 20) {
                Ok(Step::End(outcome)) => assert!(outcome.rejection().is_some(), "{command:?}"),
                refused => assert_eq!(refused, Err(Refusal::Denied), "{command:?}"),
            }
        }
    }

    #[test]
    fn an_ended_request_takes_no_command() {
        let ended: Life<u64> = Life::Ended(Outcome::Expired(ExpiredCause::Nobody));
        for command in commands() {
            assert_eq!(ended.step(command.clone(), 20), Err(Refusal::Ended), "{command:?}");
        }
    }

    #[test]
    fn an_open_request_is_allowed_by_an_answer_alone() {
        for command in commands() {
            let allows = matches!(command, Command::Answer { answer: Answer::Allow(_), .. });
            let step = Life::<u64>::Open.step(command.clone(), 20).unwrap();
            assert_eq!(matches!(step, Step::End(Outcome::Approved { .. })), allows, "{command:?}");
        }
    }

    #[test]
    fn only_who_denied_on_the_surface_where_they_did_says_why() {
        let why = |by: Approver| denied(false).step(Command::Answer { answer: says(Some("no"), false), by }, 20);
        let reason = |by| Ok(Step::End(Outcome::RejectedWithReason { by, reason: "no".into(), instead: false }));
        let renamed = User { id: "7".into(), name: "another name".into(), is_bot: false };
        let renamed = Approvers::owner("telegram", "7").admit(&renamed).unwrap();
        assert_eq!(why(renamed.clone()), reason(renamed));
        assert_eq!(why(person("telegram", "8")), Err(Refusal::Denied));
        assert_eq!(why(person("web", "7")), Err(Refusal::Denied));
    }

    #[test]
    fn who_is_to_say_what_to_do_instead_says_that_whichever_word_the_surface_has() {
        for (asked, said) in [(true, true), (true, false), (false, true), (false, false)] {
            let command = Command::Answer { answer: says(Some("use make"), said), by: person("telegram", "7") };
            let Ok(Step::End(Outcome::RejectedWithReason { instead, .. })) = denied(asked).step(command, 20) else {
                panic!("it is rejected with a reason")
            };
            assert_eq!(instead, asked || said);
        }
    }

    #[test]
    fn a_request_is_due_at_its_end_and_a_denial_when_no_reason_came() {
        assert_eq!(Life::<u64>::Open.due(15), Some(15));
        assert_eq!(denied(false).due(15), Some(10));
        assert_eq!(denied(false).due(5), Some(5));
        assert_eq!(Life::<u64>::Ended(Outcome::Expired(ExpiredCause::Nobody)).due(15), None);
    }

    #[test]
    fn a_denial_that_was_written_down_is_read_back_as_its_persons() {
        let by = person("telegram", "7");
        let read = Denial::recorded(by.answerer(), true, 5).unwrap();
        assert_eq!(read, Denial { by: by.clone(), instead: true, until: 5 });
        assert_eq!(Denial::recorded(&Answerer { id: String::new(), ..by.answerer().clone() }, true, 5), None);
    }
}
