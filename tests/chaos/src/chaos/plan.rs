//! What is to happen to one hook, drawn from the run's seed and its number.

use dmplz_e2e::stdin;
use serde::Serialize;
use serde_json::{Value, json};

/// What is to happen.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Plan {
    /// The n-th hook of the run.
    pub(super) number: u64,
    /// What only its card shows: a folder.
    pub(super) marker: String,
    /// The name of the captured stdin.
    pub(super) kind: String,
    /// What the person does.
    pub(super) deed: Deed,
    /// For how long they look at the card, ms.
    pub(super) looks: u64,
    /// Between two presses, ms.
    pub(super) pause: u64,
    /// Which messenger they use, where there are two.
    pub(super) elsewhere: bool,
    /// What befalls the process, and when after its start, ms.
    pub(super) blow: Option<(u64, Blow)>,
}

/// What people do with a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Deed {
    Allow,
    AllowTwice,
    AllowSession,
    DenyWithReason,
    DenyAndSkip,
    /// The time for a reason runs out.
    DenyWithoutAWord,
    AllowThenDeny,
    DenyThenAllow,
    /// Just before the deadline.
    AllowAtTheLimit,
    DenyAtTheLimit,
    /// Once the hook is gone.
    AllowLate,
    DenyLate,
    /// Somebody who may not answer.
    StrangerAllows,
    StrangerAllowsThenDeny,
    Nobody,
    /// On the gateway's socket, like a command.
    AllowOnSocket,
    DenyOnSocket,
}

impl Deed {
    pub(super) fn is_in_chat(self) -> bool {
        !matches!(self, Self::AllowOnSocket | Self::DenyOnSocket)
    }
}

/// What befalls a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Blow {
    /// SIGTERM: the client stops it.
    Stop,
    /// SIGKILL.
    Kill,
    /// SIGSTOP, and SIGCONT after so many ms.
    Freeze(u64),
}

/// Each as often as its weight says.
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
/// More of them where there is a gateway.
const ON_SOCKET: [(Deed, u32); 2] = [(Deed::AllowOnSocket, 8), (Deed::DenyOnSocket, 10)];
/// Questions take more than a press: nobody answers these.
const QUESTIONS: &str = "PermissionRequest-AskUserQuestion";

impl Plan {
    /// The plan of the n-th hook. `deadline` is when a request expires after its start, ms.
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
            // Beyond its deadline.
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

    /// What the client writes to it: the captured stdin, in a folder and a session of its own.
    pub(super) fn stdin(&self) -> Value {
        let mut event = stdin::captured(&self.kind);
        event["session_id"] = json!(self.marker);
        event["cwd"] = json!(format!("/home/user/{}", self.marker));
        event
    }
}
