//! Checks the gateway's database. `None` if the gateway never stored anything.

use std::time::Duration;

use dmplz_core::text::fill;
use dmplz_state::StateDir;

use super::finding::{Finding, Say};
use crate::settings::Settings;
use crate::store;

/// The time limit of this check; `dmplz store check` reads the whole database.
const LIMIT: Duration = Duration::from_secs(5);

/// Checks the database.
pub(super) fn check(settings: &Settings, say: Say) -> Option<Finding> {
    let state = StateDir::find(&settings.state_dir).ok()??;
    let fix = say.of(
        "`dmplz store check`가 자세히 알려 줍니다. 성한 백업이 있으면 `dmplz store restore`로 되돌려 주세요",
        "dmplz store check tells more; put a sound backup back with dmplz store restore",
    );
    let checked = match store::open(&state) {
        Ok(reader) => store::look(&reader?, LIMIT).map_err(anyhow::Error::from),
        Err(error) => Err(error),
    };
    Some(match checked {
        Err(error) => Finding::bad("store", say.error(&error), fix),
        Ok(checked) if !checked.damage.is_empty() => {
            let what = say.of("데이터베이스가 손상되었습니다", "the database is damaged");
            Finding::bad("store", format!("{what}: {}", checked.damage.join("; ")), fix)
        }
        Ok(checked) if !checked.unreadable.is_empty() => {
            let count = checked.unreadable.len().to_string();
            let what =
                say.of("요청 {}개를 읽을 수 없어 건너뜁니다", "{} of the requests cannot be read and are passed over");
            Finding::doubtful("store", fill(what, &[&count]), fix)
        }
        Ok(checked) if !checked.is_complete => {
            say.good("store", "지금까지 본 데이터베이스는 성합니다", "the database is sound as far as it was looked at")
        }
        Ok(_) => say.good("store", "데이터베이스가 성합니다", "the database is sound"),
    })
}
