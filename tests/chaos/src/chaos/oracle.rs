//! Judges a hook by the presses that were made and handed out.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use super::life::Life;
use super::stage::{Absence, DEADLINE, TIMEOUT};
use super::truth::{HandedOut, Meaning};

/// The maximum time by which a hook may end after its time-out.
pub(super) const LATE: Duration = Duration::from_millis(250);
/// The time that the client waits for a hook that it stopped.
const STOPPED: Duration = Duration::from_millis(1500);
/// A press that was handed out within this time before the end may not have been read.
const READ: Duration = Duration::from_millis(250);
/// The time that the gateway has to store an answer and to send it to the hook.
const WRITTEN: Duration = Duration::from_millis(1500);
/// The time that remains after a press in good time.
const IN_GOOD_TIME: Duration = Duration::from_millis(2500);

/// An invariant of every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invariant {
    /// An allow requires a press of a person who may answer, which the messenger handed out while the hook lived, or
    /// which the gateway received.
    AllowNeedsPress,
    /// An allow does not override a deny that was handed out before.
    DenyBeforeAllow,
    /// A deny is the outcome if it was handed out in time and a reason was asked for, or if the gateway acknowledged
    /// it.
    DenyNotLost,
    /// A denial requires a press.
    DenialNeedsPress,
    /// An allow is the outcome if it was handed out in good time to a hook that was not disturbed.
    AllowNotLost,
    /// The decision in the gateway's database equals the hook's output.
    DecisionOnDisk,
    /// A hook ends at the latest 250 ms after `DMPLZ_HOOK_TIMEOUT_MS`, and 1.5 s after it was told to stop.
    InTime,
    /// Exit code 0, and on stdout one JSON object on one line, or nothing.
    OneObject,
    /// A hook without a decision reports the reason.
    NotSilent,
    /// No card looks open after the next process has run.
    NoCardLeft,
    /// No request is open on the gateway after its hook has ended, and its trail is intact.
    NothingLeftOpen,
}

/// An invariant that did not hold.
#[derive(Debug, Clone, Serialize)]
pub struct Broken {
    /// The invariant that did not hold.
    pub invariant: Invariant,
    /// The number of the hook; `None` if it is about all of them.
    pub hook: Option<u64>,
    /// A description of what happened instead.
    pub why: String,
}

/// The output of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum HookOutput {
    Allow,
    Deny,
    /// There is no decision, but a reason.
    Why,
    Nothing,
}

/// The other facts about a hook.
pub(super) struct Case<'a> {
    pub(super) life: &'a Life,
    /// The presses that messengers handed out, in order of time.
    pub(super) handed_out: &'a [HandedOut],
    /// The outcome of its request in the gateway's database; `None` if the request is not there.
    pub(super) on_disk: Option<&'a str>,
    /// The spans in which the gateway was absent.
    pub(super) absences: &'a [Absence],
}

impl Life {
    /// Returns the hook's output. `None` if its stdout is malformed.
    pub(super) fn said(&self) -> Option<HookOutput> {
        if self.stdout.is_empty() {
            return Some(HookOutput::Nothing);
        }
        let line = self.stdout.strip_suffix('\n').filter(|line| !line.contains('\n'))?;
        let said: Value = serde_json::from_str(line).ok().filter(Value::is_object)?;
        match said.pointer("/hookSpecificOutput/decision/behavior").and_then(Value::as_str) {
            Some("allow") => Some(HookOutput::Allow),
            Some("deny") => Some(HookOutput::Deny),
            Some(_) => None,
            None => said["systemMessage"].is_string().then_some(HookOutput::Why),
        }
    }

    /// Returns how long after its time-out it ended; if it was frozen then, how long after it continued.
    pub(super) fn overrun(&self) -> Duration {
        let due = self.started + TIMEOUT;
        let awake = self.deeds.frozen.filter(|(from, _)| *from <= due).map(|(_, until)| until);
        self.exited.saturating_duration_since(awake.map_or(due, |awake| awake.max(due)))
    }
}

impl Case<'_> {
    /// Returns every invariant that did not hold.
    pub(super) fn judge(&self, is_timed: bool) -> Vec<Broken> {
        let mut broken = Vec::new();
        let mut add = |invariant, why: String| {
            broken.push(Broken { invariant, hook: Some(self.life.plan.number), why });
        };
        let Some(said) = self.life.said() else {
            add(Invariant::OneObject, "stdout is no object on one line".to_owned());
            return broken;
        };
        self.form(said, &mut add);
        self.rests(said, &mut add);
        self.counts(said, &mut add);
        self.disk(said, &mut add);
        if is_timed {
            self.time(said, &mut add);
        }
        broken
    }

    /// Returns the time of the first press with this meaning that was handed out or received while the hook lived.
    fn first(&self, meaning: Meaning) -> Option<Instant> {
        self.first_of(meaning, false)
    }

    /// Returns the same; for a hook that asked through the gateway, only presses that the gateway has read.
    fn first_read(&self, meaning: Meaning) -> Option<Instant> {
        self.first_of(meaning, self.on_disk.is_some())
    }

    fn first_of(&self, meaning: Meaning, read: bool) -> Option<Instant> {
        let life = self.life;
        let handed = self.handed_out.iter().filter(|one| one.meaning == meaning && (one.is_read || !read));
        let handed = handed.filter(|one| one.at >= life.started);
        let given = life.deeds.presses.iter().filter(|press| press.counts && press.acknowledged.is_some());
        let given = given.filter(|press| press.denies == (meaning == Meaning::Deny)).map(|press| press.at);
        handed.map(|one| one.at).chain(given).filter(|at| *at <= life.exited).min()
    }

    /// Returns whether the client ended it, or it may not have had the time to do anything.
    fn is_struck(&self) -> bool {
        let deeds = &self.life.deeds;
        deeds.killed.is_some() || deeds.stopped.is_some()
    }

    fn form(&self, said: HookOutput, add: &mut impl FnMut(Invariant, String)) {
        let life = self.life;
        // A stop may come before the process has a handler for it, but then it has said nothing.
        let by_signal = life.deeds.killed.is_some() || life.deeds.stopped.is_some() && said == HookOutput::Nothing;
        if life.code != Some(0) && !(life.signal.is_some() && by_signal) {
            add(Invariant::OneObject, format!("exit code {:?}, signal {:?}", life.code, life.signal));
        }
        if said == HookOutput::Nothing && !self.is_struck() && life.stderr.trim().is_empty() && !self.is_left_alone() {
            add(Invariant::NotSilent, "no decision, and not a word why".to_owned());
        }
    }

    /// Returns whether its request is left to the terminal, which asks questions that cannot be shown on a card.
    fn is_left_alone(&self) -> bool {
        self.handed_out.is_empty() && self.life.plan.kind.ends_with("AskUserQuestion")
    }

    /// Returns the time until which an answer is in time.
    fn limit(&self) -> Instant {
        let deeds = &self.life.deeds;
        let ends = deeds.stopped.into_iter().chain(deeds.killed);
        ends.fold(self.life.started + DEADLINE, Instant::min)
    }

    /// Checks that the output is based on a press.
    fn rests(&self, said: HookOutput, add: &mut impl FnMut(Invariant, String)) {
        let (allow, deny) = (self.first_read(Meaning::Allow), self.first_read(Meaning::Deny));
        match said {
            HookOutput::Allow if self.first(Meaning::Allow).is_none() => {
                add(Invariant::AllowNeedsPress, "allowed without a press".to_owned())
            }
            // Only the gateway knows which of two answers, over the socket and on a messenger, was first.
            HookOutput::Allow
                if self.life.plan.deed.is_in_chat() && deny.zip(allow).is_some_and(|(deny, allow)| deny <= allow) =>
            {
                add(Invariant::DenyBeforeAllow, "allowed although a deny was handed out before".to_owned());
            }
            HookOutput::Deny if self.first(Meaning::Deny).is_none() => {
                add(Invariant::DenialNeedsPress, "denied without a press".to_owned())
            }
            _ => {}
        }
    }

    /// Checks that the press that counts is the output.
    fn counts(&self, said: HookOutput, add: &mut impl FnMut(Invariant, String)) {
        let life = self.life;
        let limit = self.limit();
        let (allow, deny) = (self.first_read(Meaning::Allow), self.first_read(Meaning::Deny));
        let is_silenced = life.deeds.killed.is_some() && said == HookOutput::Nothing;
        if said == HookOutput::Deny || is_silenced {
            return;
        }
        let ms = |at: Instant| (at - life.started).as_millis();
        // A press that a gateway read and had no time to store is handed out again to the next one.
        let margin = if self.on_disk.is_some() { WRITTEN } else { READ };
        let dies = |at: Instant| self.on_disk.is_some() && self.absences.iter().any(|it| it.cuts(at, margin));
        let counts =
            |deny: &Instant| *deny + margin < limit && !dies(*deny) && allow.is_none_or(|allow| *deny <= allow);
        if let Some(deny) = deny.filter(|deny| self.life.plan.deed.is_in_chat() && counts(deny)) {
            add(Invariant::DenyNotLost, format!("a deny was handed out at {} ms, and it said {said:?}", ms(deny)));
        }
        if let Some(prompted) = life.deeds.prompted.filter(|prompted| *prompted < limit) {
            add(Invariant::DenyNotLost, format!("somebody was asked why at {} ms, and it said {said:?}", ms(prompted)));
        }
        let acknowledged = life.deeds.presses.iter().find(|press| press.acknowledged == Some(true));
        if let Some(press) = acknowledged.filter(|press| press.denies && press.at < limit) {
            add(
                Invariant::DenyNotLost,
                format!("the gateway acknowledged a deny at {} ms, and it said {said:?}", ms(press.at)),
            );
        }
    }

    /// Checks the outcome in the gateway's database.
    fn disk(&self, said: HookOutput, add: &mut impl FnMut(Invariant, String)) {
        let Some(outcome) = self.on_disk else { return };
        let differs = match said {
            HookOutput::Allow => !outcome.starts_with("approved"),
            HookOutput::Deny => !outcome.starts_with("rejected"),
            HookOutput::Why | HookOutput::Nothing => false,
        };
        if differs {
            add(Invariant::DecisionOnDisk, format!("it said {said:?}, and on the disk it is {outcome}"));
        }
    }

    /// Checks when it ended. Time without a processor does not count.
    fn time(&self, said: HookOutput, add: &mut impl FnMut(Invariant, String)) {
        let life = self.life;
        let starved = life.starved;
        let overrun = life.overrun();
        if overrun > LATE + starved {
            add(
                Invariant::InTime,
                format!("it ended {overrun:.0?} after its time-out; it waited for a processor for {starved:.0?}"),
            );
        }
        let limit = self.limit();
        let allow = self.first(Meaning::Allow).filter(|allow| *allow + IN_GOOD_TIME < limit);
        let is_direct = self.on_disk.is_none() && life.deeds.frozen.is_none() && self.first(Meaning::Deny).is_none();
        if let Some(allow) = allow.filter(|_| is_direct && said != HookOutput::Allow) {
            let ms = (allow - life.started).as_millis();
            add(Invariant::AllowNotLost, format!("an allow was handed out at {ms} ms, and it said {said:?}"));
        }
        let awake = |at: Instant| match life.deeds.frozen {
            Some((from, until)) if from <= at + STOPPED && at < until => until,
            _ => at,
        };
        if let Some(took) = life.deeds.stopped.map(|at| life.exited.saturating_duration_since(awake(at)))
            && took > STOPPED + LATE + starved
        {
            add(
                Invariant::InTime,
                format!("told to stop, it took {took:.0?}; it waited for a processor for {starved:.0?}"),
            );
        }
    }
}
