//! Finds the program under test.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// Returns the named program, otherwise the one that Cargo built beside this one.
///
/// # Errors
/// If it does not exist.
pub fn find(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    let beside = || Ok::<_, anyhow::Error>(std::env::current_exe()?.with_file_name("dmplz"));
    let path = named.map_or_else(beside, |path| Ok(path.to_owned()))?;
    path.canonicalize().with_context(|| format!("find {} (cargo build --locked --bin dmplz)", path.display()))
}
