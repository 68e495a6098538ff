//! A gateway that can be killed and restarted on the same state.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::line::Line;

/// The time that a start may take on a busy machine.
const SOON: Duration = Duration::from_secs(40);

pub(crate) struct Gateway {
    home: TempDir,
    settings: Vec<(String, String)>,
    /// The maximum size of a file in blocks of 512 bytes; `None` means no limit.
    file_limit: Option<u64>,
    child: Option<Child>,
}

impl Gateway {
    /// Starts a gateway on a state of its own.
    pub(crate) fn start(settings: &[(&str, &str)]) -> Self {
        Self::start_limited(settings, None)
    }

    /// Starts a gateway whose files cannot grow beyond a limit.
    pub(crate) fn start_limited(settings: &[(&str, &str)], file_limit: Option<u64>) -> Self {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut gateway = Self { home: tempfile::tempdir().unwrap(), settings, file_limit, child: None };
        gateway.restart();
        gateway
    }

    /// Starts it again, and waits until it answers.
    pub(crate) fn restart(&mut self) {
        let mut command = self.command(self.file_limit, &["serve", "--port", "0"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).process_group(0);
        self.child = Some(command.spawn().expect("start dmplz serve"));
        let end = Instant::now() + SOON;
        while Line::connect(&self.socket()).is_err() {
            let child = self.child.as_mut().unwrap();
            assert!(child.try_wait().unwrap().is_none(), "dmplz serve ended by itself");
            assert!(Instant::now() < end, "dmplz serve does not answer");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(&mut self) {
        let mut child = self.child.take().expect("it runs");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Removes the limit of the files' size from the next start on.
    pub(crate) fn make_room(&mut self) {
        self.file_limit = None;
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.state().join("gateway.sock")
    }

    fn state(&self) -> PathBuf {
        self.home.path().join("state")
    }

    /// Runs another subcommand on the same state. Returns whether it succeeded, and its stdout.
    pub(crate) fn run(&self, arguments: &[&str]) -> (bool, String) {
        let output = self.command(None, arguments).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    }

    fn command(&self, file_limit: Option<u64>, arguments: &[&str]) -> Command {
        let binary = Path::new(env!("CARGO_BIN_EXE_dmplz"));
        let mut command = match file_limit {
            None => Command::new(binary),
            // A write beyond the limit is an error, as on a full disk, only if the signal is ignored.
            Some(blocks) => {
                let mut shell = Command::new("/bin/sh");
                shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")]).arg(binary);
                shell
            }
        };
        command.args(arguments).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.home.path());
        command.env("DMPLZ_STATE_DIR", self.state());
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }
}

impl Drop for Gateway {
    /// Kills the process, so that a failed test leaves none behind.
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
