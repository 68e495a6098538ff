//! Checks the providers of third parties that are installed: their list can be read, and their files are what was installed.

use dmplz_core::text::fill;
use dmplz_state::ProvidersError;

use super::finding::{Finding, Say};
use crate::provider::{Doubt, doubts};
use crate::settings::Settings;

/// Returns nothing if none is installed.
pub(super) fn check(settings: &Settings, say: Say) -> Vec<Finding> {
    let (count, doubts) = match doubts(&settings.state_dir, say.lang) {
        Ok((0, _)) => return Vec::new(),
        Ok(found) => found,
        Err(error) => {
            let fix = match error.downcast_ref::<ProvidersError>() {
                Some(ProvidersError::Foreign(file)) => fill(
                    say.of(
                        "직접 만든 파일이면 `chmod 600 {}`를 실행하고, 아니면 지우고 프로바이더를 다시 설치해 주세요",
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
    if doubts.is_empty() {
        let what = say.of("설치한 그대로입니다: {}개", "installed, and as they were installed: {}");
        return vec![Finding::good("providers", fill(what, &[&count.to_string()]))];
    }
    doubts.iter().map(|doubt| finding(doubt, say)).collect()
}

fn finding(doubt: &Doubt, say: Say) -> Finding {
    let what = format!("{}: {}", doubt.name, doubt.words);
    if doubt.is_bad {
        let fix = say.of(
            "`dmplz provider remove {}`로 지우고 `dmplz provider add`로 다시 설치해 주세요",
            "remove it (dmplz provider remove {}), and add it again (dmplz provider add)",
        );
        Finding::bad("providers", what, fill(fix, &[&doubt.name]))
    } else {
        Finding::doubtful("providers", what, "dmplz provider verify --compile")
    }
}
