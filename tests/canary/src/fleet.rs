//! Starts the workers, each in namespaces of its own, and sums up their findings.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use crate::options::Options;
use crate::report::Report;

/// The arguments of `unshare`, which is part of util-linux.
const NAMESPACES: &[&str] = &[
    "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child", "--mount-proc", "--propagation", "private",
];

/// Returns the reason why sandboxes cannot be created here. `None` if they can.
pub fn missing() -> Option<String> {
    let tried = unshare(is_root()).arg("true").stdin(Stdio::null()).output();
    match tried {
        Ok(done) if done.status.success() => None,
        Ok(done) => Some(String::from_utf8_lossy(&done.stderr).trim().to_owned()),
        Err(error) => Some(format!("unshare: {error}")),
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn unshare(root: bool) -> Command {
    let mut command = Command::new("unshare");
    command.args(NAMESPACES);
    if !root {
        command.args(["--user", "--map-root-user"]);
    }
    command.arg("--");
    command
}

/// Runs one worker that prints its own output. Returns whether it succeeded.
///
/// # Errors
/// If the worker does not start.
pub fn one(options: &Options) -> anyhow::Result<bool> {
    let mut command = unshare(is_root());
    command.arg(std::env::current_exe()?).args(options.for_worker(0, is_root()));
    Ok(command.stdin(Stdio::null()).status().context("start a worker")?.success())
}

/// Runs all workers to their end.
///
/// # Errors
/// If a worker does not start, or fails.
pub fn run(options: &Options) -> anyhow::Result<Report> {
    let program = std::env::current_exe()?;
    let mut workers = Vec::new();
    for worker in 0..options.workers {
        let mut command = unshare(is_root());
        command.arg(&program).args(options.for_worker(worker, is_root()));
        workers.push(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("start a worker")?);
    }
    let mut report = Report::default();
    for mut worker in workers {
        let stdout = worker.stdout.take().context("read from a worker")?;
        for line in BufReader::new(stdout).lines() {
            report.add(serde_json::from_str(&line?).context("read the report of a worker")?);
        }
        anyhow::ensure!(worker.wait()?.success(), "run a worker: it failed");
    }
    Ok(report)
}
