//! Starts the gateway of a home, again and again.

use std::fs::OpenOptions;
use std::os::unix::process::CommandExt;
use std::path::Path;

use anyhow::Context;
use dmplz_e2e::{Gateway, Home};

/// Starts `dmplz serve` on any free port, and waits until it listens. Its stderr is appended to `log`.
///
/// # Errors
/// If it did not start; the reason is at the end of `log`.
pub(crate) fn start(home: &Home, log: &Path) -> anyhow::Result<Gateway> {
    let mut command = home.command();
    command.env("DMPLZ_GATEWAY_PORT", "0").process_group(0);
    command.stderr(OpenOptions::new().create(true).append(true).open(log)?);
    Gateway::try_start(command).with_context(|| format!("start dmplz serve, see {}", log.display()))
}
