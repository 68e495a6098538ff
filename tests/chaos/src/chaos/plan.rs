//! The plan of one hook, drawn from the seed of the run and the hook's number.

use dmplz_e2e::stdin;
use serde::Serialize;
use serde_json::{Value, json};

/// The plan of a hook.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Plan {
    /// The number of the hook in the run.
    pub(super) number: u64,
    /// A text that only its card shows: the name of a folder.
    pub(super) marker: String,
    /// The name of the captured stdin.
    pub(super) kind: String,
    /// The action of the person.
    pub(super) deed: Deed,
    /// The milliseconds for which the person looks at the card.
    pub(super) looks: u64,
    /// The milliseconds between two presses.
    pub(super) pause: u64,
    /// Whether the person uses the second messenger, if there are two.
    pub(super) elsewhere: bool,
    /// The disturbance of the process, and the milliseconds after its start at which it happens.
    pub(super) blow: Option<(u64, Blow)>,
}

/// The actions of people on a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Deed {
    Allow,
    AllowTwice,
    AllowSession,
    DenyWithReason,
    DenyAndSkip,
    /// Denies, and lets the time for a reason pass.
    DenyWithoutAWord,
    AllowThenDeny,
    DenyThenAllow,
    /// Allows just before the deadline.
    AllowAtTheLimit,
    DenyAtTheLimit,
    /// Allows after the hook has ended.
    AllowLate,
    DenyLate,
    /// A person who may not answer allows.
    StrangerAllows,
    StrangerAllowsThenDeny,
    Nobody,
    /// Allows over the gateway's socket, as a command does.
    AllowOnSocket,
    DenyOnSocket,
}

impl Deed {
    pub(super) fn is_in_chat(self) -> bool {
        !matches!(self, Self::AllowOnSocket | Self::DenyOnSocket)
    }
}

/// The disturbances of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Blow {
    /// SIGTERM: the client stops it.
    Stop,
    /// SIGKILL.
    Kill,
    /// SIGSTOP, and SIGCONT after this number of milliseconds.
    Freeze(u64),
}

/// The actions with their weights.
const DEEDS: [(Deed, u32); 15] = [
    (Deed::Allow, 22),
    (Deed::AllowTwice, 4),
    (Deed::AllowSession, 6),
    (Deed::DenyWithReason, 14),
    (Deed::DenyAndSkip, 8),
    (Deed::DenyWithoutAWord, 7),
    (Deed::AllowThenDeny, 5),
    (Deed::DenyThenAllow, 5),
    (Deed::AllowAtTheLimit, 4),
    (Deed::DenyAtTheLimit, 5),
    (Deed::AllowLate, 3),
    (Deed::DenyLate, 3),
    (Deed::StrangerAllows, 5),
    (Deed::StrangerAllowsThenDeny, 4),
    (Deed::Nobody, 5),
];
/// Further actions if there is a gateway.
const ON_SOCKET: [(Deed, u32); 2] = [(Deed::AllowOnSocket, 8), (Deed::DenyOnSocket, 10)];
/// Questions take more than one press, and nobody answers them here.
const QUESTIONS: &str = "PermissionRequest-AskUserQuestion";

impl Plan {
    /// Draws the plan of a hook. `deadline` is the number of milliseconds after its start at which a request expires.
    pub(super) fn draw(seed: u64, number: u64, gateway: bool, deadline: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        let mut kinds = stdin::all();
        kinds.retain(|name| name.starts_with("PermissionRequest-"));
        kinds.sort();
        let kind = if random.u8(..3) == 0 {
            "PermissionRequest-Bash".to_owned()
        } else {
            kinds[random.usize(..kinds.len())].clone()
        };
        let all = DEEDS.iter().chain(ON_SOCKET.iter().filter(|_| gateway));
        let deeds: Vec<Deed> = all.flat_map(|(deed, weight)| (0..*weight).map(|_| *deed)).collect();
        let drawn = deeds[random.usize(..deeds.len())];
        let blow = match random.u8(..100) {
            0..6 => Some(Blow::Stop),
            6..12 => Some(Blow::Kill),
            12..18 => Some(Blow::Freeze(random.u64(50..2500))),
            // It is frozen beyond its deadline.
            18..20 => Some(Blow::Freeze(deadline + random.u64(..1500))),
            _ => None,
        };
        let is_early = random.u8(..4) == 0;
        Self {
            number,
            marker: format!("chaos-{seed}-{number}-end"),
            deed: if kind == QUESTIONS { Deed::Nobody } else { drawn },
            kind,
            looks: if random.u8(..5) == 0 { 0 } else { random.u64(..600) },
            pause: if random.bool() { 0 } else { random.u64(..400) },
            elsewhere: random.bool(),
            blow: blow.map(|blow| (if is_early { random.u64(..200) } else { random.u64(..3500) }, blow)),
        }
    }

    /// Returns the hook's stdin: the captured one, with a folder and a session of its own.
    pub(super) fn stdin(&self) -> Value {
        let mut event = stdin::captured(&self.kind);
        event["session_id"] = json!(self.marker);
        event["cwd"] = json!(format!("/home/user/{}", self.marker));
        event
    }
}
