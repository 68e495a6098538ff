//! Runs one line in one shell.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, kill_process, pidfd_open, setrlimit, wait,
};

use super::PRIVATE;
use crate::layout::{HOME, USER, WORKSPACE};
use crate::shell::Shell;

/// The time limit of a line.
const LIMIT: Duration = Duration::from_secs(2);
/// The time limit of a line with Node, which needs most of that to start on a busy machine.
const LIMIT_OF_NODE: Duration = Duration::from_secs(8);
/// The time for which a line may continue in the background.
const BACKGROUND: Duration = Duration::from_secs(1);
/// The number of bytes of a line's output that are read.
const OUTPUT: u64 = 1 << 20;

/// The end of a line.
#[derive(Debug)]
pub struct Ran {
    /// Whether it exited by itself, with 0.
    pub succeeded: bool,
    /// Whether it was killed at the time limit.
    pub late: bool,
    /// Its output on stdout and stderr.
    pub output: String,
}

/// Sets the resource limits of everything that the worker starts.
pub(super) fn limit() -> anyhow::Result<()> {
    for (resource, most) in [(Resource::Fsize, 16 << 20), (Resource::Nproc, 400), (Resource::Core, 0)] {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

/// Runs a line. All processes that it started are ended.
pub(super) fn run(shell: Shell, line: &str, drops_rights: bool) -> anyhow::Result<Ran> {
    let output = Path::new(PRIVATE).join("output");
    let written = File::create(&output)?;
    let mut command = Command::new(shell.program());
    command.args(["-c", line]).env_clear().current_dir(WORKSPACE);
    command
        .env("HOME", HOME)
        .env("USER", "me")
        .env("LANG", "C.UTF-8")
        .env("TERM", "dumb")
        .env("SHELL", shell.program());
    command.env("PATH", format!("/usr/bin:/bin:/usr/local/bin:{HOME}/.local/bin")).process_group(0);
    command.stdin(Stdio::null()).stdout(written.try_clone()?).stderr(written);
    if drops_rights {
        command.uid(USER).gid(USER);
    }
    let mut child = command.spawn()?;
    let slow = line.contains("npm") || line.contains("node");
    let late = !ended(&child, if slow { LIMIT_OF_NODE } else { LIMIT })?;
    if late {
        child.kill()?;
    }
    let status = child.wait()?;
    if !late {
        settle()?;
    }
    sweep()?;
    let mut bytes = Vec::new();
    File::open(&output)?.take(OUTPUT).read_to_end(&mut bytes)?;
    let output = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Ran { succeeded: status.success(), late, output })
}

/// Waits for the end of a process. Returns whether it ended in time.
fn ended(child: &Child, limit: Duration) -> anyhow::Result<bool> {
    let Some(id) = Pid::from_raw(i32::try_from(child.id())?) else { return Ok(true) };
    let handle = pidfd_open(id, PidfdFlags::empty())?;
    let limit = Timespec::try_from(limit)?;
    Ok(poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&limit))? > 0)
}

/// Waits for processes in the background.
fn settle() -> anyhow::Result<()> {
    let began = Instant::now();
    while began.elapsed() < BACKGROUND {
        match wait(WaitOptions::NOHANG) {
            // Without a child no process is left: the first process of a namespace inherits all others.
            Err(Errno::CHILD) => return Ok(()),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            _ => {}
        }
    }
    Ok(())
}

/// Kills every other process of the namespace, and waits for them.
fn sweep() -> anyhow::Result<()> {
    loop {
        for entry in fs::read_dir("/proc")?.flatten() {
            let id = entry.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            if let Some(id) = id.filter(|id| !id.is_init()) {
                // It may have ended in the meantime.
                let _ = kill_process(id, Signal::KILL);
            }
        }
        if wait(WaitOptions::empty()).is_err_and(|error| error == Errno::CHILD) {
            return Ok(());
        }
    }
}
