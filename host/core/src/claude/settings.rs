//! Where the client keeps its settings.

use std::path::{Path, PathBuf};

use super::Scope;

/// Returns the folder of the settings for all projects of a user: `CLAUDE_CONFIG_DIR`, else `.claude` in `HOME`. `None` if neither is
/// set. `variable` reads the client's environment.
pub fn config_dir(variable: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("CLAUDE_CONFIG_DIR").or_else(|| set("HOME").map(|home| home.join(".claude")))
}

/// One of the settings files that the client reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingsFile {
    /// For every session of the user.
    #[default]
    User,
    /// For every session in a project, of all users who share it.
    Project,
    /// For every session of the user in a project.
    Local,
}

crate::named!(SettingsFile { User = "user", Project = "project", Local = "local" });

impl SettingsFile {
    /// Returns whether the file comes with a project, so that its hooks need a person's trust.
    pub fn needs_trust(self) -> bool {
        self != Self::User
    }

    /// Returns the path of the file. `config_dir` is that of [`config_dir`].
    pub fn path(self, project: &Path, config_dir: &Path) -> PathBuf {
        match self {
            Self::User => config_dir.join("settings.json"),
            Self::Project => project.join(".claude/settings.json"),
            Self::Local => project.join(".claude/settings.local.json"),
        }
    }
}

impl Scope {
    /// Returns the file that holds what is stored for this scope; `None` for the session.
    pub fn settings_file(self) -> Option<SettingsFile> {
        match self {
            Self::Local => Some(SettingsFile::Local),
            Self::Project => Some(SettingsFile::Project),
            Self::User => Some(SettingsFile::User),
            Self::Session => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_folder_is_where_the_client_looks() {
        let of = |set: &[(&str, &str)]| {
            config_dir(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
        };
        let home = ("HOME", "/home/jin");
        assert_eq!(of(&[home]).unwrap(), Path::new("/home/jin/.claude"));
        assert_eq!(of(&[home, ("CLAUDE_CONFIG_DIR", "")]).unwrap(), Path::new("/home/jin/.claude"));
        assert_eq!(of(&[home, ("CLAUDE_CONFIG_DIR", "/work/claude")]).unwrap(), Path::new("/work/claude"));
        assert_eq!(of(&[]), None);
    }
}
