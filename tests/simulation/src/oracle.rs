//! Checks what the processes did against the complete record of the run.

use std::collections::BTreeMap;

use dmplz_core::flow::choice;
use dmplz_core::messenger::Card;
use dmplz_core::request::{End, ExpiredCause, Outcome};
use dmplz_policy::Ruled;
use serde::{Deserialize, Serialize};

use crate::process::Exit;
use crate::script::{Answers, Asks, Call, Fault, HookId, Step};
use crate::server::Message;
use crate::truth::{Granted, HandedOut, Life, Press, Truth};
use crate::world::World;

/// How much later than its deadline a hook may end, in ms.
const LATE: u64 = 250;
/// How long before the deadline an answer must arrive to count, over a connection without recent faults, in ms.
const IN_GOOD_TIME: u64 = 8_000;
/// How long a fault of the connection has effects, in ms: the desk's longest pause, and a margin.
const AFTERMATH: u64 = 15_000;

/// A violation of an invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The invariant that was violated.
    pub invariant: Invariant,
    /// The hook of the request.
    pub hook: HookId,
    /// A description of what happened.
    pub why: String,
}

/// An invariant of every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invariant {
    /// An allow needs a press of an approver that the messenger delivered to this process.
    AllowNeedsPress,
    /// An allow does not win over a deny from the same poll or an earlier one.
    DenyBeforeAllow,
    /// A deny that was delivered before the limit is the outcome.
    DenyNotLost,
    /// A denial needs a press.
    DenialNeedsPress,
    /// A deny in time, over a connection without faults, is the outcome.
    DenyInGoodTime,
    /// An allow that was delivered in time is the outcome, unless a person denied or the client is gone.
    AllowNotLost,
    /// A hook ends at most 250 ms after its deadline.
    InTime,
    /// A stopped hook ends within the 1.5 s that the client gives.
    StopHeard,
    /// A hook that lives to its end has exactly one outcome.
    OneEnd,
    /// If nobody was asked, the hook reports it.
    ErrorSaid,
    /// The outcome that the gateway reported to a hook is the one on the gateway's disk.
    DecisionOnDisk,
    /// A notice that an answer counts is not contradicted later.
    ToldIsTrue,
    /// A call that a rule allows or denies is not asked, and a rule allows nothing else.
    RuleDecides,
    /// A grant allows only after a person gave it, until it expires or is revoked.
    GrantNeedsPress,
    /// The outcome of a request never changes, for any viewer at any time; events are numbered without gaps.
    HistoryIsTrue,
    /// A request whose hook is gone ends.
    NothingLeftOpen,
    /// A card that a process knew of does not stay open after the next process started.
    NoCardLeft,
}

/// The outcome on the gateway's disk of each hook's request; `None` if it has not ended.
pub type OnDisk = BTreeMap<HookId, Option<Outcome>>;

/// Returns the violations of a run, the worst first.
pub fn judge(truth: &Truth, world: &World, ends_on_disk: &OnDisk) -> Vec<Broken> {
    let mut broken = Vec::new();
    for (hook, life) in &truth.hooks {
        let mut add = |invariant, why: String| broken.push(Broken { invariant, hook: *hook, why });
        if ruled(*hook, life, truth, world, &mut add) {
            ends(life, &mut add);
            continue;
        }
        if world.script.frame.gateway && !life.asked_alone {
            through(*hook, life, truth, world, ends_on_disk.get(hook), &mut add);
            ends(life, &mut add);
            continue;
        }
        answers(life, &mut add);
        ends(life, &mut add);
        good_time(*hook, life, truth, world, &mut add);
        silence(*hook, life, world, &mut add);
    }
    let history =
        |(hook, why): &(HookId, String)| Broken { invariant: Invariant::HistoryIsTrue, hook: *hook, why: why.clone() };
    broken.extend(truth.contradictions.iter().map(history));
    broken.extend(cards(truth, world));
    broken.sort_by_key(|broken| (broken.invariant, broken.hook));
    broken
}

/// Checks whether a rule or a grant decided, and whether it had to.
fn ruled(hook: HookId, life: &Life, truth: &Truth, world: &World, add: &mut impl FnMut(Invariant, String)) -> bool {
    let asks = world.script.asks(hook);
    let Some((at, ruled)) = life.ruled.first() else {
        // Requests on the bus may not be judged by rules.
        if let (Some((at, other)), Asks::Allowed | Asks::Denied) = (life.decisions.first(), asks) {
            add(Invariant::RuleDecides, format!("a rule decides it, and at {at} it ended with {}", End::of(other).0));
            return true;
        }
        return false;
    };
    match (ruled, asks) {
        (Ruled::Allowed(_), Asks::Allowed) | (Ruled::Denied(_), Asks::Denied) => {}
        (Ruled::Allowed(by), _) if by.place().starts_with("grant:") => {
            let (judged, wall_ms) = life.judged.unwrap_or((*at, 0));
            let counts = |granted: &&Granted| {
                let held = granted.at <= judged && granted.over.is_none_or(|over| over >= judged);
                let lasts = (granted.wall_ms..granted.until_ms).contains(&wall_ms);
                let same = world.script.asks(granted.hook) == Asks::Again && asks == Asks::Again;
                let giver = truth.hooks.get(&granted.hook);
                let given = giver.is_some_and(|giver| giver.allowed_at.iter().any(|pressed| *pressed <= granted.at));
                held && lasts && same && given
            };
            if !truth.granted.iter().any(|granted| counts(&granted)) {
                add(Invariant::GrantNeedsPress, format!("allowed at {at} by {}, which does not count", by.place()));
            }
        }
        (ruled, _) => add(Invariant::RuleDecides, format!("no rule is about it, and at {at} it ended with {ruled:?}")),
    }
    true
}

/// Checks what a hook wrote against what was delivered to it.
fn answers(life: &Life, add: &mut impl FnMut(Invariant, String)) {
    let heard: Vec<&HandedOut> = life.handed_out.iter().filter(|it| it.at <= life.deadline).collect();
    let decisive = heard.iter().find(|it| it.deny || it.allow || it.maybe);
    for (at, outcome) in &life.decisions {
        match outcome {
            Outcome::Approved { .. } => {
                if !heard.iter().any(|it| (it.allow || it.maybe) && it.at <= *at) {
                    add(Invariant::AllowNeedsPress, format!("allowed at {at} without a press"));
                }
                if decisive.is_some_and(|it| it.deny) {
                    add(Invariant::DenyBeforeAllow, format!("allowed at {at} although somebody denied before"));
                }
            }
            outcome if outcome.rejection().is_some() && !life.handed_out.iter().any(|it| it.deny && it.at <= *at) => {
                add(Invariant::DenialNeedsPress, format!("denied at {at} without a press"));
            }
            _ => {}
        }
    }
    let Some(first) = decisive else { return };
    let stopped = life.stopped.unwrap_or(u64::MAX);
    let is_killed = matches!(life.exit, Some((_, Exit::Killed))) && life.decisions.is_empty();
    // A process that the client killed while it was frozen could not receive the signal.
    let could_not = matches!(life.exit, Some((at, Exit::Overdue)) if life.frozen_between(stopped, at) > 0);
    if is_killed || could_not || first.at >= stopped {
        return;
    }
    let said = life.decisions.first().map(|(_, outcome)| outcome);
    let denied = said.is_some_and(|outcome| outcome.rejection().is_some());
    if first.deny && !denied {
        let end = said.map_or_else(|| "nothing".to_owned(), |outcome| End::of(outcome).0.to_string());
        add(Invariant::DenyNotLost, format!("a deny was handed out at {}, and the hook said {end}", first.at));
    }
    let in_time = life.awake_at(first.at) + LATE < life.deadline.min(stopped);
    if first.allow
        && !first.deny
        && in_time
        && !said.is_some_and(|outcome| matches!(outcome, Outcome::Approved { .. }))
        && !denied
    {
        let end = said.map_or_else(|| "nothing".to_owned(), |outcome| End::of(outcome).0.to_string());
        add(Invariant::AllowNotLost, format!("an allow was handed out at {}, and the hook said {end}", first.at));
    }
}

/// Checks what a hook wrote that asked through the gateway.
fn through(
    hook: HookId,
    life: &Life,
    truth: &Truth,
    world: &World,
    on_disk: Option<&Option<Outcome>>,
    add: &mut impl FnMut(Invariant, String),
) {
    let said = life.decisions.first();
    if let Some((at, outcome @ Outcome::Approved { .. })) = said {
        if !life.allowed_at.iter().any(|pressed| pressed <= at) {
            add(Invariant::AllowNeedsPress, format!("allowed at {at} without a press"));
        }
        if on_disk != Some(&Some(outcome.clone())) {
            add(Invariant::DecisionOnDisk, format!("allowed at {at}, and on the disk is {on_disk:?}"));
        }
    }
    if let Some((at, outcome)) = said
        && outcome.rejection().is_some()
        && !life.denied_at.iter().any(|pressed| pressed <= at)
    {
        add(Invariant::DenialNeedsPress, format!("denied at {at} without a press"));
    }
    for told in &life.told {
        if !life.kept.iter().any(|kept| kept.denies == told.denies && kept.at <= told.at) {
            add(
                Invariant::ToldIsTrue,
                format!("somebody was told at {} that their answer counts: {:?}", told.at, life.kept),
            );
        }
    }
    if life.kept.iter().any(|kept| kept.denies) && life.kept.iter().any(|kept| !kept.denies)
        || life.resolved.iter().any(|end| Some(end) != life.resolved.first())
    {
        add(Invariant::ToldIsTrue, format!("it ended twice: {:?}, {:?}", life.kept, life.resolved));
    }
    if on_disk == Some(&None) {
        add(Invariant::NothingLeftOpen, "it is still open on the disk".to_owned());
    }
    kept(life, truth, add);
    match said {
        Some((at, Outcome::Expired(ExpiredCause::Nobody))) if !life.shown && !is_in_chat(hook, world, *at) => {
            add(Invariant::ErrorSaid, format!("nobody was asked, and at {at} it said that nobody answered"));
        }
        Some((at, Outcome::Expired(ExpiredCause::Failed(why))))
            if why.to_string().starts_with("no messenger showed it") =>
        {
            // The gateway decided this before the hook was frozen.
            let decided = life.asleep_since(*at);
            // The owner of requests runs on while its process is frozen here, and then knows of no card yet.
            let mut absent = truth.gateway_absent.iter();
            let was_absent = absent.any(|(from, until)| (*from..=until + LATE).contains(&decided));
            if is_in_chat(hook, world, decided) && !was_absent {
                add(Invariant::ErrorSaid, format!("somebody was asked, and at {at} it said that nobody was"));
            }
        }
        _ => {}
    }
}

/// Checks that an answer that the gateway stored reaches the hook, whatever happens to the gateway.
fn kept(life: &Life, truth: &Truth, add: &mut impl FnMut(Invariant, String)) {
    let Some(kept) = life.kept.iter().find(|kept| kept.was_heard) else { return };
    let said = life.decisions.first();
    let end = said.map_or_else(|| "nothing".to_owned(), |(_, outcome)| End::of(outcome).0.to_string());
    let killed = matches!(life.exit, Some((_, Exit::Killed))) && said.is_none();
    let stopped = life.stopped.unwrap_or(u64::MAX);
    let gone = life.exit.map_or(u64::MAX, |(at, _)| at);
    let could_not = matches!(life.exit, Some((at, Exit::Overdue)) if life.frozen_between(stopped, at) > 0);
    let in_time = kept.at + LATE < life.deadline.min(stopped).min(gone);
    // A person with a notice knows that the hook was notified.
    let told = life.told.iter().find(|told| told.denies && kept.denies && told.at < gone);
    let absent = truth.gateway_absent.iter().any(|(from, until)| *from <= kept.at + LATE && kept.at < *until);
    let mut gateway_ends = truth.gateways.iter().filter_map(|(_, end)| *end);
    // The frame was truncated, and the gateway stopped before the hook could ask again.
    let was_torn = life.torn.is_some_and(|at| at.abs_diff(kept.at) <= LATE)
        && gateway_ends.any(|end| (kept.at..kept.at + LATE).contains(&end));
    if killed
        || could_not
        || !in_time
        || !kept.was_heard
        || was_torn
        || absent && told.is_none()
        || life.frozen_between(kept.at, kept.at + LATE) > 0
    {
        return;
    }
    let denied = said.is_some_and(|(_, outcome)| outcome.rejection().is_some());
    let allowed = said.is_some_and(|(_, outcome)| matches!(outcome, Outcome::Approved { .. }));
    if kept.denies && !denied {
        add(
            Invariant::DenyNotLost,
            format!("a deny was on the gateway's disk at {}, and the hook said {end}", kept.at),
        );
    } else if !kept.denies && !allowed {
        add(
            Invariant::AllowNotLost,
            format!("an allow was on the gateway's disk at {}, and the hook said {end}", kept.at),
        );
    }
}

/// Checks when and how often a hook ended.
fn ends(life: &Life, add: &mut impl FnMut(Invariant, String)) {
    let Some((gone, exit)) = life.exit else { return };
    let approved = life.decisions.iter().any(|(_, end)| matches!(end, Outcome::Approved { .. }));
    if life.ran && !approved && !life.ruled.iter().any(|(_, ruled)| matches!(ruled, Ruled::Allowed(_))) {
        add(Invariant::AllowNeedsPress, "the client runs what was not allowed".to_owned());
    }
    let limit = life.awake_at(life.awake_at(life.deadline) + LATE) + LATE;
    let ends: Vec<u64> = life.decisions.iter().map(|(at, _)| *at).chain(life.ruled.iter().map(|(at, _)| *at)).collect();
    for at in ends.iter().filter(|at| **at > limit) {
        add(Invariant::InTime, format!("ended at {at}, {} ms after its deadline", at - life.deadline));
    }
    if exit == Exit::Overdue {
        let stopped = life.stopped.unwrap_or_default();
        let frozen = life.frozen_between(stopped, gone) > 0;
        let in_time = ends.first().is_some_and(|at| *at <= limit);
        if !frozen && ends.is_empty() {
            add(
                Invariant::StopHeard,
                format!("told to stop at {stopped}, it said nothing until it was killed at {gone}"),
            );
        } else if !frozen && !in_time {
            add(Invariant::StopHeard, format!("told to stop at {stopped}, it was still there at {gone}"));
        }
    }
    if ends.len() > 1 || (exit == Exit::Done && ends.is_empty()) {
        add(Invariant::OneEnd, format!("it ended {} times", ends.len()));
    }
}

/// Checks the presses in time on a connection without faults.
fn good_time(hook: HookId, life: &Life, truth: &Truth, world: &World, add: &mut impl FnMut(Invariant, String)) {
    let Some(Press { at, denies: true, .. }) = truth.presses.iter().find(|press| press.hook == hook) else { return };
    let (from, until) = (at.saturating_sub(AFTERMATH), at + IN_GOOD_TIME);
    let by_reactions = world.script.frame.way == Answers::Reactions;
    let disturbed = |step: &Step| match step {
        // Of several copies of a card with reactions, only one is polled.
        Step::Net { call: Call::Post | Call::Any, from: begin, .. } if by_reactions && *begin < until => true,
        Step::Net { from: begin, until: end, fault, .. } => {
            let lasts = match fault {
                Fault::SlowThere(ms) | Fault::SlowBack(ms) => *ms,
                _ => 20_000,
            };
            *begin < until && end.saturating_add(lasts) > from
        }
        Step::Delete { hook: of, at } => *of == hook && *at < until,
        // Replacing a card removes all reactions from the old one on Discord, including those that nobody has polled.
        Step::Press { hook: of, at, choice, .. } => {
            let changes = !matches!(choice.as_str(), choice::DENY | choice::TELL | choice::APPROVE | choice::SESSION);
            by_reactions && *of == hook && changes && (from..until).contains(at)
        }
        Step::Say { at, .. } => by_reactions && (from..until).contains(at),
        // A hook that the gateway does not accept in time asks alone.
        Step::DiskSlow { from: begin, until: end, .. } => *begin < until && *end > from,
        _ => false,
    };
    let end = life.decisions.first().map_or(0, |(at, _)| *at);
    let killed = matches!(life.exit, Some((_, Exit::Killed)));
    let stopped = life.stopped.is_some_and(|stopped| stopped <= until);
    let over = end < *at;
    if until > life.deadline
        || killed
        || stopped
        || over
        || !life.frozen.is_empty()
        || world.script.steps.iter().any(disturbed)
    {
        return;
    }
    if life.decisions.first().is_none_or(|(_, outcome)| outcome.rejection().is_none()) {
        add(Invariant::DenyInGoodTime, format!("somebody denied at {at}"));
    }
}

/// Returns whether a process knew of a hook's card in the chat by then, from the messenger or a press.
fn is_in_chat(hook: HookId, world: &World, by: u64) -> bool {
    let is_known = |message: &Message| message.known.into_iter().chain(message.pressed).any(|since| since <= by);
    world.server.borrow().messages().any(|message| message.hook == Some(hook) && is_known(message))
}

/// Checks that a hook that asked nobody reports it.
fn silence(hook: HookId, life: &Life, world: &World, add: &mut impl FnMut(Invariant, String)) {
    for (at, outcome) in &life.decisions {
        let was_asked = is_in_chat(hook, world, *at);
        if matches!(outcome, Outcome::Expired(ExpiredCause::Nobody)) && !was_asked && life.said.is_empty() {
            add(Invariant::ErrorSaid, format!("nobody was asked, and at {at} it said that nobody answered"));
        }
    }
}

/// Finds cards that still look open.
fn cards(truth: &Truth, world: &World) -> Vec<Broken> {
    let server = world.server.borrow();
    let full = world.script.steps.iter().any(|step| matches!(step, Step::DiskFull { .. }));
    // Revoking a grant answers nothing.
    let is_live = |card: &Card| card.choices.iter().any(|choice| choice.id != choice::REVOKE);
    let left = server.messages().filter(|message| {
        message.known.is_some() && !message.is_deleted && !message.is_overtaken && is_live(&message.card) && !full
    });
    let left = left.filter_map(|message| message.hook).filter(|hook| truth.hooks.contains_key(hook));
    left.map(|hook| Broken { invariant: Invariant::NoCardLeft, hook, why: "a card still looks open".to_owned() })
        .collect()
}
