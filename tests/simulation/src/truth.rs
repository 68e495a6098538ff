//! The complete record of a run, which no process has.

use std::collections::BTreeMap;

use dmplz_core::flow::Action;
use dmplz_core::messenger::Event;
use dmplz_core::request::Outcome;
use dmplz_policy::Ruled;

use crate::process::Exit;
use crate::script::{HookId, Person};
use crate::server::{ANN, BOB, Server};

/// The complete record of a run.
#[derive(Debug, Default)]
pub struct Truth {
    /// The life of each hook.
    pub hooks: BTreeMap<HookId, Life>,
    /// The periods in which gateways ran; one without an end lasts to the end of the run.
    pub gateways: Vec<(u64, Option<u64>)>,
    /// The periods in which the gateway did not run or could not be reached. A message that it started in one may
    /// have reached nobody.
    pub gateway_absent: Vec<(u64, u64)>,
    /// The answers of approvers, pressed on an existing card.
    pub presses: Vec<Press>,
    /// The grants that hooks stored.
    pub granted: Vec<Granted>,
    /// The outcomes that were reported to viewers; an outcome must never change.
    pub seen: BTreeMap<String, String>,
    /// Reports that contradict earlier ones.
    pub contradictions: Vec<(HookId, String)>,
}

/// A grant that a hook stored.
#[derive(Debug, Clone)]
pub struct Granted {
    /// The hook whose answer carried it.
    pub hook: HookId,
    /// When it takes effect.
    pub at: u64,
    /// When it takes effect by the wall clock, and when it expires by it.
    pub wall_ms: u64,
    /// When it expires, in Unix milliseconds.
    pub until_ms: u64,
    /// The session with which it ends; `None` if it ends only by time.
    pub session: Option<String>,
    /// When it ended early, by revocation or with its session.
    pub over: Option<u64>,
}

/// An answer that was pressed.
#[derive(Debug, Clone)]
pub struct Press {
    /// When it was pressed, in milliseconds of the run.
    pub at: u64,
    /// The hook on whose card it was pressed.
    pub hook: HookId,
    /// Whether it denies; otherwise it allows.
    pub denies: bool,
}

/// The life of a hook's process.
#[derive(Debug, Default)]
pub struct Life {
    /// When the process started.
    pub started: u64,
    /// The deadline by which it must have ended.
    pub deadline: u64,
    /// When the client stopped it, or sent an event which shows that nobody waits for it.
    pub stopped: Option<u64>,
    /// The periods in which it was frozen.
    pub frozen: Vec<(u64, u64)>,
    /// The events that the messenger delivered to it.
    pub handed_out: Vec<HandedOut>,
    /// What it wrote for the client, and when.
    pub decisions: Vec<(u64, Outcome)>,
    /// The decision of a rule or grant, and when it was made.
    pub ruled: Vec<(u64, Ruled)>,
    /// When it evaluated rules and grants: in the run, and by the wall clock.
    pub judged: Option<(u64, u64)>,
    /// Whether the client runs the call.
    pub ran: bool,
    /// Whether a frame that neither side sent arrived over its connection with the gateway.
    pub garbled: bool,
    /// When a frame to it was truncated, which ended its connection with the gateway.
    pub torn: Option<u64>,
    /// Whether the page showed its request.
    pub shown: bool,
    /// When an approver allowed it, on any surface.
    pub allowed_at: Vec<u64>,
    /// When an approver denied it, on any surface.
    pub denied_at: Vec<u64>,
    /// The notices on the page that an answer counts.
    pub told: Vec<NoticeSent>,
    /// The answers that the gateway's disk stored while the gateway ran.
    pub kept: Vec<Kept>,
    /// Whether it asked alone, because no gateway accepted its request.
    pub asked_alone: bool,
    /// The end that was reported to the page.
    pub resolved: Vec<String>,
    /// The number of the gateway to which it connected last; 0 for none.
    pub connected_to: u64,
    /// The text that it wrote to stderr.
    pub said: Vec<String>,
    /// Its exit, and when.
    pub exit: Option<(u64, Exit)>,
}

/// A notice to a person that their answer counts.
#[derive(Debug, Clone, Copy)]
pub struct NoticeSent {
    /// When the notice was shown.
    pub at: u64,
    /// Whether the answer denies.
    pub denies: bool,
}

/// An answer on the gateway's disk.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// When it was stored.
    pub at: u64,
    /// Whether the answer denies.
    pub denies: bool,
    /// Whether the hook was connected to the gateway then.
    pub was_heard: bool,
}

/// The answers to one request in the result of one poll.
#[derive(Debug)]
pub struct HandedOut {
    /// When the result reached the process's socket.
    pub at: u64,
    /// Whether it contains a deny of an approver.
    pub deny: bool,
    /// Whether it contains an allow of an approver.
    pub allow: bool,
    /// Whether it contains a choice that allows if the form is complete and not too old.
    pub maybe: bool,
}

impl Truth {
    /// Returns the life of a hook.
    pub fn of(&mut self, hook: HookId) -> &mut Life {
        self.hooks.entry(hook).or_default()
    }

    /// Records the start of a gateway's process. Returns the number of its life.
    pub fn gateway_starts(&mut self, at: u64) -> usize {
        self.gateways.push((at, None));
        self.gateways.len() - 1
    }

    /// Records the end of a gateway's process.
    pub fn gateway_ends(&mut self, life: usize, at: u64) {
        if let Some((_, end)) = self.gateways.get_mut(life) {
            *end = Some(at);
        }
    }

    /// Records that a poll of a hook's process returned events.
    pub fn handed_out(&mut self, hook: HookId, at: u64, events: &[Event], server: &Server) {
        let answers = events.iter().filter_map(|event| match event {
            Event::Chosen(press) if server.hook_of(&press.message) == Some(hook) => {
                let may = !press.user.is_bot && [ANN, BOB].contains(&press.user.id.as_str());
                meaning(&press.choice).filter(|_| may)
            }
            _ => None,
        });
        let answers: Vec<Meaning> = answers.collect();
        if !answers.is_empty() {
            let has = |meaning| answers.contains(&meaning);
            let (deny, allow, maybe) = (has(Meaning::Deny), has(Meaning::Allow), has(Meaning::Maybe));
            self.of(hook).handed_out.push(HandedOut { at, deny, allow, maybe });
        }
    }

    /// Records that a choice was pressed on the card of a hook.
    pub fn pressed(&mut self, at: u64, who: Person, hook: HookId, choice: &str) {
        if let Some(meaning) = meaning(choice).filter(|_| who.may_answer()) {
            let denies = meaning == Meaning::Deny;
            self.presses.push(Press { at, hook, denies });
            let life = self.of(hook);
            if denies { &mut life.denied_at } else { &mut life.allowed_at }.push(at);
        }
    }
}

impl Life {
    /// Records that nobody waits for it any more.
    pub fn stops(&mut self, at: u64) {
        self.stopped.get_or_insert(at);
    }

    /// Returns how long it was frozen between two moments.
    pub fn frozen_between(&self, from: u64, until: u64) -> u64 {
        self.frozen.iter().map(|(begin, end)| (*end).min(until).saturating_sub((*begin).max(from))).sum()
    }

    /// Returns when it ran again, if it was frozen at that moment; otherwise that moment.
    pub fn awake_at(&self, at: u64) -> u64 {
        let mut at = at;
        // Freezes may follow one another.
        for _ in &self.frozen {
            at = self
                .frozen
                .iter()
                .filter(|(begin, end)| (*begin..*end).contains(&at))
                .map(|(_, end)| *end)
                .max()
                .unwrap_or(at);
        }
        at
    }

    /// Returns the moment since which it could not run, if it was frozen until this moment; otherwise this moment. What it
    /// says as it wakes was decided before.
    pub fn asleep_since(&self, at: u64) -> u64 {
        let mut at = at;
        for _ in &self.frozen {
            at = self
                .frozen
                .iter()
                .filter(|(begin, end)| *begin < at && at <= *end)
                .map(|(begin, _)| *begin)
                .min()
                .unwrap_or(at);
        }
        at
    }
}

/// The effect of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Deny,
    Allow,
    /// It allows if the form is complete and not too old.
    Maybe,
}

/// Returns the effect of a choice; `None` if it answers nothing.
fn meaning(choice: &str) -> Option<Meaning> {
    match Action::parse(choice)? {
        Action::Deny | Action::Tell => Some(Meaning::Deny),
        Action::Approve | Action::Session | Action::Plan(_) | Action::Grant(_) => Some(Meaning::Allow),
        Action::Always { .. } | Action::Submit => Some(Meaning::Maybe),
        _ => None,
    }
}
