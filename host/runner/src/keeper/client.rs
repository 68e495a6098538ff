//! The client as a process.

use std::ffi::OsString;
use std::io;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::frame::Exit;
use super::launch::Launch;

/// The argument with which this program becomes the client.
const BECOME: &str = "client";

/// A running client.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) child: Child,
    group: Pid,
    /// Readable once it has ended.
    pub(super) ended: UnixStream,
}

impl Client {
    /// Starts the client in a new process group. The started process is first this program again, which asks the kernel
    /// to end it with the keeper, and then becomes the client ([`become_client`]).
    pub(super) fn start(launch: &Launch) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args([super::SUBCOMMAND, BECOME, &std::process::id().to_string()]).args(launch.command());
        command.env_clear().envs(launch.environment()).current_dir(&launch.cwd).process_group(0);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let group = Pid::from_child(&child);
        let (ended, notice) = UnixStream::pair()?;
        thread::Builder::new().name("wait".to_owned()).stack_size(64 << 10).spawn(move || {
            // The client stays a zombie until it is reaped, so that the number of its group is not reused.
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(group), look), Err(rustix::io::Errno::INTR)) {}
            drop(notice);
        })?;
        Ok(Self { child, group, ended })
    }

    /// Sends a signal to it and what it started in its group.
    pub(super) fn signal(&self, signal: Signal) {
        // It fails where all are gone, which is what is wanted.
        let _ = kill_process_group(self.group, signal);
    }

    /// Returns how the client ended, once it has ended. The remaining processes of its group get SIGTERM.
    pub(super) fn reap(&mut self) -> io::Result<Exit> {
        self.signal(Signal::TERM);
        let status = self.child.wait()?;
        Ok(Exit { code: status.code(), signal: status.signal() })
    }
}

/// The last one who holds it ends it.
impl Drop for Client {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.signal(Signal::KILL);
        }
    }
}

/// Becomes the client if `arguments`, those after the subcommand, request it. Returns `None` if they do not, and the
/// error if it failed.
pub fn become_client(arguments: &[OsString]) -> Option<io::Error> {
    let [what, keeper, program, rest @ ..] = arguments else { return None };
    if what != BECOME {
        return None;
    }
    if let Err(error) = end_with_the_keeper(keeper) {
        return Some(error);
    }
    Some(Command::new(program).args(rest).exec())
}

/// Asks the kernel for a SIGTERM when the keeper dies, however it dies. It outlives the exec.
#[cfg(target_os = "linux")]
fn end_with_the_keeper(keeper: &OsString) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::TERM))?;
    let parent = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().to_string());
    if keeper.to_str().map(str::to_owned) != parent {
        return Err(io::Error::other("the keeper died before the client was started"));
    }
    Ok(())
}

/// Does nothing. On these systems only the end of its stdin ends the client.
#[cfg(not(target_os = "linux"))]
fn end_with_the_keeper(_keeper: &OsString) -> io::Result<()> {
    Ok(())
}
