//! Checks that the state directory can be used.

use std::io::Write;
use std::path::Path;

use dmplz_core::text::fill;
use dmplz_state::StateDir;

use super::finding::{Finding, Say};
use crate::settings::Settings;
use crate::temporary::without_name;

/// The space that a few weeks of logs need, in bytes.
const ENOUGH: u64 = 64 << 20;

/// Creates the directory if it is missing, as the first request would.
pub(super) fn check(settings: &Settings, say: Say) -> Vec<Finding> {
    let dir = match StateDir::open(&settings.state_dir) {
        Ok(dir) => dir,
        Err(error) => {
            let fix = say.of(
                "소유자와 권한을 고치거나 DMPLZ_STATE_DIR로 다른 디렉터리를 지정해 주세요",
                "correct its owner and mode, or name another directory in DMPLZ_STATE_DIR",
            );
            return vec![Finding::bad("state", say.error(&error.into()), fix)];
        }
    };
    let log = settings.log.path.parent().filter(|parent| *parent != dir.path() && parent.exists());
    let mut found = vec![writable(dir.path(), say)];
    found.extend(log.map(|log| writable(log, say)));
    found.extend(room(dir.path(), say));
    found
}

/// What is written to see whether there is room: an empty file takes none.
const PROBE: [u8; 4096] = [0; 4096];

fn writable(dir: &Path, say: Say) -> Finding {
    match tempfile::NamedTempFile::new_in(dir).and_then(|mut file| file.write_all(&PROBE)).map_err(without_name) {
        Ok(()) => {
            Finding::good("state", format!("{}: {}", say.of("쓸 수 있습니다", "can be written to"), dir.display()))
        }
        Err(error) => {
            let fix =
                say.of("권한과 남은 공간을 확인해 주세요", "check its permissions, and that the disk is not full");
            let what = fill(
                say.of("쓸 수 없습니다: {}: {}", "{} cannot be written to: {}"),
                &[&dir.display().to_string(), &error.to_string()],
            );
            Finding::bad("state", what, fix)
        }
    }
}

fn room(dir: &Path, say: Say) -> Option<Finding> {
    let disk = rustix::fs::statvfs(dir).ok()?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    (free < ENOUGH).then(|| {
        let what = say.of("디스크에 남은 공간이 적습니다", "the disk is almost full");
        Finding::doubtful("state", format!("{what}: {} MiB", free >> 20), say.of("공간을 비워 주세요", "make room"))
    })
}
