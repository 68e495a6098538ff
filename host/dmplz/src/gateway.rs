//! The gateway as other processes of this user see it: what `dmplz serve` runs, found by its socket in the state directory.

mod client;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dmplz_core::text::Lang;
use serde_json::Value;

pub(crate) use client::{Client, Incoming, Notification, open};

use crate::settings::{SettingsError, Table, environment};
use crate::terminal::say;

/// More than a busy disk takes.
const LIMIT: Duration = Duration::from_secs(20);

/// Error codes of the gateway that a caller acts on. The others only have a message.
pub(crate) mod code {
    /// JSON-RPC 2.0: it does not know the method.
    pub(crate) const NO_METHOD: i64 = -32_601;
    /// JSON-RPC 2.0: it does not take these params.
    pub(crate) const BAD_PARAMS: i64 = -32_602;
    /// No request has this id.
    pub(crate) const UNKNOWN: i64 = -32_001;
    /// Somebody, or its time, was first; the data tells who.
    pub(crate) const ANSWERED: i64 = -32_002;
    /// It offers less than that; the data tells what.
    pub(crate) const NOT_OFFERED: i64 = -32_003;
    /// The disk did not take it.
    pub(crate) const NOT_RECORDED: i64 = -32_005;
    /// No surface shows requests.
    pub(crate) const NOBODY_LISTENS: i64 = -32_006;
}

/// Why the gateway did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GatewayError {
    /// No process listens there.
    #[error("reach the gateway at {0}: none is running")]
    NotRunning(PathBuf),
    /// Somebody else's process could be behind it.
    #[error("trust the gateway's socket {path}: it belongs to user {owner}")]
    NotOurs {
        /// The socket.
        path: PathBuf,
        /// Its owner's id.
        owner: u32,
    },
    /// It cannot be connected to for another reason.
    #[error("reach the gateway at {path}")]
    Unreachable {
        /// The socket.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is of an older version.
    #[error("use the gateway: it is older than this program and does not know {0}")]
    TooOld(String),
    /// It said no.
    #[error("{0}")]
    Refused(Refusal),
    /// It took too long.
    #[error("hear from the gateway in time")]
    TimedOut,
    /// The connection ended.
    #[error("hear from the gateway: it closed the connection")]
    Lost,
    /// The connection failed.
    #[error("talk to the gateway")]
    Io(#[source] std::io::Error),
    /// What it sent is not what it should send.
    #[error("understand the gateway")]
    Garbled(#[source] serde_json::Error),
    /// It sent a line without an end.
    #[error("understand the gateway: a message is longer than {0} bytes")]
    TooLong(usize),
}

/// An error that the gateway answered with.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub(crate) struct Refusal {
    pub(crate) code: i64,
    /// A fragment that reads after "failed to".
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) data: Option<Value>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

/// What a command needs to know to reach the gateway.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) socket: PathBuf,
    pub(crate) lang: Lang,
}

impl Place {
    /// From the settings. Only those that it needs must be in order.
    pub(crate) fn find() -> Result<Self, SettingsError> {
        let table = Table::load(&environment)?;
        let lang = table.get("DMPLZ_LANG")?.and_then(|name| Lang::parse(&name)).unwrap_or_default();
        Ok(Self { socket: socket(&table.state_dir()?), lang })
    }

    /// Connects.
    pub(crate) fn connect(&self) -> Result<Client, GatewayError> {
        Client::connect(&self.socket)
    }
}

/// Until when a command waits for an answer that the gateway gives at once.
pub(crate) fn soon() -> Option<Instant> {
    Some(Instant::now() + LIMIT)
}

/// Where the gateway of a state directory listens.
pub(crate) fn socket(state_dir: &Path) -> PathBuf {
    state_dir.join("gateway.sock")
}

impl GatewayError {
    /// Whether there is no gateway: then a hook runs alone.
    pub(crate) fn is_not_running(&self) -> bool {
        matches!(self, Self::NotRunning(_))
    }

    /// The code of its refusal, see [`code`].
    pub(crate) fn code(&self) -> Option<i64> {
        match self {
            Self::Refused(refusal) => Some(refusal.code),
            _ => None,
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self, lang: Lang) -> Option<&'static str> {
        Some(match self {
            Self::NotRunning(_) => {
                say(lang, "`dmplz serve`로 게이트웨이를 시작해 주세요.", "start the gateway: dmplz serve")
            }
            Self::NotOurs { .. } => say(
                lang,
                "그 파일을 지우고 `dmplz serve`를 다시 시작해 주세요. 다른 사용자가 둔 것일 수 있습니다.",
                "remove that file and start `dmplz serve` again; another user may have put it there",
            ),
            Self::TooOld(_) => {
                say(lang, "`dmplz serve`를 다시 시작해 주세요.", "start `dmplz serve` again: it runs an older program")
            }
            Self::TimedOut | Self::Lost => say(
                lang,
                "`dmplz serve`가 아직 동작하는지, 무엇이라고 하는지 확인해 주세요.",
                "see whether `dmplz serve` still runs, and what it says",
            ),
            Self::Refused(refusal) => return refusal.hint(lang),
            Self::Unreachable { .. } | Self::Io(_) | Self::Garbled(_) | Self::TooLong(_) => return None,
        })
    }
}

impl Refusal {
    fn hint(&self, lang: Lang) -> Option<&'static str> {
        Some(match self.code {
            code::UNKNOWN => {
                say(lang, "`dmplz approvals list`가 id를 보여 줍니다.", "dmplz approvals list shows the ids")
            }
            code::NOT_OFFERED => say(
                lang,
                "`dmplz approvals show`가 무엇을 답할 수 있는지 보여 줍니다.",
                "dmplz approvals show tells what it takes",
            ),
            code::NOT_RECORDED => say(
                lang,
                "디스크를 확인해 주세요. 기록하지 못한 승인은 효력이 없습니다.",
                "look at the disk; an approval that could not be recorded does not count",
            ),
            code::NOBODY_LISTENS => say(
                lang,
                "메신저를 설정하거나 `dmplz approvals watch`를 실행해 주세요.",
                "set up a messenger, open the page or run dmplz approvals watch",
            ),
            _ => return None,
        })
    }
}
