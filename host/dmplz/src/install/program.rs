//! Where this program is.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::settings::Environment;

/// The absolute path that the client shall start: the one on `PATH` where that is this program, since a package manager
/// keeps that one when it replaces what it points to.
pub(super) fn path(environment: Environment<'_>) -> anyhow::Result<String> {
    let this = std::env::current_exe().context("find this program's own path")?;
    let path = on_path(&this, &environment("PATH").unwrap_or_default()).unwrap_or(this);
    let text = path.to_str().with_context(|| format!("register {}: its path is not UTF-8", path.display()))?;
    // The client fills `${...}` in, and an uninstall looks for the name.
    ensure!(!text.contains("${"), "register {text}: Claude Code would read its ${{...}} as a variable");
    ensure!(path.file_stem().is_some_and(|name| name == "dmplz"), "register {text}: it is not named dmplz");
    Ok(text.to_owned())
}

fn on_path(this: &Path, path: &str) -> Option<PathBuf> {
    let same = |candidate: &PathBuf| candidate.is_absolute() && candidate.canonicalize().is_ok_and(|real| real == this);
    std::env::split_paths(path).map(|folder| folder.join("dmplz")).find(same)
}
