//! The two service managers, as far as they differ.

use std::path::{Path, PathBuf};

use super::mark::Comment;
use super::refusal::Refusal;
use super::steps::{Active, Change, Step};
use super::{launchd, systemd};
use crate::settings::{SettingsError, environment, home_dir};

/// A service manager of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Supervisor {
    Systemd,
    Launchd,
}

impl Supervisor {
    pub(super) fn of_this_system() -> Self {
        if cfg!(target_os = "macos") { Self::Launchd } else { Self::Systemd }
    }

    /// Returns the place of the user's unit.
    pub(super) fn path(self) -> anyhow::Result<PathBuf> {
        let home = home_dir(&environment)?.ok_or(SettingsError::Homeless)?;
        // The manager has no variables of a shell, so it looks nowhere but in the usual place.
        Ok(home.join(match self {
            Self::Systemd => systemd::FILE,
            Self::Launchd => launchd::FILE,
        }))
    }

    /// Returns the text of the unit without its mark.
    pub(super) fn text(self, program: &str, carried: &[(&str, String)]) -> Result<String, Refusal> {
        match self {
            Self::Systemd => systemd::text(program, carried),
            Self::Launchd => Ok(launchd::text(program, carried)),
        }
    }

    pub(super) fn comment(self) -> Comment {
        match self {
            Self::Systemd => ("# ", ""),
            Self::Launchd => ("<!-- ", " -->"),
        }
    }

    /// Checks that the manager is there and listens to this user. `program` is for the words about what to do otherwise.
    pub(super) fn reach(self, program: &str) -> Result<(), Refusal> {
        match self {
            Self::Systemd => systemd::reach(program),
            Self::Launchd => launchd::reach(program),
        }
    }

    /// Asks how the service is.
    pub(super) fn look(self) -> anyhow::Result<Active> {
        match self {
            Self::Systemd => systemd::look(),
            Self::Launchd => launchd::look(),
        }
    }

    /// Returns the commands that start the service after this change. `loaded`: the manager knows an earlier one.
    pub(super) fn to_start(self, file: &Path, change: Change, loaded: bool) -> Vec<Step> {
        match self {
            Self::Systemd => systemd::to_start(change),
            Self::Launchd => launchd::to_start(file, change, loaded),
        }
    }

    /// Returns the commands that stop the service for good.
    pub(super) fn to_stop(self, loaded: bool) -> Vec<Step> {
        match self {
            Self::Systemd => vec![Step::new(&["systemctl", "--user", "disable", "--now", systemd::UNIT])],
            Self::Launchd => launchd::to_stop(loaded),
        }
    }

    /// Returns the commands after the file was removed or put back.
    pub(super) fn after_removal(self) -> Vec<Step> {
        match self {
            Self::Systemd => vec![Step::new(&["systemctl", "--user", "daemon-reload"])],
            Self::Launchd => Vec::new(),
        }
    }
}
