//! Checks that every `DMPLZ_*` variable is a setting: a mistyped one has no effect, and no other command says so.

use dmplz_core::text::fill;
use dmplz_runner::keeper::MARK;

use super::finding::{Finding, Say};
use crate::environment::variables;
use crate::settings::{Settings, Table, environment, third_party};

/// The variables that are no settings: of a session, of completions in a shell, and of the installer.
const OTHERS: [&str; 3] = [MARK, "DMPLZ_COMPLETE", "DMPLZ_DOWNLOAD"];
/// The beginning of the variables of channels, which people name.
const CHANNELS: &str = "DMPLZ_NOTIFY_";

/// Returns a finding for each variable without a meaning.
pub(super) fn check(table: &Table, settings: &Settings, say: Say) -> Vec<Finding> {
    // The settings of a provider that is given by its path are not known here.
    let is_by_path = |name| table.entry(name).is_some_and(|entry| entry.value.contains(".wasm"));
    if ["DMPLZ_PROVIDER", "DMPLZ_GATEWAY_PROVIDERS"].into_iter().any(is_by_path) {
        return Vec::new();
    }
    let Ok(installed) = third_party::installed(&settings.state_dir) else { return Vec::new() };
    let mut table = table.clone();
    installed.into_iter().for_each(|messenger| table.learn(messenger, &environment));
    let is_known = |name: &str| table.spec(name).is_some() || OTHERS.contains(&name) || name.starts_with(CHANNELS);
    let unknown = variables().into_keys().filter(|name| name.starts_with("DMPLZ_") && !is_known(name));
    unknown.map(|name| finding(&name, table.nearest(&name), say)).collect()
}

fn finding(name: &str, nearest: Option<&str>, say: Say) -> Finding {
    let what = say.of(
        "환경 변수 {}: 그런 설정이 없어 아무 효과가 없습니다",
        "the variable {} has no effect: there is no setting of this name",
    );
    let fix = match nearest {
        Some(nearest) => fill(say.of("혹시 이것인가요? {}", "did you mean {}?"), &[nearest]),
        None => say.of("`dmplz config`가 모든 설정을 보여 줍니다", "`dmplz config` shows every setting").to_owned(),
    };
    Finding::doubtful("settings", fill(what, &[name]), fix)
}
