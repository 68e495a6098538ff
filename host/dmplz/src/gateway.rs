//! The gateway as other processes of this user find it: what `dmplz serve` runs, by its socket in the state directory. Also where a
//! command finds that directory.

pub(crate) mod session_refused;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dmplz_core::text::Lang;
use dmplz_protocol::client::{Client, GatewayError};
use dmplz_protocol::{Code, RpcError, SOCKET};

use crate::settings::{SettingsError, Table, environment};
use crate::terminal::say;

/// More than a busy disk takes.
const LIMIT: Duration = Duration::from_secs(20);

/// The settings of a command, and what most commands need of them.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) lang: Lang,
    pub(crate) table: Table,
    /// The path of the state directory, which may not exist yet.
    pub(crate) state: PathBuf,
}

impl Place {
    /// Finds the place by the settings. Only the settings that this needs must be valid.
    pub(crate) fn find() -> Result<Self, SettingsError> {
        let table = Table::load(&environment)?;
        let lang = table.lang()?;
        Ok(Self { lang, state: table.state_dir()?, table })
    }

    /// Connects to the gateway.
    pub(crate) fn connect(&self) -> Result<Client, GatewayError> {
        connect(&self.state)
    }
}

/// Connects to the gateway of a state directory.
pub(crate) fn connect(state_dir: &Path) -> Result<Client, GatewayError> {
    Client::connect(&socket(state_dir))
}

/// Returns the deadline for an answer that the gateway gives at once.
pub(crate) fn soon() -> Option<Instant> {
    Some(Instant::now() + LIMIT)
}

/// Returns the path of the socket of a state directory's gateway.
pub(crate) fn socket(state_dir: &Path) -> PathBuf {
    state_dir.join(SOCKET)
}

/// Returns the name of an error's kind, which stays as it is for programs.
pub(crate) fn kind(error: &GatewayError) -> &'static str {
    match error {
        GatewayError::NotRunning(_) => "no_gateway",
        GatewayError::NotOurs { .. } => "gateway_not_trusted",
        GatewayError::TooOld(_) => "gateway_too_old",
        GatewayError::TimedOut => "gateway_timed_out",
        GatewayError::Unreachable { .. } | GatewayError::Lost | GatewayError::Io(_) => "gateway_lost",
        GatewayError::Garbled(_) | GatewayError::TooLong(_) => "gateway_unreadable",
        GatewayError::Refused(refusal) => match refusal.code {
            Code::UNKNOWN => "unknown",
            Code::ANSWERED => "answered",
            Code::NOT_OFFERED => "not_offered",
            Code::NOT_RECORDED => "not_recorded",
            Code::NOBODY_LISTENS => "nobody_listens",
            Code::FORBIDDEN => "forbidden",
            Code::TOO_MANY => "too_many",
            _ => "refused",
        },
    }
}

/// Returns what to do about an error of the gateway.
pub(crate) fn hint(error: &GatewayError, lang: Lang) -> Option<&'static str> {
    Some(match error {
        GatewayError::NotRunning(_) => {
            say(lang, "`dmplz serve`로 게이트웨이를 시작해 주세요.", "start the gateway: dmplz serve")
        }
        GatewayError::NotOurs { .. } => say(
            lang,
            "그 파일을 지우고 `dmplz serve`를 다시 시작해 주세요. 다른 사용자가 둔 것일 수 있습니다.",
            "remove that file and start `dmplz serve` again; another user may have put it there",
        ),
        GatewayError::TooOld(_) => {
            say(lang, "`dmplz serve`를 다시 시작해 주세요.", "start `dmplz serve` again: it runs an older program")
        }
        GatewayError::TimedOut | GatewayError::Lost => say(
            lang,
            "`dmplz serve`가 아직 동작하는지, 무엇이라고 하는지 확인해 주세요.",
            "see whether `dmplz serve` still runs, and what it says",
        ),
        GatewayError::Refused(refusal) => return hint_of(refusal, lang),
        GatewayError::Unreachable { .. }
        | GatewayError::Io(_)
        | GatewayError::Garbled(_)
        | GatewayError::TooLong(_) => return None,
    })
}

fn hint_of(refusal: &RpcError, lang: Lang) -> Option<&'static str> {
    Some(match refusal.code {
        Code::UNKNOWN => say(lang, "`dmplz approvals list`가 id를 보여 줍니다.", "dmplz approvals list shows the ids"),
        Code::NOT_OFFERED => say(
            lang,
            "`dmplz approvals show`가 무엇을 답할 수 있는지 보여 줍니다.",
            "dmplz approvals show tells what it takes",
        ),
        Code::NOT_RECORDED => say(
            lang,
            "디스크를 확인해 주세요. 기록하지 못한 승인은 효력이 없습니다.",
            "look at the disk; an approval that could not be recorded does not count",
        ),
        Code::NOBODY_LISTENS => say(
            lang,
            "메신저를 설정하거나 `dmplz approvals watch`를 실행해 주세요.",
            "set up a messenger, open the page or run dmplz approvals watch",
        ),
        _ => return None,
    })
}
