//! How an error of a command becomes a message, a hint and an exit code, for people on stderr and for programs on stdout.

use dmplz_core::text::Lang;
use dmplz_gateway::DiskError;
use dmplz_protocol::client::GatewayError;
use dmplz_state::InstanceError;
use dmplz_state::store::{RestoreError, StoreError};
use serde::Serialize;
use serde_json::json;

use crate::account::NotChosen;
use crate::named::IdError;
use crate::settings::SettingsError;
use crate::terminal::{say, show_json};
use crate::trouble::find;
use crate::wording::words;
use crate::{exit, gateway, sessions, settings, trouble};

/// A command that failed, in words of one language.
#[derive(Debug, Serialize)]
pub(crate) struct Failed {
    /// The name of the kind of error, which stays as it is for programs.
    pub(crate) code: &'static str,
    pub(crate) what: String,
    /// What to do about it, if that is known.
    pub(crate) next: Option<String>,
    /// The exit code of the command.
    pub(crate) exit: u8,
}

impl Failed {
    /// Describes an error in a language, or in English if there are no words for all of it.
    pub(crate) fn of(error: &anyhow::Error, lang: Lang) -> Self {
        let (what, lang) = words(error, lang);
        let (code, exit) = kind(error);
        Self { code, what, next: hint(error, lang), exit }
    }

    /// Sets another exit code.
    pub(crate) fn with_exit(self, exit: u8) -> Self {
        Self { exit, ..self }
    }

    /// Tells people, and programs that want JSON. Returns the exit code.
    pub(crate) fn tell(&self, json: bool) -> u8 {
        trouble::error(&self.what);
        if let Some(next) = &self.next {
            trouble::hint(next);
        }
        if json {
            // The exit code says it too, if stdout is closed.
            let _ = self.show();
        }
        self.exit
    }

    /// Writes it on stdout for programs: one JSON object.
    pub(crate) fn show(&self) -> anyhow::Result<()> {
        show_json(&json!({ "ok": false, "error": self }))
    }
}

/// Returns the name of an error's kind, and its exit code.
fn kind(error: &anyhow::Error) -> (&'static str, u8) {
    if let Some(error) = of_the_gateway(error) {
        let code = if error.is_not_running() { exit::NO_GATEWAY } else { exit::FAILED };
        return (gateway::kind(error), code);
    }
    if find::<SettingsError>(error).is_some() || find::<NotChosen>(error).is_some() {
        return ("settings", exit::SETTINGS);
    }
    if let Some(error) = find::<IdError>(error) {
        return (error.kind(), error.code());
    }
    match find::<InstanceError>(error) {
        _ if is_damage(error) => ("damaged", exit::UNWELL),
        Some(InstanceError::Running(_) | InstanceError::Starting) => ("gateway_runs", exit::FAILED),
        _ => ("failed", exit::FAILED),
    }
}

/// Returns what to do about an error, if that is known.
fn hint(error: &anyhow::Error, lang: Lang) -> Option<String> {
    match find::<IdError>(error) {
        Some(error) => Some(error.hint(lang)),
        None => fixed_hint(error, lang).map(str::to_owned),
    }
}

fn fixed_hint(error: &anyhow::Error, lang: Lang) -> Option<&'static str> {
    if let Some(error) = find::<GatewayError>(error) {
        return gateway::hint(error, lang);
    }
    if let Some(refusal) = find::<sessions::Refusal>(error) {
        return refusal.hint(lang);
    }
    // About a copy that cannot be put back, the message says all.
    if find::<RestoreError>(error).is_none() && is_damage(error) {
        return Some(say(
            lang,
            "`dmplz store check`가 자세히 알려 줍니다. 백업이 있으면 `dmplz store restore`로 되돌려 주세요.",
            "dmplz store check tells more; put a backup back with dmplz store restore",
        ));
    }
    if let Some(error) = find::<InstanceError>(error) {
        return Some(match error {
            InstanceError::Io { .. } => say(
                lang,
                "그 파일의 권한과 디스크에 남은 공간을 확인해 주세요.",
                "check its permissions, and that the disk is not full",
            ),
            InstanceError::Running(_) | InstanceError::Starting => say(
                lang,
                "이미 실행 중인 게이트웨이를 쓰거나, 먼저 끝내 주세요. `dmplz doctor`가 상태를 보여 줍니다.",
                "use the one that runs, or end it first; dmplz doctor tells how it is",
            ),
        });
    }
    find::<SettingsError>(error).map(|error| settings::hint(error, lang))
}

fn of_the_gateway(error: &anyhow::Error) -> Option<&GatewayError> {
    find::<GatewayError>(error).or_else(|| find::<sessions::Refusal>(error).map(sessions::Refusal::error))
}

/// Returns whether the gateway's database, or a copy of it, is damaged.
fn is_damage(error: &anyhow::Error) -> bool {
    let of_disk =
        find::<DiskError>(error).is_some_and(|error| matches!(error, DiskError::Store(StoreError::Corrupt(_))));
    let of_copy = find::<RestoreError>(error).is_some_and(|error| {
        let is_corrupt = matches!(error, RestoreError::Store(StoreError::Corrupt(_)));
        is_corrupt || matches!(error, RestoreError::Damaged(_) | RestoreError::Untrue { .. })
    });
    of_disk || of_copy || find::<StoreError>(error).is_some_and(|error| matches!(error, StoreError::Corrupt(_)))
}
