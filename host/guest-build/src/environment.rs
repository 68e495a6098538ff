//! Removes the variables that a nested Cargo must not inherit from the outer one.
//!
//! Cargo, rustc wrappers and Clippy describe the outer build to build scripts in the environment. A nested Cargo would
//! take these for options of the user, and compile with the host's flags, or run Clippy instead of compiling. The
//! user's own options about registries, the network, the jobserver and the terminal are kept.

use std::env;
use std::process::Command;

const REMOVED: &[&str] = &[
    "CARGO", "CLIPPY_ARGS", "DEBUG", "HOST", "NUM_JOBS", "OPT_LEVEL", "OUT_DIR", "PROFILE", "RUSTC", "RUSTDOC",
    "RUSTDOCFLAGS", "RUSTFLAGS", "TARGET",
];

const KEPT_OF_CARGO: &[&str] =
    &["CARGO_HOME", "CARGO_HTTP_", "CARGO_MAKEFLAGS", "CARGO_NET_", "CARGO_REGISTR", "CARGO_SOURCE_", "CARGO_TERM_"];

/// Removes the outer build's description from a command's environment.
pub fn scrub(command: &mut Command) {
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(describes_the_outer_build) {
            command.env_remove(name);
        }
    }
}

fn describes_the_outer_build(name: &str) -> bool {
    let of_cargo = name.starts_with("CARGO_") && !KEPT_OF_CARGO.iter().any(|kept| name.starts_with(kept));
    of_cargo || name.starts_with("RUSTC_") || name.starts_with("DEP_") || REMOVED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::describes_the_outer_build;

    #[test]
    fn orders_of_the_user_are_kept() {
        for name in ["CARGO_HOME", "CARGO_NET_OFFLINE", "CARGO_MAKEFLAGS", "MAKEFLAGS", "HOME", "PATH"] {
            assert!(!describes_the_outer_build(name), "{name}");
        }
    }

    #[test]
    fn the_outer_build_is_forgotten() {
        for name in ["CARGO_ENCODED_RUSTFLAGS", "CARGO_CFG_UNIX", "RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS", "TARGET"] {
            assert!(describes_the_outer_build(name), "{name}");
        }
    }
}
