//! The scopes of settings files.

use std::path::PathBuf;

use anyhow::Context;

use crate::settings::Environment;

/// One of the settings files that Claude Code reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Scope {
    /// Every session of this user.
    #[default]
    User,
    /// Every session in this folder, for all users who share it.
    Project,
    /// Every session in this folder, of this user.
    Local,
}

impl Scope {
    /// The list of all scopes.
    pub(crate) const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// Returns the path of the file. Claude Code looks for its folder in `CLAUDE_CONFIG_DIR` first.
    pub(crate) fn path(self, environment: Environment<'_>) -> anyhow::Result<PathBuf> {
        let set = |name: &str| environment(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = || std::env::current_dir().context("the current directory cannot be found");
        Ok(match self {
            Self::User => set("CLAUDE_CONFIG_DIR")
                .or_else(|| set("HOME").map(|home| home.join(".claude")))
                .context("Claude Code's settings cannot be found: neither CLAUDE_CONFIG_DIR nor HOME is set")?
                .join("settings.json"),
            Self::Project => folder()?.join(".claude/settings.json"),
            Self::Local => folder()?.join(".claude/settings.local.json"),
        })
    }
}
