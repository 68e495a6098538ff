//! One request in memory, and what becomes of it: the table of [`super`] as a function.

use std::sync::Arc;
use std::time::Duration;

use dmplz_core::request::{ExpiredCause, Outcome, ReasonSource, Resolver, Trouble};
use dmplz_core::approvers::Answerer;
use dmplz_core::request::Resolution;
use dmplz_core::request::End;
use dmplz_protocol::{Request, Standing, Status};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{AnswerError, Denial};
use crate::offered;

/// A request in memory.
pub(super) struct Entry {
    /// As it came in; masked, once it ended.
    pub(super) request: Arc<Request>,
    /// About how many bytes it held when it came in.
    pub(super) weight: usize,
    pub(super) phase: Phase,
    /// Whether somebody's change is on its way to the disk.
    pub(super) busy: bool,
    /// When its time is over.
    pub(super) expires: Instant,
    /// Whether any surface showed it.
    pub(super) was_shown: bool,
    /// When it ends by its time: a moment after that was seen to be over, because a denial may be on its way in.
    pub(super) ends: Option<Instant>,
    /// When it is looked at next, as the expiry queue has it.
    pub(super) wake: Option<Instant>,
    /// Who waits for its end.
    pub(super) askers: Vec<oneshot::Sender<Standing>>,
    /// Who waits for a denial of it.
    pub(super) denials: Vec<oneshot::Sender<Denial>>,
    /// Who waits to change it.
    pub(super) turns: Vec<oneshot::Sender<()>>,
}

/// Why a request ended that no surface showed.
const UNSHOWN: &str = "no messenger showed it in time (another program may have its bot)";

/// Where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Phase {
    /// Not on the disk yet, so nobody has heard of it.
    New,
    Open,
    Denied {
        by: Answerer,
        until_ms: u64,
        until: Instant,
        instead: bool,
    },
    Ended(Box<Ended>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ended {
    /// As it was answered: for whoever asked.
    pub(super) exact: Resolution,
    /// Masked: for everybody else.
    pub(super) shown: Resolution,
    pub(super) ended_ms: u64,
    pub(super) taken: Option<bool>,
    /// Whether it is on the disk.
    pub(super) recorded: bool,
}

/// What somebody, or the clock, asks to be done with a request.
#[derive(Debug, Clone)]
pub(super) enum Command {
    Answer(Resolution),
    Deny {
        by: Answerer,
        /// Whether they are to say what to do instead.
        instead: bool,
    },
    Withdraw(Resolver),
    /// It is time.
    Time,
}

/// What becomes of it, once it is on the disk.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Deny { by: Answerer, until_ms: u64, until: Instant, instead: bool },
    End(Resolution),
}

impl Command {
    pub(super) fn answer(outcome: &Outcome, surface: &str) -> Self {
        Self::Answer(Resolution::of(outcome, surface))
    }

    /// Whether it denies the request.
    pub(super) fn denies(&self) -> bool {
        match self {
            Self::Answer(resolution) => !resolution.outcome.is_approval(),
            Self::Deny { .. } => true,
            Self::Withdraw(_) | Self::Time => false,
        }
    }
}

impl Entry {
    pub(super) fn new(request: Arc<Request>, phase: Phase, expires: Instant) -> Self {
        Self {
            weight: request.weight(),
            request,
            phase,
            busy: false,
            expires,
            was_shown: false,
            ends: None,
            wake: None,
            askers: Vec::new(),
            denials: Vec::new(),
            turns: Vec::new(),
        }
    }

    pub(super) fn is_new(&self) -> bool {
        self.phase == Phase::New
    }

    pub(super) fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open | Phase::Denied { .. })
    }

    pub(super) fn has_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended(_))
    }

    /// As everybody may see it.
    pub(super) fn shown(&self) -> Standing {
        Standing { request: (*self.request).clone(), status: self.status() }
    }

    /// As whoever asked may see it.
    pub(super) fn exact(&self) -> Standing {
        Standing { request: (*self.request).clone(), status: self.status_of(|ended| &ended.exact) }
    }

    /// Where it stands, as everybody may see it.
    pub(super) fn status(&self) -> Status {
        self.status_of(|ended| &ended.shown)
    }

    fn status_of(&self, of: impl Fn(&Ended) -> &Resolution) -> Status {
        match &self.phase {
            Phase::New | Phase::Open => Status::Open,
            Phase::Denied { by, until_ms, instead, .. } => {
                Status::Denied { by: by.clone(), until_ms: *until_ms, instead: *instead }
            }
            Phase::Ended(ended) => {
                Status::Ended { resolution: of(ended).clone(), ended_ms: ended.ended_ms, taken: ended.taken }
            }
        }
    }

    /// When it is time for it.
    pub(super) fn due(&self) -> Option<Instant> {
        match self.phase {
            Phase::Open => Some(self.expires),
            Phase::Denied { until, .. } => Some(until.min(self.expires)),
            Phase::New | Phase::Ended(_) => None,
        }
    }

    /// An answer that goes no further than what was offered.
    fn end(&self, resolution: &Resolution) -> Result<Step, AnswerError> {
        let Ok(outcome) = resolution.outcome() else { return Err(AnswerError::Unknown(self.request.id)) };
        let Outcome::Approved { by, extent } = outcome else { return Ok(Step::End(resolution.clone())) };
        let extent = offered::settled(&self.request.offer, extent)
            .map_err(|why| AnswerError::NotOffered { why, standing: self.shown().into() })?;
        let surface = resolution.by.as_ref().map_or("", |by| by.surface.as_str());
        Ok(Step::End(Resolution::of(&Outcome::Approved { by, extent }, surface)))
    }

    /// What becomes of it. `now` and `now_ms` are the same moment.
    pub(super) fn step(
        &self,
        command: &Command,
        reason_timeout: Duration,
        now: Instant,
        now_ms: u64,
    ) -> Result<Step, AnswerError> {
        let ends = |outcome: Outcome| Step::End(Resolution::of(&outcome, ""));
        match (&self.phase, command) {
            (Phase::New, _) => Err(AnswerError::Unknown(self.request.id)),
            (Phase::Ended(_), _) => Err(AnswerError::Ended(self.shown().into())),
            (Phase::Open, Command::Answer(resolution)) => self.end(resolution),
            (Phase::Open, Command::Deny { by, instead }) => {
                let left = self.expires.saturating_duration_since(now).min(reason_timeout);
                let until_ms = now_ms.saturating_add(millis(left));
                let until = now.checked_add(left).unwrap_or(self.expires);
                Ok(Step::Deny { by: by.clone(), until_ms, until, instead: *instead })
            }
            (Phase::Open, Command::Withdraw(resolver)) => Ok(ends(Outcome::ResolvedElsewhere(*resolver))),
            (Phase::Open, Command::Time) => {
                let unshown = || ExpiredCause::Failed(Trouble::Other(UNSHOWN.to_owned()));
                let cause = if self.was_shown { ExpiredCause::Nobody } else { unshown() };
                Ok(ends(Outcome::Expired(cause)))
            }
            (Phase::Denied { by, .. }, Command::Time | Command::Withdraw(_)) => Ok(Step::End(silent(by))),
            (Phase::Denied { by, instead, .. }, Command::Answer(resolution)) if completes(by, resolution) => {
                Ok(Step::End(said_instead(resolution, *instead)))
            }
            (Phase::Denied { .. }, Command::Answer(_) | Command::Deny { .. }) => {
                Err(AnswerError::Denied(self.shown().into()))
            }
        }
    }
}

/// A denial whose reason did not come.
pub(super) fn silent(by: &Answerer) -> Resolution {
    Resolution {
        outcome: End::RejectedNoReason,
        by: Some(by.clone()),
        extent: None,
        reason: None,
        reason_source: Some(ReasonSource::Timeout),
        cause: None,
        rule: None,
    }
}

/// Whoever denied to say what to do instead says that, whichever word the surface has for it.
fn said_instead(resolution: &Resolution, instead: bool) -> Resolution {
    let says = instead && resolution.outcome == End::RejectedWithReason;
    let reason_source = if says { Some(ReasonSource::Instead) } else { resolution.reason_source };
    Resolution { reason_source, ..resolution.clone() }
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Whether it is the denier who says why, or that they give no reason. Their name may have changed meanwhile.
fn completes(denier: &Answerer, resolution: &Resolution) -> bool {
    let same = |by: &Answerer| (&by.surface, &by.id) == (&denier.surface, &denier.id);
    let rejects = matches!(resolution.outcome, End::RejectedWithReason | End::RejectedNoReason);
    rejects && resolution.by.as_ref().is_some_and(same)
}

#[cfg(test)]
mod tests;
