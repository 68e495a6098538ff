//! A run as a list of decisions. The same script produces the same run.
//!
//! In text form a script is one JSON object per line: first the [`Frame`], then its [`Step`]s. Lines can be removed
//! and numbers changed by hand.
//!
//! All times are milliseconds of the virtual clock since the run began.

use std::fmt;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

mod net;
mod step;

pub use net::{Call, End, Fault, Noise, Refusal};
pub use step::Step;

/// The number of a hook within a run.
pub type HookId = u8;

/// A whole run of the simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The parameters of the run.
    pub frame: Frame,
    /// The steps, in any order.
    pub steps: Vec<Step>,
}

/// The parameters of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The seed of the random numbers of the code under test.
    pub seed: u64,
    /// The kind of the messenger's answers.
    pub way: Answers,
    /// The client's time limit for a hook.
    pub limit: u64,
    /// The time to wait for a reason.
    pub reason: u64,
    /// Whether hooks ask through a gateway; otherwise they ask alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gateway: bool,
    /// Whether the gateway serves the messenger; hooks that find no gateway then ask there alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chat: bool,
    /// Whether the messenger is Telegram's component, with a fake of the Bot API.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub component: bool,
    /// Whether the gateway's page is closed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pageless: bool,
    /// Whether the gateway uses the real store.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub store: bool,
    /// The protocol version that hook and gateway report to each other, if it differs from this one's; the other side
    /// then also sends unknown fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<u32>,
    /// A past fault to reintroduce.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relapse: Option<Relapse>,
    /// The latency of a request to the messenger, and of its reply.
    pub latency: u64,
}

/// The kinds of a messenger's answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answers {
    /// Buttons, whose presses are acknowledged; a poll waits for them.
    Buttons,
    /// Reactions, which persist; a poll returns at once.
    Reactions,
    /// Buttons and forms; messages in the chat are not delivered.
    Forms,
}

/// A past fault. It is reintroduced around the code under test, at the place where it occurred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relapse {
    /// Presses on other cards are acknowledged, one after the other, before a hook processes its own from the same
    /// poll, and a stop signal is ignored meanwhile.
    WordsFirst,
    /// A hook is not notified of a denial while its reason is awaited.
    DenialUntold,
    /// A hook checks the clock before it reads what has arrived.
    ClockFirst,
}

/// The request of a hook.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asks {
    /// A command.
    #[default]
    Command,
    /// A command, with a rule that the client suggests to store.
    Suggests,
    /// Two questions, of which one takes several answers.
    Questions,
    /// A plan.
    Plan,
    /// A command for which other hooks ask too.
    Again,
    /// A command that a rule allows.
    Allowed,
    /// A command that a rule denies.
    Denied,
}

impl Asks {
    fn is_command(&self) -> bool {
        *self == Self::Command
    }
}

/// An event of a session that the client reports to its hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The call was run, because it was allowed in the terminal.
    Done,
    /// Another call was run.
    OtherDone,
    /// The turn is over.
    TurnOver,
    /// The session is over.
    SessionOver,
}

/// The owner's answer on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Says {
    /// An allow.
    Approve,
    /// A deny without a reason.
    Deny,
    /// A deny whose reason follows later.
    DenyReasonToCome,
    /// A deny with a reason.
    Reason,
    /// An allow for the session.
    Grant,
    /// An approval of a plan.
    Plan,
    /// An answer that no request offers.
    Nonsense,
}

impl Says {
    /// Returns whether the answer denies the request.
    pub fn denies(self) -> bool {
        matches!(self, Self::Deny | Self::DenyReasonToCome | Self::Reason)
    }
}

/// A moment in the life of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// At this time.
    Time(u64),
    /// Before the n-th time that its tasks run, which is between any two awaits.
    Poll(u32),
}

/// A user of the chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Person {
    /// The owner of the chat, an approver.
    Ann,
    /// A listed approver.
    Bob,
    /// A user who is not an approver.
    Eve,
    /// A program, which is listed but may not answer.
    Robot,
}

impl Person {
    /// Returns whether the user's answers count.
    pub fn may_answer(self) -> bool {
        matches!(self, Self::Ann | Self::Bob)
    }
}

impl Script {
    /// Returns the request of a hook.
    pub fn asks(&self, hook: HookId) -> Asks {
        let asks = |step: &Step| match step {
            Step::Hook { hook: of, asks, .. } | Step::Confirm { hook: of, asks, .. } if *of == hook => Some(*asks),
            _ => None,
        };
        self.steps.iter().find_map(asks).unwrap_or_default()
    }

    /// Returns when the last of its steps is over.
    pub fn end(&self) -> u64 {
        self.steps.iter().map(Step::end).max().unwrap_or_default()
    }

    /// Returns the kinds of its steps besides hooks and people, each once.
    pub fn sort(&self) -> Vec<&'static str> {
        let kinds: std::collections::BTreeSet<&str> = self.steps.iter().filter_map(Step::kind).collect();
        kinds.into_iter().collect()
    }

    /// Parses the text of a script.
    ///
    /// # Errors
    /// Returns an error if a line is not valid.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let frame = lines.next().context("read the script: it is empty")?;
        let frame = serde_json::from_str(frame).with_context(|| format!("read the script: {frame}"))?;
        let step = |line: &str| serde_json::from_str(line).with_context(|| format!("read the script: {line}"));
        Ok(Self { frame, steps: lines.map(step).collect::<anyhow::Result<_>>()? })
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
