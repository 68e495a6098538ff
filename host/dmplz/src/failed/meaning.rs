//! What each type of error means for programs and for the person: its code, the exit code and the hint, in one table.

use std::io;

use dmplz_core::text::Lang;
use dmplz_gateway::DiskError;
use dmplz_protocol::client::GatewayError;
use dmplz_state::store::{RestoreError, StoreError};
use dmplz_state::{DirError, InstanceError};

use super::Failed;
use crate::account::NotChosen;
use crate::gateway::session_refused::SessionRefused;
use crate::named::IdError;
use crate::settings::SettingsError;
use crate::terminal::say;
use crate::trouble::find;
use crate::wording::words;
use crate::{exit, gateway, settings};

impl Failed {
    /// Describes an error in a language, or in English if there are no words for all of it.
    pub(crate) fn of(error: &anyhow::Error, lang: Lang) -> Self {
        let (what, lang) = words(error, lang);
        let meaning = MEANINGS.iter().find_map(|row| row(error, lang));
        let Meaning { code, exit, next } =
            meaning.unwrap_or(Meaning { code: "failed", exit: exit::FAILED, next: None });
        Self { code, what, next, exit, lang }
    }
}

/// What an error means: its name for programs, the exit code, and what to do about it.
struct Meaning {
    code: &'static str,
    exit: u8,
    next: Option<String>,
}

/// Returns the meaning of an error of one type; `None` if it is of another.
type Row = fn(&anyhow::Error, Lang) -> Option<Meaning>;

/// The meanings, in a row for each type of error. The first row counts that an error, or a cause of it, is of. An error of no row
/// just failed.
const MEANINGS: &[Row] = &[
    |error, lang| find::<SessionRefused>(error).map(|refused| of_gateway(refused.error(), refused.hint(lang))),
    |error, lang| find::<GatewayError>(error).map(|error| of_gateway(error, gateway::hint(error, lang))),
    |error, lang| find::<SettingsError>(error).map(|error| of_settings(Some(settings::hint(error, lang)))),
    |error, _| find::<NotChosen>(error).map(|_| of_settings(None)),
    |error, lang| find::<IdError>(error).map(|error| of_id(error, lang)),
    // About a copy that cannot be put back, the message says all.
    |error, _| find::<RestoreError>(error).filter(|error| is_damaged_copy(error)).map(|_| of_damage(None)),
    |error, lang| match find::<DiskError>(error)? {
        DiskError::Store(StoreError::Corrupt(_)) => Some(of_damage(Some(lang))),
        _ => None,
    },
    |error, lang| match find::<StoreError>(error)? {
        StoreError::Corrupt(_) => Some(of_damage(Some(lang))),
        _ => None,
    },
    |error, lang| find::<InstanceError>(error).map(|error| of_instance(error, lang)),
    |error, lang| find::<DirError>(error).map(|error| of_state(error, lang)),
    // The message names the file.
    |error, lang| find::<io::Error>(error).filter(|error| is_refused(error)).map(|_| of_permission(lang)),
];

fn of_gateway(error: &GatewayError, next: Option<&str>) -> Meaning {
    let exit = if error.is_not_running() { exit::NO_GATEWAY } else { exit::FAILED };
    Meaning { code: gateway::kind(error), exit, next: next.map(str::to_owned) }
}

fn of_settings(next: Option<&str>) -> Meaning {
    Meaning { code: "settings", exit: exit::SETTINGS, next: next.map(str::to_owned) }
}

fn of_id(error: &IdError, lang: Lang) -> Meaning {
    Meaning { code: error.kind(), exit: error.code(), next: Some(error.hint(lang)) }
}

/// The gateway's database, or a copy of it, is damaged. The hint is given in a language, or left out.
fn of_damage(hint: Option<Lang>) -> Meaning {
    let hint = hint.map(|lang| {
        say(
            lang,
            "`dmplz store check`가 자세히 알려 줍니다. 백업이 있으면 `dmplz store restore`로 되돌려 주세요.",
            "dmplz store check tells more; put a backup back with dmplz store restore",
        )
    });
    Meaning { code: "damaged", exit: exit::UNWELL, next: hint.map(str::to_owned) }
}

fn is_damaged_copy(error: &RestoreError) -> bool {
    let is_corrupt = matches!(error, RestoreError::Store(StoreError::Corrupt(_)));
    is_corrupt || matches!(error, RestoreError::Damaged(_) | RestoreError::Untrue { .. })
}

fn of_instance(error: &InstanceError, lang: Lang) -> Meaning {
    let (code, next) = match error {
        InstanceError::Io { .. } => (
            "failed",
            say(
                lang,
                "그 파일의 권한과 디스크에 남은 공간을 확인해 주세요.",
                "check its permissions, and that the disk is not full",
            ),
        ),
        InstanceError::Running(_) | InstanceError::Starting => (
            "gateway_runs",
            say(
                lang,
                "이미 실행 중인 게이트웨이를 쓰거나, 먼저 끝내 주세요. `dmplz doctor`가 상태를 보여 줍니다.",
                "use the one that runs, or end it first; dmplz doctor tells how it is",
            ),
        ),
    };
    Meaning { code, exit: exit::FAILED, next: Some(next.to_owned()) }
}

fn of_state(error: &DirError, lang: Lang) -> Meaning {
    let next = match error {
        // The message says what to run.
        DirError::Writable { .. } => None,
        _ => Some(say(
            lang,
            "그 디렉터리의 소유자와 권한을 고치거나, 환경 변수 DMPLZ_STATE_DIR로 다른 디렉터리를 지정해 주세요.",
            "correct its owner and mode, or name another directory in DMPLZ_STATE_DIR",
        )),
    };
    Meaning { code: "failed", exit: exit::FAILED, next: next.map(str::to_owned) }
}

fn is_refused(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

fn of_permission(lang: Lang) -> Meaning {
    let next = say(
        lang,
        "그 파일과 폴더의 소유자와 권한을 확인해 주세요.",
        "check the owner and the permissions of that file and of its folder",
    );
    Meaning { code: "failed", exit: exit::FAILED, next: Some(next.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(error: impl Into<anyhow::Error>) -> (&'static str, u8, bool) {
        let failed = Failed::of(&error.into(), Lang::Ko);
        (failed.code, failed.exit, failed.next.is_some())
    }

    #[test]
    fn each_type_of_error_has_a_name_an_exit_code_and_what_is_known_to_do() {
        assert_eq!(meaning(GatewayError::NotRunning("/s".into())), ("no_gateway", exit::NO_GATEWAY, true));
        assert_eq!(meaning(GatewayError::Lost), ("gateway_lost", exit::FAILED, true));
        assert_eq!(meaning(SettingsError::NoHome), ("settings", exit::SETTINGS, true));
        assert_eq!(meaning(NotChosen::Several(vec!["a", "b"])), ("settings", exit::SETTINGS, false));
        assert_eq!(meaning(InstanceError::Starting), ("gateway_runs", exit::FAILED, true));
        assert_eq!(meaning(RestoreError::Damaged("x".to_owned())), ("damaged", exit::UNWELL, false));
        assert_eq!(meaning(RestoreError::Missing), ("failed", exit::FAILED, false));
        assert_eq!(meaning(DiskError::Gone), ("failed", exit::FAILED, false));
        assert_eq!(meaning(anyhow::anyhow!("anything else")), ("failed", exit::FAILED, false));
        let refused = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(meaning(DirError::Io { path: "/s".into(), source: refused }), ("failed", exit::FAILED, true));
        assert_eq!(meaning(DirError::Writable { path: "/s".into(), mode: 0o777 }), ("failed", exit::FAILED, false));
        for (kind, is_told) in [(io::ErrorKind::ReadOnlyFilesystem, true), (io::ErrorKind::NotFound, false)] {
            let written = anyhow::Error::from(io::Error::from(kind)).context("/f cannot be written");
            assert_eq!(meaning(written), ("failed", exit::FAILED, is_told), "{kind}");
        }
        let below = anyhow::Error::from(SettingsError::NoHome).context("it cannot be read");
        assert_eq!(meaning(below), ("settings", exit::SETTINGS, true));
    }
}
