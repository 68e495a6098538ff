//! Makes sure that rustc can compile for a target.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{GuestError, scrub};

/// The target of components.
pub const TARGET: &str = "wasm32-wasip2";

/// Adds the target with rustup if it is not installed, and returns the directory of its standard library. `rust-toolchain.toml` is not
/// enough if `RUSTUP_AUTO_INSTALL` is 0. Build scripts run concurrently, but rustup cannot. A lock in their shared `directory` lets one
/// of them add the target while the others wait, so that none sees a partial installation. `cargo xtask dist` calls it too.
///
/// # Errors
/// Returns an error if rustc cannot be started, or rustup cannot add the target.
pub fn ensure_target(target: &str, directory: &Path) -> Result<PathBuf, GuestError> {
    let lock = || {
        fs::create_dir_all(directory)?;
        let file = File::create(directory.join(".target-lock"))?;
        file.lock().map(|()| file)
    };
    let _lock = lock().map_err(|source| GuestError::Lock { directory: directory.to_owned(), source })?;
    let library = library(target)?;
    if library.is_dir() {
        return Ok(library);
    }
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", target]);
    scrub(&mut rustup);
    // Cargo tells build scripts which toolchain rustup chose; without it rustup reads rust-toolchain.toml itself.
    if let Some(toolchain) = env::var_os("RUSTUP_TOOLCHAIN") {
        rustup.arg("--toolchain").arg(toolchain);
    }
    let added = rustup.status().is_ok_and(|status| status.success());
    if added && library.is_dir() { Ok(library) } else { Err(GuestError::NoTarget(target.to_owned())) }
}

fn library(target: &str) -> Result<PathBuf, GuestError> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&rustc)
        .args(["--print", "sysroot"])
        .output()
        .map_err(|source| GuestError::Start { program: "rustc".to_owned(), source })?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    Ok(sysroot.join("lib/rustlib").join(target).join("lib"))
}
