//! Builds examples as release builds, and an empty program with the profile of releases.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

/// The profile of released binaries. It inherits from `release`.
const PROFILE: &str = "dist";

/// Returns the command that runs a crate's benchmark as a release build. The `dist` profile would take minutes to link
/// each of them.
pub(super) fn example(root: &Path, name: &str) -> Command {
    let mut cargo = cargo(root);
    cargo.args(["run", "--quiet", "--release", "--locked", "--example", name]);
    cargo
}

/// Builds a program that does nothing, with the same compiler, profile and Cargo configuration. Returns its path.
pub(super) fn empty(root: &Path, scratch: &Path) -> anyhow::Result<PathBuf> {
    let workspace: toml::Table = std::fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let of = |name: &str| {
        let profile = workspace.get("profile").and_then(|profiles| profiles.get(name)).context("find the profile")?;
        anyhow::Ok((name.to_owned(), profile.clone()))
    };
    let package = scratch.join("empty");
    std::fs::create_dir_all(package.join("src"))?;
    std::fs::write(package.join("src/main.rs"), "fn main() {}\n")?;
    let head = "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n";
    let profiles = toml::Table::from_iter([of("release")?, of(PROFILE)?]);
    let profiles = toml::Table::from_iter([("profile".to_owned(), profiles.into())]);
    std::fs::write(package.join("Cargo.toml"), format!("{head}{profiles}"))?;
    let mut cargo = cargo(root);
    cargo
        .args(["build", "--quiet", "--profile", PROFILE, "--offline", "--manifest-path"])
        .arg(package.join("Cargo.toml"));
    cargo.arg("--target-dir").arg(package.join("target"));
    anyhow::ensure!(cargo.status().context("start cargo")?.success(), "build the empty program");
    Ok(package.join("target").join(PROFILE).join("empty"))
}

/// Returns Cargo, to run in the root, so that the workspace's Cargo configuration applies.
fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    dmplz_guest_build::scrub(&mut cargo);
    cargo
}
