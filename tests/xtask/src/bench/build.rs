//! Builds the release binary, and an empty program exactly like it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

/// The binary, with the features that the README's command gives it.
pub(super) fn dmplz(root: &Path) -> anyhow::Result<PathBuf> {
    let mut cargo = cargo(root);
    cargo.args(["build", "--quiet", "--release", "--locked", "--bin", "dmplz"]);
    anyhow::ensure!(cargo.status().context("start cargo")?.success(), "build dmplz");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/dmplz"))
}

/// A benchmark of one crate, built with the same features as the binary, so that they share what is compiled.
pub(super) fn example(root: &Path, name: &str) -> Command {
    let mut cargo = cargo(root);
    cargo.args(["run", "--quiet", "--release", "--locked", "--example", name]);
    cargo
}

/// A program that does nothing: the same compiler, release profile and Cargo configuration.
pub(super) fn empty(root: &Path, scratch: &Path) -> anyhow::Result<PathBuf> {
    let workspace: toml::Table = std::fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let profile = workspace.get("profile").and_then(|profile| profile.get("release")).context("find the profile")?;
    let package = scratch.join("empty");
    std::fs::create_dir_all(package.join("src"))?;
    std::fs::write(package.join("src/main.rs"), "fn main() {}\n")?;
    let head = "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n";
    let profile = toml::Table::from_iter([(
        "profile".to_owned(),
        toml::Table::from_iter([("release".to_owned(), profile.clone())]).into(),
    )]);
    std::fs::write(package.join("Cargo.toml"), format!("{head}{profile}"))?;
    let mut cargo = cargo(root);
    cargo.args(["build", "--quiet", "--release", "--offline", "--manifest-path"]).arg(package.join("Cargo.toml"));
    cargo.arg("--target-dir").arg(package.join("target"));
    anyhow::ensure!(cargo.status().context("start cargo")?.success(), "build the empty program");
    Ok(package.join("target/release/empty"))
}

/// In the root, so that the workspace's configuration counts.
fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    dmplz_guest_build::scrub(&mut cargo);
    cargo
}
