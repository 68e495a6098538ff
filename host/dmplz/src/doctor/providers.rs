//! Checks the providers of third parties that are installed: their list can be read, and their files are what was installed.

use dmplz_core::text::fill;
use dmplz_state::ProvidersError;

use super::finding::{Finding, Say};
use crate::provider::{Found, State, verified};
use crate::settings::Settings;

/// Returns nothing if none is installed.
pub(super) fn check(settings: &Settings, say: Say) -> Vec<Finding> {
    let installed = match verified(&settings.state_dir, false) {
        Ok(installed) if installed.is_empty() => return Vec::new(),
        Ok(installed) => installed,
        Err(error) => {
            let fix = match error.downcast_ref::<ProvidersError>() {
                Some(ProvidersError::Foreign(file)) => fill(
                    say.of(
                        "직접 만든 파일이면 `chmod 600 {}` 명령을 실행하고, 아니면 지우고 프로바이더를 다시 설치해 주세요",
                        "chmod 600 {} if you wrote it; otherwise remove it, and add the providers again",
                    ),
                    &[&file.display().to_string()],
                ),
                _ => say
                    .of(
                        "메시지에 나온 파일을 고치거나 지워 주세요",
                        "correct or remove the file that the message names",
                    )
                    .to_owned(),
            };
            return vec![Finding::bad("providers", say.error(&error), fix)];
        }
    };
    if installed.iter().all(|found| found.state == State::Ok) {
        let what = say.of("설치한 그대로입니다: {}개", "installed, and as they were installed: {}");
        return vec![Finding::good("providers", fill(what, &[&installed.len().to_string()]))];
    }
    installed.iter().filter(|found| found.state != State::Ok).map(|found| finding(found, say)).collect()
}

fn finding(found: &Found, say: Say) -> Finding {
    let (_, _, words) = found.state.told(say.lang);
    let what = format!("{}: {words}", found.name);
    if found.state != State::NotCompiled {
        let fix = say.of(
            "`dmplz provider remove {}` 명령으로 지우고 `dmplz provider add`로 다시 설치해 주세요",
            "remove it (dmplz provider remove {}), and add it again (dmplz provider add)",
        );
        Finding::bad("providers", what, fill(fix, &[&found.name]))
    } else {
        Finding::doubtful("providers", what, "dmplz provider verify --compile")
    }
}
