//! A gateway that can be killed and restarted on the same state.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use dmplz_e2e::{Home, Surface};

const BINARY: &str = env!("CARGO_BIN_EXE_dmplz");

pub(crate) struct Gateway {
    home: Home,
    /// The maximum size of a file in blocks of 512 bytes; `None` means no limit.
    file_limit: Option<u64>,
    running: Option<dmplz_e2e::Gateway>,
}

impl Gateway {
    /// Starts a gateway on a state of its own.
    pub(crate) fn start(settings: &[(&str, &str)]) -> Self {
        Self::start_limited(settings, None)
    }

    /// Starts a gateway whose files cannot grow beyond a limit.
    pub(crate) fn start_limited(settings: &[(&str, &str)], file_limit: Option<u64>) -> Self {
        let mut home = Home::bare(BINARY);
        home.set("DMPLZ_GATEWAY_PORT", "0");
        for (name, value) in settings {
            home.set(name, value);
        }
        let mut gateway = Self { home, file_limit, running: None };
        gateway.restart();
        gateway
    }

    /// Starts it again, and waits until it listens.
    pub(crate) fn restart(&mut self) {
        let mut command = self.home.command();
        if let Some(blocks) = self.file_limit {
            // A write beyond the limit is an error, as on a full disk, only if the signal is ignored.
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", &script, BINARY]).env_clear();
            shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
            command = shell;
        }
        command.process_group(0);
        self.running = Some(dmplz_e2e::Gateway::try_start(command).unwrap());
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.running.take().expect("it runs").kill();
    }

    /// Removes the limit of the files' size from the next start on.
    pub(crate) fn make_room(&mut self) {
        self.file_limit = None;
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.home.state().join("gateway.sock")
    }

    /// Connects to it.
    pub(crate) fn connect(&self) -> Surface {
        Surface::to(&self.socket())
    }

    /// Checks that the chain of the audit journal is whole.
    #[track_caller]
    pub(crate) fn check_audit(&self) {
        let output = self.home.run(&["audit", "verify"]);
        assert!(output.status.success(), "{output:?}");
    }
}
