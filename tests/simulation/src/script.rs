//! A run as a list of decisions. The same script makes the same run.
//!
//! As text a script is one JSON object a line: first the [`Frame`], then its [`Step`]s. Lines can be taken out and
//! numbers changed by hand.
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

/// Everything that happens in one run.
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
    /// The kind of answers that the messenger has.
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
    /// Whether the messenger is Telegram's component, over a stand-in for the Bot API.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub component: bool,
    /// Whether nobody has the gateway's page open.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pageless: bool,
    /// Whether the gateway keeps what it knows in the real store.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub store: bool,
    /// The number of the protocol that hook and gateway hear of each other, where they are of different versions; the other
    /// one then also says more than is known here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<u32>,
    /// A fault of the past that is put back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relapse: Option<Relapse>,
    /// How long a request to the messenger takes to get there, and its reply to come back.
    pub latency: u64,
}

/// The kinds of answers that a messenger has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answers {
    /// By buttons, whose presses are acknowledged; a look waits for them.
    Buttons,
    /// By reactions, which stand; a look comes back at once.
    Reactions,
    /// By buttons and forms; what is written in the chat is not brought.
    Forms,
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
    /// A plan.
    Plan,
    /// A command that other hooks ask for as well.
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

/// An event of a session, as the client tells its hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The call was carried out: somebody allowed it in the terminal.
    Done,
    /// Another call was.
    OtherDone,
    /// The turn is over.
    TurnOver,
    /// The session is over.
    SessionOver,
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
    /// Yes, and the same again for the session.
    Grant,
    /// Yes to a plan.
    Plan,
    /// What no request offers.
    Nonsense,
}

impl Says {
    /// Whether the choice denies the request.
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
            Step::Hook { hook: of, asks, .. } | Step::Confirm { hook: of, asks, .. } if *of == hook => Some(*asks),
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
