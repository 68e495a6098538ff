//! Checks whether questions can be asked ahead (`DMPLZ_QUESTIONS_AHEAD=on`). This needs a PreToolUse hook, which
//! neither `install` nor the plugin registers. Without one, questions are asked only in the terminal, because
//! PermissionRequest skips them.

use std::time::Duration;

use dmplz_core::text::fill;

use super::super::finding::{Finding, Say};
use super::CLIENT_DEFAULT;
use crate::hook::QUESTIONS;
use crate::install::Installed;

/// Checks the hooks of all files together. `None` if there is no problem, or if another finding reports it.
pub(in super::super) fn judge(all: &[Installed], limit: Duration, say: Say) -> Option<Finding> {
    let hooks = || all.iter().filter_map(|installed| installed.hooks.as_ref().ok());
    if !hooks().any(|hooks| hooks.plugin || hooks.program.is_some() || !hooks.before.is_empty()) {
        return None;
    }
    let before = hooks().flat_map(|hooks| &hooks.before).filter(|before| before.only.as_deref().is_none_or(may_match));
    // The client runs each of them, and each one asks.
    let shortest = before.map(|before| before.timeout.map_or(CLIENT_DEFAULT, Duration::from_secs)).min();
    let seconds = limit.as_secs().to_string();
    match shortest {
        None => {
            let what = say.of(
                "DMPLZ_QUESTIONS_AHEAD가 켜져 있는데 질문보다 먼저 실행되는 훅(PreToolUse)이 없습니다. 터미널에서만 묻습니다",
                "DMPLZ_QUESTIONS_AHEAD is on, and no hook runs before a question (PreToolUse): nobody is asked but the terminal",
            );
            let fix = say.of(
                "`dmplz hook`을 PreToolUse에 등록하거나(matcher AskUserQuestion, timeout {}) 설정을 꺼 주세요",
                "register `dmplz hook` for PreToolUse with the matcher AskUserQuestion and a timeout of {}, or turn the setting off",
            );
            Some(Finding::bad("hooks", what, fill(fix, &[&seconds])))
        }
        Some(shortest) if shortest < limit => {
            let what = say.of(
                "Claude Code가 질문보다 먼저 실행되는 훅(PreToolUse)을 {}초 뒤에 멈춰서, 그 뒤에는 터미널에서만 묻습니다",
                "Claude Code stops the hook before a question (PreToolUse) after {} s, so questions are left to the terminal by then",
            );
            let fix = say.of(
                "설정 파일에서 그 timeout을 이 값으로 바꿔 주세요: {}",
                "give it a timeout of {} in the settings file",
            );
            let what = fill(what, &[&shortest.as_secs().to_string()]);
            Some(Finding::bad("hooks", what, fill(fix, &[&seconds])))
        }
        Some(_) => None,
    }
}

/// Returns whether a matcher may match questions: names separated by `|`, or a pattern, which is assumed to match.
fn may_match(matcher: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'|' | b' ');
    !matcher.bytes().all(is_name) || matcher.split('|').any(|name| name.trim() == QUESTIONS)
}
