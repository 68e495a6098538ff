//! Checks whether notices can reach their channels. There is no finding without a channel.

use dmplz_core::text::fill;
use dmplz_state::{Instance, Spool, StateDir};

use super::finding::{Finding, Say};
use crate::notify::settings::NotifySettings;
use crate::notify::{self, failing};
use crate::settings::{Settings, environment};
use crate::time;

/// Looks at the settings, the spool, and the last attempts of each channel.
pub(super) fn check(settings: &Settings, say: Say) -> Vec<Finding> {
    let channels = match NotifySettings::load(&settings.state_dir, &environment) {
        Ok(notify) => notify.channels,
        Err(error) => {
            let fix = say.of("config.toml의 [notify]를 고쳐 주세요", "correct [notify] in config.toml");
            return vec![Finding::bad("notices", say.error(&error.into()), fix)];
        }
    };
    if channels.is_empty() {
        return Vec::new();
    }
    let Ok(Some(state)) = StateDir::find(&settings.state_dir) else { return Vec::new() };
    let mut found = Vec::new();
    let retry = say.of(
        "고친 다음 `dmplz notify test CHANNEL`로 확인하고, `dmplz notify retry --all`로 다시 보내 주세요",
        "correct it, see whether `dmplz notify test CHANNEL` gets through, then `dmplz notify retry --all`",
    );
    match failing(&state, |name| channels.contains_key(name)) {
        Ok(all) => {
            let line = |failing| notify::line(failing, say.lang, time::now_ms());
            found.extend(all.iter().map(|failing| Finding::bad("notices", line(failing), retry)));
        }
        Err(error) => found.push(Finding::doubtful("notices", say.error(&error), retry)),
    }
    if matches!(Instance::running(&state), Ok(None)) {
        let spooled = Spool::new(&state).len().unwrap_or_default().to_string();
        let what = say.of(
            "게이트웨이가 없어 알림을 보내지 않습니다 (기다리는 이벤트 {})",
            "nothing is sent, because no gateway runs ({} events wait)",
        );
        let fix = say.of("`dmplz serve`를 시작해 주세요", "start dmplz serve");
        found.push(Finding::doubtful("notices", fill(what, &[&spooled]), fix));
    }
    if found.is_empty() {
        let names: Vec<&str> = channels.keys().map(String::as_str).collect();
        found.push(Finding::good("notices", names.join(", ")));
    }
    found
}
