//! Creates policy files atomically, and never overwrites an existing one.

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dmplz_state::StateDir;

use crate::temporary::draft;
use crate::told::{Tell, Told};

/// The mode of files in the state directory, which only their owner can read. Those of a workspace are shared with it.
const OURS: u32 = 0o600;
const SHARED: u32 = 0o644;

/// Writes a file of the user's tier. A missing state directory is created.
pub(super) fn create_ours(state_dir: &Path, below: &str, text: &str) -> anyhow::Result<PathBuf> {
    let path = StateDir::open(state_dir)?.path().join(below);
    if let Some(folder) = path.parent().filter(|folder| *folder != state_dir) {
        fs::create_dir_all(folder).not_written(&path)?;
        fs::set_permissions(folder, Permissions::from_mode(0o700)).not_written(&path)?;
    }
    create(&path, text, OURS)?;
    Ok(path)
}

/// Writes a file of a workspace. A missing folder is created.
pub(super) fn create_shared(path: &Path, text: &str) -> anyhow::Result<()> {
    create(path, text, SHARED)
}

fn create(path: &Path, text: &str, mode: u32) -> anyhow::Result<()> {
    match draft(path, text, mode, Some(mode))?.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
            let shown = path.display().to_string();
            Told::err(
                "이미 있어서 그대로 두었습니다: {}",
                "{} cannot be written: there is one already, and it is left as it is",
                &[&shown],
            )
        }
        Err(error) => Err(error.error).not_written(path),
    }
}

/// Returns an unused name for a file of the user's `policy.d`: `imported-2026-11-22.toml`, then `...-2.toml`.
pub(super) fn unused(state_dir: &Path, kind: &str, day: &str) -> String {
    let name = |count: u32| match count {
        1 => format!("policy.d/{kind}-{day}.toml"),
        count => format!("policy.d/{kind}-{day}-{count}.toml"),
    };
    let free = (1..).map(name).find(|name| !state_dir.join(name).exists());
    free.unwrap_or_else(|| name(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_is_left_as_it_is() {
        let temp = tempfile::tempdir().unwrap();
        let state = temp.path().join("state");
        let path = create_ours(&state, "policy.d/x.toml", "first").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let error = create_ours(&state, "policy.d/x.toml", "second").unwrap_err().to_string();
        assert!(error.ends_with("there is one already, and it is left as it is"), "{error}");
        assert_eq!(fs::read_to_string(path).unwrap(), "first");
        assert_eq!(fs::read_dir(state.join("policy.d")).unwrap().count(), 1, "no half file stays");
    }

    #[test]
    fn every_new_file_of_a_day_has_a_name_of_its_own() {
        let temp = tempfile::tempdir().unwrap();
        for expected in ["policy.d/imported-2026-11-22.toml", "policy.d/imported-2026-11-22-2.toml"] {
            let name = unused(temp.path(), "imported", "2026-11-22");
            assert_eq!(name, expected);
            create_shared(&temp.path().join(name), "").unwrap();
        }
    }
}
