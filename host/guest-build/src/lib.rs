//! Builds the workspace's WebAssembly components in a build script, with a nested Cargo that has its own target
//! directory, in the profile `guest` of the root manifest.
//!
//! | question | answer |
//! |---|---|
//! | where | `<target>/guests`, shared by all profiles of the outer build; the outer directory itself is locked by the outer Cargo |
//! | environment | the outer one, without what Cargo, rustc and Clippy set for the build script ([`scrub`]) |
//! | network | as configured for Cargo: vendored sources and `CARGO_NET_OFFLINE` are kept; the lock file is never changed |
//! | target not installed | `rustup target add wasm32-wasip2` runs for the toolchain in use; if that fails, the error states what to run |

#![allow(clippy::print_stdout, reason = "build scripts talk to Cargo on stdout")]

mod environment;
mod messengers;
mod target;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The imports of a provider in Rust, in order: the contract, and the parts of WASI that Rust's standard library always
/// links. Files, sockets, clocks and random numbers are not among them. A new line here is a new capability of
/// providers; `dmplz-plugin` decides what it does.
pub const RUST_IMPORTS: &[&str] = &[
    "dmplz:messenger/clock@0.10.0", "dmplz:messenger/http@0.10.0", "dmplz:messenger/log@0.10.0",
    "dmplz:messenger/types@0.10.0", "wasi:cli/environment@0.2.6", "wasi:cli/exit@0.2.6", "wasi:cli/stderr@0.2.6",
    "wasi:cli/stdin@0.2.6", "wasi:cli/stdout@0.2.6", "wasi:cli/terminal-input@0.2.6", "wasi:cli/terminal-output@0.2.6",
    "wasi:cli/terminal-stderr@0.2.6", "wasi:cli/terminal-stdin@0.2.6", "wasi:cli/terminal-stdout@0.2.6",
    "wasi:io/error@0.2.6", "wasi:io/poll@0.2.6", "wasi:io/streams@0.2.6",
];

/// The additional import of a provider with WebSockets.
pub const SOCKET_IMPORT: &str = "dmplz:messenger/socket@0.10.0";

pub use environment::scrub;
pub use messengers::{MESSENGERS, modules, package, sources};
pub use target::{TARGET, ensure_target};

/// Why a component could not be built.
#[derive(Debug, thiserror::Error)]
pub enum GuestError {
    /// A variable that Cargo sets for build scripts is absent: not called from one.
    #[error("{0}, which Cargo sets for build scripts, cannot be read")]
    NotABuildScript(&'static str),
    /// A program could not be started.
    #[error("`{program}` cannot be started")]
    Start {
        /// The program.
        program: String,
        /// The cause of the error.
        source: std::io::Error,
    },
    /// The directory that build scripts share could not be locked.
    #[error("{directory} cannot be locked")]
    Lock {
        /// The directory.
        directory: PathBuf,
        /// The cause of the error.
        source: std::io::Error,
    },
    /// A file for the crate that is built could not be written.
    #[error("{file} cannot be written")]
    Write {
        /// The file.
        file: PathBuf,
        /// The cause of the error.
        source: std::io::Error,
    },
    /// rustc has no standard library for the target, and rustup could not add it.
    #[error("the standard library of {0} is not installed; run: rustup target add {0}")]
    NoTarget(String),
    /// Cargo said no. It printed why.
    #[error("{0} does not compile to WebAssembly; Cargo printed why above")]
    Compile(String),
    /// Cargo was content, but the file is not there.
    #[error("the component {0}, which Cargo should have written, is not there")]
    Absent(PathBuf),
}

/// Builds library packages of this workspace as components and returns their files, in the order asked for. Tells Cargo
/// to run the build script again when anything under `sources` (relative to the workspace's root), the contract or the
/// lock file changes. Called by the build scripts of `dmplz-bundled` and `dmplz-guests`.
///
/// # Errors
/// See [`GuestError`].
pub fn build(packages: &[impl AsRef<str>], sources: &[impl AsRef<Path>]) -> Result<Vec<PathBuf>, GuestError> {
    let root = workspace();
    let of_all = ["wit", "Cargo.lock", "Cargo.toml", "rust-toolchain.toml"].map(Path::new);
    for source in sources.iter().map(AsRef::as_ref).chain(of_all) {
        println!("cargo:rerun-if-changed={}", root.join(source).display());
    }
    let directory = target_directory()?;
    ensure_target(TARGET, &directory)?;
    let cargo = env::var_os("CARGO").ok_or(GuestError::NotABuildScript("CARGO"))?;
    let mut command = Command::new(&cargo);
    command.current_dir(&root).args(["build", "--locked", "--lib", "--profile", "guest", "--target", TARGET]);
    command.arg("--target-dir").arg(&directory);
    for package in packages {
        command.args(["--package", package.as_ref()]);
    }
    scrub(&mut command);
    let status = command.status().map_err(|source| GuestError::Start { program: "cargo".to_owned(), source })?;
    if !status.success() {
        let names: Vec<&str> = packages.iter().map(AsRef::as_ref).collect();
        return Err(GuestError::Compile(names.join(", ")));
    }
    packages.iter().map(|package| artefact(&directory, package.as_ref())).collect()
}

/// Returns the root directory of the workspace.
fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Returns Cargo's target directory. `OUT_DIR` is `<target>[/<triple>]/<profile>/build/<package>/out`.
fn target_directory() -> Result<PathBuf, GuestError> {
    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(GuestError::NotABuildScript("OUT_DIR"))?;
    Ok(out.ancestors().nth(4).unwrap_or(&out).join("guests"))
}

fn artefact(directory: &Path, package: &str) -> Result<PathBuf, GuestError> {
    let file = directory.join(TARGET).join("guest").join(format!("{}.wasm", package.replace('-', "_")));
    if file.is_file() { Ok(file) } else { Err(GuestError::Absent(file)) }
}
