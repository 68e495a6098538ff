//! What to do about settings that cannot be read.

use std::io::ErrorKind;

use dmplz_core::text::Lang;

use super::SettingsError;
use crate::terminal::say;

/// Returns the next step for an error of the settings.
pub(crate) fn hint(error: &SettingsError, lang: Lang) -> &'static str {
    match error {
        SettingsError::NoHome => {
            say(lang, "DMPLZ_STATE_DIR에 절대 경로를 넣어 주세요.", "set DMPLZ_STATE_DIR to an absolute path")
        }
        SettingsError::Homeless | SettingsError::NoClient => {
            say(lang, "HOME에 절대 경로를 넣어 주세요.", "set HOME to an absolute path")
        }
        SettingsError::NoChat(_) | SettingsError::NoIndex => {
            say(lang, "환경 변수나 config.toml에 넣어 주세요.", "put it into the environment or into config.toml")
        }
        SettingsError::File { source, .. } if source.kind() == ErrorKind::PermissionDenied => {
            say(lang, "그 파일의 권한을 확인해 주세요.", "check the permissions of that file")
        }
        SettingsError::Toml { .. } | SettingsError::Unknown { .. } | SettingsError::Notify { .. } => {
            say(lang, "그 파일을 고쳐 주세요.", "correct that file")
        }
        SettingsError::File { .. } => {
            say(lang, "그 파일을 고치거나 다른 곳으로 옮겨 주세요.", "correct that file, or move it elsewhere")
        }
        SettingsError::StateDir { .. } => say(
            lang,
            "그 줄을 지워 주세요. 다른 디렉터리를 쓰려면 Claude Code와 `dmplz serve`의 환경 변수 DMPLZ_STATE_DIR에 넣어 주세요.",
            "remove that line; to use another directory, set DMPLZ_STATE_DIR in the environment of Claude Code and of `dmplz serve`",
        ),
        // Neither of them is read from the file.
        SettingsError::Bad { name, .. } | SettingsError::NotUtf8 { name }
            if name == "HOME" || name == "DMPLZ_STATE_DIR" =>
        {
            say(lang, "환경 변수를 고쳐 주세요.", "correct it in the environment")
        }
        SettingsError::Certificates { .. } => say(
            lang,
            "DMPLZ_CA_FILE에 인증서(PEM)가 든 파일의 경로를 넣거나, 필요 없으면 지워 주세요.",
            "set DMPLZ_CA_FILE to the path of a file of certificates (PEM), or unset it",
        ),
        _ => say(lang, "환경 변수나 config.toml에서 고쳐 주세요.", "correct it in the environment or in config.toml"),
    }
}
