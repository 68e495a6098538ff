//! A `dmplz serve` that can be killed and restarted on the same state.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::Context;
use dmplz_e2e::Home;
use serde::Deserialize;

/// A running gateway. Its stderr goes into a file.
#[derive(Debug)]
pub(crate) struct Gateway {
    child: Child,
    listening: Listening,
}

/// The address at which it listens, as it reports to programs.
#[derive(Debug, Deserialize)]
struct Listening {
    socket: PathBuf,
    url: String,
}

impl Gateway {
    /// Starts it on any free port, and waits until it listens.
    ///
    /// # Errors
    /// If it did not start; the reason is at the end of `log`.
    pub(crate) fn start(home: &Home, log: &Path) -> anyhow::Result<Self> {
        let stderr: File = OpenOptions::new().create(true).append(true).open(log)?;
        let mut command = home.command();
        command.args(["serve", "--port", "0", "--json"]).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr);
        let mut child = command.spawn().context("start dmplz serve")?;
        let mut line = String::new();
        let stdout = child.stdout.take().context("read where it listens")?;
        BufReader::new(stdout).read_line(&mut line)?;
        let listening = serde_json::from_str(&line);
        let listening = listening.with_context(|| format!("read where it listens: {line:?}, see {}", log.display()));
        match listening {
            Ok(listening) => Ok(Self { child, listening }),
            Err(error) => {
                let _ = child.kill();
                child.wait()?;
                Err(error)
            }
        }
    }

    /// Returns the id of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns its socket in the state directory.
    pub(crate) fn socket(&self) -> &Path {
        &self.listening.socket
    }

    /// Returns the host and port of its page and API.
    pub(crate) fn address(&self) -> &str {
        self.listening.url.trim_start_matches("http://").trim_end_matches('/')
    }

    /// Returns whether it ended by itself.
    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(self) {
        drop(self);
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
