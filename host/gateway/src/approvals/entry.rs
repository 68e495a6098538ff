//! One request in memory: its life, and the tasks that wait for it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::request::{Answer, Command, ExpiredCause, Outcome, Refusal, Resolution, Trouble};
use dmplz_protocol::{Request, Standing, Status};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{AnswerError, DenialNotice};
use crate::clock::millis;
use crate::offered;

/// How long a request stays open after its time was seen to be over. A denial that arrives in this interval counts.
pub(super) const LAST_LOOK: Duration = Duration::from_millis(100);

/// How long after its time a request may stay open for a messenger that has not looked for presses since. A hook waits for
/// its gateway a second longer than the request's time, and half a second if the client gives it five seconds.
const LOOKING: Duration = Duration::from_millis(750);

/// How often it is checked meanwhile whether the messengers have looked.
const RECHECK: Duration = Duration::from_millis(50);

/// One moment on both clocks. Time limits use the monotonic one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) at: Instant,
    pub(super) unix_ms: u64,
}

/// The state of a request.
pub(super) type Life = dmplz_core::request::Life<Moment, Box<Ended>>;

/// The effect of a command, applied once it is on disk.
pub(super) type Step = dmplz_core::request::Step<Moment>;

/// A denial whose reason may still come.
pub(super) type Denial = dmplz_core::request::Denial<Moment>;

/// A request in memory.
pub(super) struct Entry {
    /// Unmasked while the request is open; masked once it has ended.
    pub(super) request: Arc<Request>,
    /// Its approximate size in bytes when it came in.
    pub(super) weight: usize,
    /// Whether it is not on disk yet. No surface and no caller sees it until then.
    pub(super) is_new: bool,
    pub(super) life: Life,
    /// Whether a change is being recorded.
    pub(super) busy: bool,
    /// The moment its time is over.
    pub(super) expires: Instant,
    /// Whether any surface has shown it.
    pub(super) was_shown: bool,
    /// The messengers that have posted its card since this process began.
    pub(super) cards: Vec<String>,
    /// The moment it is ended for its time limit: shortly after that limit was noticed, because a denial may be
    /// arriving.
    pub(super) ends: Option<Instant>,
    /// Its position in the expiry queue: the next moment at which it is checked.
    pub(super) wake: Option<Instant>,
    /// Askers that wait for its end. Boxed, because each of thousands that wait holds room for what it is told.
    pub(super) askers: Vec<oneshot::Sender<Box<Standing>>>,
    /// Askers that wait for a denial of it.
    pub(super) denials: Vec<oneshot::Sender<DenialNotice>>,
    /// Callers that wait to change it.
    pub(super) turns: Vec<oneshot::Sender<()>>,
}

/// The record of an end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ended {
    /// The exact outcome, for the asker.
    pub(super) exact: Outcome,
    /// The masked resolution, for everyone else.
    pub(super) shown: Resolution,
    pub(super) ended_ms: u64,
    pub(super) taken: Option<bool>,
    /// Whether the end is on disk.
    pub(super) recorded: bool,
}

/// The stated cause when a request expires that no surface showed.
const UNSHOWN: &str = "no messenger showed it in time (another program may have its bot)";

impl Entry {
    /// Creates the entry of a request that is on disk.
    pub(super) fn new(request: Arc<Request>, life: Life, expires: Instant) -> Self {
        Self {
            weight: request.weight(),
            request,
            is_new: false,
            life,
            busy: false,
            expires,
            was_shown: false,
            cards: Vec::new(),
            ends: None,
            wake: None,
            askers: Vec::new(),
            denials: Vec::new(),
            turns: Vec::new(),
        }
    }

    /// Returns whether it waits for an answer, or for the reason of a denial.
    pub(super) fn is_open(&self) -> bool {
        !self.is_new && self.life.is_open()
    }

    /// Returns the record of its end, if it has ended.
    pub(super) fn ended(&self) -> Option<&Ended> {
        match &self.life {
            Life::Ended(ended) => Some(ended),
            _ => None,
        }
    }

    /// Returns the same for changing.
    pub(super) fn ended_mut(&mut self) -> Option<&mut Ended> {
        match &mut self.life {
            Life::Ended(ended) => Some(ended),
            _ => None,
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended().is_some()
    }

    /// Returns the masked view, for everyone.
    pub(super) fn shown(&self) -> Standing {
        Standing { request: (*self.request).clone(), status: self.status() }
    }

    /// Returns the exact view, for the asker.
    pub(super) fn exact(&self) -> Standing {
        let status = self.status_of(|ended| Resolution::of(&ended.exact));
        Standing { request: (*self.request).clone(), status }
    }

    /// Returns its status, masked if it has ended.
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

    /// Returns the moment its time is over.
    pub(super) fn due(&self) -> Option<Instant> {
        let expires = Moment { at: self.expires, unix_ms: self.request.expires_ms };
        self.life.due(expires).filter(|_| !self.is_new).map(|due| due.at)
    }

    /// Returns until when it stays open although its time is over; `None` if it ends now. A press that was made in time
    /// may still be on its way: it arrives by the first poll of its messenger that begins after the time, which `looks`
    /// tells.
    pub(super) fn held(&mut self, looks: &HashMap<String, Instant>, now: Instant) -> Option<Instant> {
        let ends = *self.ends.get_or_insert(now + LAST_LOOK);
        if ends > now {
            return Some(ends);
        }
        let last = self.expires + LOOKING;
        let has_looked = |messenger: &String| looks.get(messenger).is_some_and(|began| *began >= self.expires);
        let is_held = self.life == Life::Open && now < last && !self.cards.iter().all(has_looked);
        is_held.then(|| last.min(now + RECHECK))
    }

    /// Returns the command that ends it because its time is over.
    pub(super) fn expiry(&self) -> Command {
        Command::Expire(match self.was_shown {
            true => ExpiredCause::Nobody,
            false => ExpiredCause::Failed(Trouble::Other(UNSHOWN.to_owned())),
        })
    }

    /// Returns the effect of a command. `now` and `now_ms` are the same moment. An approval that exceeds the offer is
    /// an error.
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
            Command::Answer { answer: Answer::Allow(scope), by } if self.life == Life::Open => {
                let scope = offered::settled(&self.request.offer, scope, by.surface())
                    .map_err(|why| AnswerError::NotOffered { why, standing: self.shown().into() })?;
                Command::Answer { answer: Answer::Allow(scope), by }
            }
            Command::Deny { by, instead } => self.request.offer.denial(by, instead),
            other => other,
        };
        self.life.step(command, until).map_err(|refusal| match refusal {
            Refusal::Denied => AnswerError::Denied(self.shown().into()),
            Refusal::Ended => AnswerError::Ended(self.shown().into()),
        })
    }
}

/// Returns the public status of a denial.
pub(super) fn denied(denial: &Denial) -> Status {
    let Denial { by, instead, until } = denial;
    Status::Denied { by: by.answerer().clone(), until_ms: until.unix_ms, instead: *instead }
}

#[cfg(test)]
mod tests;
