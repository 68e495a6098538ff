//! Where the settings files are that `install` changes.

use std::path::{Path, PathBuf};

use anyhow::Context;
use dmplz_core::claude::{SettingsFile, config_dir};

use crate::settings::Environment;

/// Returns the path of a settings file of this user, or of the current directory.
pub(crate) fn settings_path(file: SettingsFile, environment: Environment<'_>) -> anyhow::Result<PathBuf> {
    if file == SettingsFile::User {
        let missing = "Claude Code's settings cannot be found: neither CLAUDE_CONFIG_DIR nor HOME is set";
        return Ok(file.path(Path::new(""), &config_dir(environment).context(missing)?));
    }
    let project = std::env::current_dir().context("the current directory cannot be found")?;
    Ok(file.path(&project, Path::new("")))
}
