//! Checks that nobody else can read the secrets in `config.toml`, and that the certificates that it names are there.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::finding::{Finding, Say};
use crate::plain_file;
use crate::settings::{NOTIFY, Settings};

/// Returns whether a channel of notices has its URL or secret in the file.
fn holds_a_webhook(keys: &toml::Table) -> bool {
    let channels = keys.get(NOTIFY).and_then(|notify| notify.get("channels")).and_then(toml::Value::as_table);
    let secret = |channel: &toml::Value| channel.get("url").or(channel.get("secret")).is_some();
    channels.is_some_and(|channels| channels.values().any(secret))
}

/// Checks that other users cannot read a settings file with a secret. Returns `None` if there is nothing to report.
pub(super) fn check(file: &Path, say: Say) -> Option<Finding> {
    let mode = std::fs::metadata(file).ok()?.mode() & 0o777;
    let text = plain_file::text(file).ok()?;
    let keys: toml::Table = text.parse().ok()?;
    let holds_a_token = keys.keys().any(|key| key.to_lowercase().ends_with("_token")) || holds_a_webhook(&keys);
    (holds_a_token && mode & 0o077 != 0).then(|| {
        let what =
            say.of("토큰이 든 파일을 다른 사용자가 읽을 수 있습니다", "others may read this file, which holds a token");
        Finding::doubtful(
            "settings",
            format!("{what}: {} ({mode:03o})", file.display()),
            format!("chmod 600 {}", file.display()),
        )
    })
}

/// Checks that the certificates of `DMPLZ_CA_FILE` can be read. Returns `None` if they can.
pub(super) fn certificates(settings: &Settings, say: Say) -> Option<Finding> {
    let error = settings.certificates().err()?;
    let fix = say.of("인증서(PEM)의 경로를 고쳐 주세요", "correct the path of the certificates (PEM)");
    Some(Finding::bad("settings", say.error(&error.into()), fix))
}
