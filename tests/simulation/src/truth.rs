//! What truly happened in a run, as no process can know it.

use std::collections::BTreeMap;

use dmplz_core::flow::Action;
use dmplz_core::messenger::Event;
use dmplz_core::request::Outcome;
use dmplz_policy::Ruled;

use crate::process::Exit;
use crate::script::{HookId, Person};
use crate::world::server::{ANN, BOB, Server};

/// What truly happened in a run.
#[derive(Debug, Default)]
pub struct Truth {
    /// The life of each hook.
    pub hooks: BTreeMap<HookId, Life>,
    /// From when until when each gateway ran; without an end, to the end of the run.
    pub gateways: Vec<(u64, Option<u64>)>,
    /// From when until when the gateway did not run, or was not there: what it began then may have reached nobody.
    pub gateway_absent: Vec<(u64, u64)>,
    /// Answers of people who may answer, as they pressed them on a card that was there.
    pub presses: Vec<Press>,
    /// Grants that hooks kept.
    pub granted: Vec<Granted>,
    /// How requests ended that somebody looked at, as they were told: it never changes.
    pub seen: BTreeMap<String, String>,
    /// What contradicts what was told before.
    pub contradictions: Vec<(HookId, String)>,
}

/// A grant that a hook kept.
#[derive(Debug, Clone)]
pub struct Granted {
    /// Whose answer it went with.
    pub hook: HookId,
    /// Since when it counts.
    pub at: u64,
    /// The same on the wall clock, and until when it counts by that.
    pub wall_ms: u64,
    /// Until when it counts, in Unix milliseconds.
    pub until_ms: u64,
    /// The session with which it ends; none for one that has its time only.
    pub session: Option<String>,
    /// Since when it counts no more: somebody took it back, or its session is over.
    pub over: Option<u64>,
}

/// An answer that somebody pressed.
#[derive(Debug, Clone)]
pub struct Press {
    /// When it was pressed, in milliseconds of the run.
    pub at: u64,
    /// The hook on whose card it was pressed.
    pub hook: HookId,
    /// Whether it denies; else it allows.
    pub denies: bool,
}

/// The life of one hook's process.
#[derive(Debug, Default)]
pub struct Life {
    /// When the process started.
    pub started: u64,
    /// When everything must have ended.
    pub deadline: u64,
    /// When the client told it to stop, or an event of the client showed that nobody waits for it.
    pub stopped: Option<u64>,
    /// From when until when it did not run.
    pub frozen: Vec<(u64, u64)>,
    /// What the messenger handed out to it.
    pub handed_out: Vec<HandedOut>,
    /// What it handed to the client, and when.
    pub decisions: Vec<(u64, Outcome)>,
    /// What rules and grants decided instead, and when.
    pub ruled: Vec<(u64, Ruled)>,
    /// When it looked at rules and grants: in the run, and on the wall clock.
    pub judged: Option<(u64, u64)>,
    /// Whether the client runs the call.
    pub ran: bool,
    /// Whether something came over its connection with the gateway that neither of them said.
    pub garbled: bool,
    /// When a frame to it was cut in two, and its connection with the gateway ended with that.
    pub torn: Option<u64>,
    /// Whether the page showed its request.
    pub shown: bool,
    /// When somebody who may allowed, wherever.
    pub allowed_at: Vec<u64>,
    /// When somebody who may denied, wherever.
    pub denied_at: Vec<u64>,
    /// What people were told on the page: that their answer counts.
    pub told: Vec<Told>,
    /// The answers that the gateway's disk took while the gateway ran.
    pub kept: Vec<Kept>,
    /// Whether it asked alone, because no gateway took its request.
    pub asked_alone: bool,
    /// How the page heard that it ended.
    pub resolved: Vec<String>,
    /// The number of the gateway that it connected to last; 0 for none.
    pub connected_to: u64,
    /// What it said on stderr.
    pub said: Vec<String>,
    /// How it ended, and when.
    pub exit: Option<(u64, Exit)>,
}

/// Somebody was told that their answer counts.
#[derive(Debug, Clone, Copy)]
pub struct Told {
    /// When the person was told.
    pub at: u64,
    /// Whether the answer denies.
    pub denies: bool,
}

/// An answer is on the gateway's disk.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// Since when it is on disk.
    pub at: u64,
    /// Whether the answer denies.
    pub denies: bool,
    /// Whether the hook had a connection to the gateway then.
    pub was_heard: bool,
}

/// The answers to one request that one look brought.
#[derive(Debug)]
pub struct HandedOut {
    /// When it was in the process's socket.
    pub at: u64,
    /// Whether there is a deny of somebody who may answer.
    pub deny: bool,
    /// Whether there is an allow of somebody who may answer.
    pub allow: bool,
    /// Whether there is something that allows if what was chosen before is complete, and not too old.
    pub maybe: bool,
}

impl Truth {
    /// The life of a hook.
    pub fn of(&mut self, hook: HookId) -> &mut Life {
        self.hooks.entry(hook).or_default()
    }

    /// A gateway's process starts. Which life of the gateway it is.
    pub fn gateway_starts(&mut self, at: u64) -> usize {
        self.gateways.push((at, None));
        self.gateways.len() - 1
    }

    /// A gateway's process ends.
    pub fn gateway_ends(&mut self, life: usize, at: u64) {
        if let Some((_, end)) = self.gateways.get_mut(life) {
            *end = Some(at);
        }
    }

    /// A look of a hook's process brought events.
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

    /// Somebody pressed a choice on the card of a hook.
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
    /// Nobody waits for it any more.
    pub fn stops(&mut self, at: u64) {
        self.stopped.get_or_insert(at);
    }

    /// How long it was frozen between two moments.
    pub fn frozen_between(&self, from: u64, until: u64) -> u64 {
        self.frozen.iter().map(|(begin, end)| (*end).min(until).saturating_sub((*begin).max(from))).sum()
    }

    /// When it ran again, where it was frozen at that moment; else that moment.
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

/// What a choice does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Deny,
    Allow,
    /// It allows if what was chosen before is complete, and not too old.
    Maybe,
}

/// What a choice does; none where it answers nothing.
fn meaning(choice: &str) -> Option<Meaning> {
    match Action::parse(choice)? {
        Action::Deny | Action::Tell => Some(Meaning::Deny),
        Action::Approve | Action::Session | Action::Plan(_) | Action::Grant(_) => Some(Meaning::Allow),
        Action::Always { .. } | Action::Submit => Some(Meaning::Maybe),
        _ => None,
    }
}
