//! Checks the formatting of modules that `cargo fmt` does not find: modules of the tests' crates whose files are in the
//! messengers' folders.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use dmplz_guest_build::MESSENGERS;

use crate::Finding;

/// The root files of these modules in a messenger's folder. rustfmt finds their submodules.
const ROOTS: [&str; 4] = ["fake/lib.rs", "fake/tests/lib.rs", "driver/platform.rs", "driver/chat.rs"];

/// Returns the files that rustfmt would change.
pub(super) fn check(root: &Path) -> anyhow::Result<Vec<Finding>> {
    let folders = MESSENGERS.iter().map(|messenger| root.join("providers").join(messenger));
    let roots = folders.flat_map(|folder| ROOTS.map(|file| folder.join(file)));
    let roots: Vec<PathBuf> = roots.filter(|file| file.is_file()).collect();
    if roots.is_empty() {
        return Ok(Vec::new());
    }
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.current_dir(root).args(["--check", "--files-with-diff", "--edition", "2024"]).args(&roots);
    let told = rustfmt.output().context("start rustfmt")?;
    let listed = String::from_utf8_lossy(&told.stdout);
    let mut findings: Vec<_> = listed.lines().map(|file| unformatted(root, Path::new(file))).collect();
    if findings.is_empty() && !told.status.success() {
        anyhow::bail!("run rustfmt: {}", String::from_utf8_lossy(&told.stderr));
    }
    findings.dedup();
    Ok(findings)
}

fn unformatted(root: &Path, file: &Path) -> Finding {
    let file = file.strip_prefix(root).unwrap_or(file);
    Finding::new(file, None, "format it: rustfmt --edition 2024 providers/*/{fake,driver}/*.rs")
}
