//! One request in memory: its life, and who waits for it.

use std::sync::Arc;
use std::time::Duration;

use dmplz_core::request::{Answer, Command, ExpiredCause, Outcome, Refusal, Resolution, Trouble};
use dmplz_protocol::{Request, Standing, Status};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{AnswerError, DenialNotice};
use crate::offered;

/// A moment on both clocks. Waiting goes by the monotonic one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) at: Instant,
    pub(super) unix_ms: u64,
}

/// Where a request stands.
pub(super) type Life = dmplz_core::request::Life<Moment, Box<Ended>>;

/// What a command makes of it, once it is on the disk.
pub(super) type Step = dmplz_core::request::Step<Moment>;

/// A denial whose reason may still come.
pub(super) type Denial = dmplz_core::request::Denial<Moment>;

/// A request in memory.
pub(super) struct Entry {
    /// As it came in; masked, once it ended.
    pub(super) request: Arc<Request>,
    /// About how many bytes it held when it came in.
    pub(super) weight: usize,
    /// Whether it is not on the disk yet, so that nobody has heard of it.
    pub(super) is_new: bool,
    pub(super) life: Life,
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
    pub(super) denials: Vec<oneshot::Sender<DenialNotice>>,
    /// Who waits to change it.
    pub(super) turns: Vec<oneshot::Sender<()>>,
}

/// What is kept of an end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ended {
    /// As it was answered: for whoever asked.
    pub(super) exact: Outcome,
    /// Masked: for everybody else.
    pub(super) shown: Resolution,
    pub(super) ended_ms: u64,
    pub(super) taken: Option<bool>,
    /// Whether it is on the disk.
    pub(super) recorded: bool,
}

/// Why a request ended that no surface showed.
const UNSHOWN: &str = "no messenger showed it in time (another program may have its bot)";

impl Entry {
    /// A request that is on the disk.
    pub(super) fn new(request: Arc<Request>, life: Life, expires: Instant) -> Self {
        Self {
            weight: request.weight(),
            request,
            is_new: false,
            life,
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

    /// Whether it waits for an answer, or for the reason of a denial.
    pub(super) fn is_open(&self) -> bool {
        !self.is_new && self.life.is_open()
    }

    /// What is kept of its end, once it has ended.
    pub(super) fn ended(&self) -> Option<&Ended> {
        match &self.life {
            Life::Ended(ended) => Some(ended),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(super) fn ended_mut(&mut self) -> Option<&mut Ended> {
        match &mut self.life {
            Life::Ended(ended) => Some(ended),
            _ => None,
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended().is_some()
    }

    /// As everybody may see it.
    pub(super) fn shown(&self) -> Standing {
        Standing { request: (*self.request).clone(), status: self.status() }
    }

    /// As whoever asked may see it.
    pub(super) fn exact(&self) -> Standing {
        let status = self.status_of(|ended| Resolution::of(&ended.exact));
        Standing { request: (*self.request).clone(), status }
    }

    /// Where it stands, as everybody may see it.
    pub(super) fn status(&self) -> Status {
        self.status_of(|ended| ended.shown.clone())
    }

    fn status_of(&self, of: impl Fn(&Ended) -> Resolution) -> Status {
        match &self.life {
            Life::Open => Status::Open,
            Life::Denied(denial) => denied(denial),
            Life::Ended(ended) => Status::Ended { resolution: of(ended), ended_ms: ended.ended_ms, taken: ended.taken },
        }
    }

    /// When it is time for it.
    pub(super) fn due(&self) -> Option<Instant> {
        let expires = Moment { at: self.expires, unix_ms: self.request.expires_ms };
        self.life.due(expires).filter(|_| !self.is_new).map(|due| due.at)
    }

    /// That its time is over.
    pub(super) fn expiry(&self) -> Command {
        Command::Expire(match self.was_shown {
            true => ExpiredCause::Nobody,
            false => ExpiredCause::Failed(Trouble::Other(UNSHOWN.to_owned())),
        })
    }

    /// What a command makes of it. `now` and `now_ms` are the same moment. An approval goes no further than what was
    /// offered.
    pub(super) fn step(
        &self,
        command: Command,
        reason_timeout: Duration,
        now: Instant,
        now_ms: u64,
    ) -> Result<Step, AnswerError> {
        if self.is_new {
            return Err(AnswerError::Unknown(self.request.id));
        }
        let left = self.expires.saturating_duration_since(now).min(reason_timeout);
        let until =
            Moment { at: now.checked_add(left).unwrap_or(self.expires), unix_ms: now_ms.saturating_add(millis(left)) };
        let command = match command {
            Command::Answer { answer: Answer::Allow(extent), by } if self.life == Life::Open => {
                let extent = offered::settled(&self.request.offer, extent)
                    .map_err(|why| AnswerError::NotOffered { why, standing: self.shown().into() })?;
                Command::Answer { answer: Answer::Allow(extent), by }
            }
            other => other,
        };
        self.life.step(command, until).map_err(|refusal| match refusal {
            Refusal::Denied => AnswerError::Denied(self.shown().into()),
            Refusal::Ended => AnswerError::Ended(self.shown().into()),
        })
    }
}

/// A denial, as everybody may see it.
pub(super) fn denied(denial: &Denial) -> Status {
    let Denial { by, instead, until } = denial;
    Status::Denied { by: by.answerer().clone(), until_ms: until.unix_ms, instead: *instead }
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
