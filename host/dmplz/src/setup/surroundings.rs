//! What there is on this machine before anything is set up.

use std::path::{Path, PathBuf};

use dmplz_core::claude::config_dir;

use crate::settings::environment;

/// Agents that `dmplz` may meet, by the programs that start them.
const OTHERS: [&str; 6] = ["codex", "gemini", "opencode", "copilot", "cursor-agent", "amp"];

/// What `dmplz` itself writes into Claude Code's folder.
const OURS: [&str; 3] = ["dm-plz", "settings.json", "settings.json.dmplz-backup"];

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Surroundings {
    /// Claude Code's program.
    pub(super) claude: Option<PathBuf>,
    /// Whether its folder holds what only it writes, as after its first start.
    pub(super) was_used: bool,
    /// Other agents.
    pub(super) others: Vec<&'static str>,
}

impl Surroundings {
    pub(super) fn find() -> Self {
        let path = environment("PATH").unwrap_or_default();
        let on_path = |name: &str| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|at| at.is_file());
        let home = environment("HOME").map(PathBuf::from);
        // Its installer puts it where not every shell looks.
        let at_home =
            home.iter().flat_map(|home| [".local/bin/claude", ".claude/local/claude"].map(|at| home.join(at)));
        let claude = on_path("claude").or_else(|| at_home.into_iter().find(|at| at.is_file()));
        let was_used = config_dir(environment).is_some_and(|folder| is_claudes(&folder));
        Self { claude, was_used, others: OTHERS.into_iter().filter(|name| on_path(name).is_some()).collect() }
    }
}

/// Our own state directory, and the settings in which an earlier setup registered the hooks, may be all that is in it.
fn is_claudes(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.filter_map(Result::ok).any(|entry| OURS.iter().all(|ours| entry.file_name() != *ours))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_nothing_but_what_setup_wrote_is_not_claudes() {
        let temp = tempfile::tempdir().unwrap();
        assert!(!is_claudes(&temp.path().join("missing")));
        for name in OURS {
            std::fs::write(temp.path().join(name), "").unwrap();
            assert!(!is_claudes(temp.path()), "{name}");
        }
        std::fs::create_dir(temp.path().join("projects")).unwrap();
        assert!(is_claudes(temp.path()));
    }
}
