//! A run as a list of decisions. The same script makes the same run.
//!
//! As text a script is one JSON object a line: first the [`Frame`], then its [`Step`]s. Lines can be taken out and
//! numbers changed by hand.
//!
//! All times are milliseconds of the virtual clock since the run began.

use std::fmt;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

/// The number of a hook within a run.
pub type HookId = u8;

/// One run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// What holds for the whole run.
    pub frame: Frame,
    /// What happens in it, in any order.
    pub steps: Vec<Step>,
}

/// What holds for the whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// What the code under test draws its own random numbers from.
    pub seed: u64,
    /// How people answer.
    pub way: Answers,
    /// The client's time limit for a hook.
    pub limit: u64,
    /// How long a reason is waited for.
    pub reason: u64,
    /// Whether hooks ask through a gateway; else alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gateway: bool,
    /// Whether the gateway serves the messenger, and hooks that find no gateway ask there alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chat: bool,
    /// Whether nobody has the gateway's page open.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pageless: bool,
    /// A fault of the past that is put back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relapse: Option<Relapse>,
    /// How long a request to the messenger takes to get there, and its reply to come back.
    pub latency: u64,
}

/// How people answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answers {
    /// By buttons, whose presses are acknowledged; a look waits for them.
    Buttons,
    /// By reactions, which stand; a look comes back at once.
    Reactions,
}

/// A fault of the past. Each is put back around the code under test, where it showed itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relapse {
    /// Presses on other cards are acknowledged, one after the other, before a hook sees its own of the same look, and a stop
    /// signal is not heard meanwhile.
    WordsFirst,
    /// A hook does not hear of a denial while its reason is awaited.
    DenialUntold,
    /// A hook looks at the clock before it reads what has come.
    ClockFirst,
}

/// A decision. `at`, `from` and `until` are times, `lasts` and `by` milliseconds.
#[allow(missing_docs, reason = "the fields are named for what they are")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Step {
    /// A client starts a hook.
    Hook {
        hook: HookId,
        at: u64,
        #[serde(default, skip_serializing_if = "Asks::is_command")]
        asks: Asks,
    },
    /// The client stops it, and kills it 1.5 s later where it is still there.
    Stop { hook: HookId, at: u64 },
    /// Something kills it.
    Kill { hook: HookId, at: When },
    /// It does not run for a while: a suspended machine, a frozen cgroup.
    Freeze { hook: HookId, at: When, lasts: u64 },
    /// Somebody presses a choice on the newest message of a hook that had it; nothing where none had.
    Press { at: u64, who: Person, hook: HookId, choice: String },
    /// Somebody writes something in the chat.
    Say { at: u64, who: Person, text: String },
    /// Calls of the messenger that begin within this time go wrong.
    Net { call: Call, from: u64, until: u64, fault: Fault },
    /// What is written down within this time is lost, and the disk says so.
    DiskFull { from: u64, until: u64 },
    /// Writes to the gateway's disk that begin within this time take so long.
    DiskSlow { from: u64, until: u64, lasts: u64 },
    /// A gateway starts, unless one runs.
    Gateway { at: u64 },
    /// The gateway is killed. What it was writing down is lost where the disk `loses` it.
    GatewayKilled { at: u64, loses: bool },
    /// The gateway is told to stop.
    GatewayStops { at: u64 },
    /// The gateway does not run for a while.
    GatewayFreezes { at: When, lasts: u64 },
    /// The owner answers a hook's request on the page.
    Answer { at: u64, hook: HookId, says: Says },
    /// Somebody sets the wall clock.
    Clock { at: u64, by: i64 },
}

/// What a hook asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asks {
    /// A command.
    #[default]
    Command,
    /// A command, with a rule that the client suggests to store.
    Suggests,
    /// Two questions: one answer, and several.
    Questions,
}

impl Asks {
    fn is_command(&self) -> bool {
        *self == Self::Command
    }
}

/// What the owner says on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Says {
    /// Yes.
    Approve,
    /// No, and nothing else.
    Deny,
    /// No, and why is still to come.
    DenyReasonToCome,
    /// No, and why.
    Reason,
}

/// A moment in the life of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// At this time.
    Time(u64),
    /// When its tasks are about to run for the n-th time: between any two awaits.
    Poll(u32),
}

/// Somebody in the chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Person {
    /// Owns the chat: may answer.
    Ann,
    /// Is listed: may answer.
    Bob,
    /// May not.
    Eve,
    /// Is listed, but a program: may not.
    Robot,
}

/// A call of a messenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    /// Any of them.
    Any,
    /// Opening the chat.
    Open,
    /// Posting a message.
    Post,
    /// Changing one.
    Revise,
    /// Looking for events.
    Look,
    /// Acknowledging a press.
    Acknowledge,
}

/// What goes wrong with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The request takes so much longer to get there.
    SlowThere(u64),
    /// The reply takes so much longer to come back.
    SlowBack(u64),
    /// The request gets lost.
    RequestLost,
    /// It is carried out, and the reply gets lost.
    ReplyLost,
    /// It is refused.
    Refused(Refusal),
    /// A look brings again what it brought before.
    Repeated,
    /// A look brings events in another order.
    Reordered,
}

/// Why a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The messenger is down.
    Unavailable,
    /// Too many requests: again after so many milliseconds.
    RateLimited(u32),
    /// Somebody else receives the events.
    Conflict,
    /// The component traps, because the reply is nonsense.
    Broken,
    /// The messenger calls the request malformed.
    Rejected,
    /// The token was revoked.
    Unauthorized,
    /// The message is too large.
    TooLarge,
}

impl Call {
    /// Whether a fault of these calls is one of that call.
    pub fn includes(self, call: Self) -> bool {
        self == Self::Any || self == call
    }
}

impl Person {
    /// Whether their answers count.
    pub fn may_answer(self) -> bool {
        matches!(self, Self::Ann | Self::Bob)
    }
}

impl Script {
    /// What a hook asks for.
    pub fn asks(&self, hook: HookId) -> Asks {
        let asks = |step: &Step| match step {
            Step::Hook { hook: of, asks, .. } if *of == hook => Some(*asks),
            _ => None,
        };
        self.steps.iter().find_map(asks).unwrap_or_default()
    }

    /// When the last of its steps is over.
    pub fn end(&self) -> u64 {
        self.steps.iter().map(Step::end).max().unwrap_or_default()
    }

    /// What it takes besides hooks and people: the kinds of its other steps, each once.
    pub fn sort(&self) -> Vec<&'static str> {
        let kinds: std::collections::BTreeSet<&str> = self.steps.iter().filter_map(Step::kind).collect();
        kinds.into_iter().collect()
    }

    /// Reads the text of a script.
    ///
    /// # Errors
    /// When a line is none of a script.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let frame = lines.next().context("read the script: it is empty")?;
        let frame = serde_json::from_str(frame).with_context(|| format!("read the script: {frame}"))?;
        let step = |line: &str| serde_json::from_str(line).with_context(|| format!("read the script: {line}"));
        Ok(Self { frame, steps: lines.map(step).collect::<anyhow::Result<_>>()? })
    }
}

impl Step {
    fn kind(&self) -> Option<&'static str> {
        Some(match self {
            Self::Hook { .. } | Self::Press { .. } | Self::Say { .. } | Self::Answer { .. } | Self::Gateway { .. } => {
                return None;
            }
            Self::GatewayKilled { .. } => "gateway killed",
            Self::GatewayStops { .. } => "gateway stopped",
            Self::GatewayFreezes { .. } => "gateway frozen",
            Self::DiskSlow { .. } => "disk slow",
            Self::Stop { .. } => "stop",
            Self::Kill { .. } => "kill",
            Self::Freeze { .. } => "freeze",
            Self::DiskFull { .. } => "disk full",
            Self::Clock { .. } => "clock",
            Self::Net { call: Call::Open, .. } => "slow or faulty open",
            Self::Net { call: Call::Post, .. } => "slow or faulty post",
            Self::Net { call: Call::Revise, .. } => "slow or faulty revise",
            Self::Net { call: Call::Look, .. } => "slow or faulty look",
            Self::Net { call: Call::Acknowledge, .. } => "slow or faulty acknowledge",
            Self::Net { call: Call::Any, .. } => "slow or faulty line",
        })
    }

    fn end(&self) -> u64 {
        match self {
            Self::Hook { at, .. }
            | Self::Stop { at, .. }
            | Self::Press { at, .. }
            | Self::Say { at, .. }
            | Self::Answer { at, .. }
            | Self::Gateway { at }
            | Self::GatewayKilled { at, .. }
            | Self::GatewayStops { at }
            | Self::Clock { at, .. } => *at,
            Self::Kill { at, .. } => at.time(),
            Self::Freeze { at, lasts, .. } | Self::GatewayFreezes { at, lasts } => at.time().saturating_add(*lasts),
            Self::Net { until, .. } | Self::DiskFull { until, .. } | Self::DiskSlow { until, .. } => *until,
        }
    }
}

impl When {
    fn time(self) -> u64 {
        match self {
            Self::Time(at) => at,
            Self::Poll(_) => 0,
        }
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = serde_json::to_string(&self.frame).map_err(|_| fmt::Error)?;
        f.write_str(&frame)?;
        for step in &self.steps {
            write!(f, "\n{}", serde_json::to_string(step).map_err(|_| fmt::Error)?)?;
        }
        Ok(())
    }
}
