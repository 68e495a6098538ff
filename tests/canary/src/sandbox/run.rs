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

/// How long a line may take.
const LIMIT: Duration = Duration::from_secs(2);
/// Node alone needs most of that to start on a busy machine.
const LIMIT_OF_NODE: Duration = Duration::from_secs(8);
/// How long it may run on in the background.
const BACKGROUND: Duration = Duration::from_secs(1);
/// How much of its output is looked at, in bytes.
const OUTPUT: u64 = 1 << 20;

/// How a line ended.
#[derive(Debug)]
pub struct Ran {
    /// It ended by itself, with 0.
    pub succeeded: bool,
    /// The time was over.
    pub late: bool,
    /// What it wrote to stdout and stderr.
    pub output: String,
}

/// Limits everything that the worker starts.
pub(super) fn limit() -> anyhow::Result<()> {
    for (resource, most) in [(Resource::Fsize, 16 << 20), (Resource::Nproc, 400), (Resource::Core, 0)] {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

/// Runs a line. Nothing that it started is left.
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

/// Waits for the end.
fn ended(child: &Child, limit: Duration) -> anyhow::Result<bool> {
    let Some(id) = Pid::from_raw(i32::try_from(child.id())?) else { return Ok(true) };
    let handle = pidfd_open(id, PidfdFlags::empty())?;
    let limit = Timespec::try_from(limit)?;
    Ok(poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&limit))? > 0)
}

/// Gives what runs on in the background the time to do what it does.
fn settle() -> anyhow::Result<()> {
    let began = Instant::now();
    while began.elapsed() < BACKGROUND {
        match wait(WaitOptions::NOHANG) {
            // Without a child there is nobody left: the first process of a namespace inherits all others.
            Err(Errno::CHILD) => return Ok(()),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            _ => {}
        }
    }
    Ok(())
}

/// Ends every other process of the namespace, and waits for them.
fn sweep() -> anyhow::Result<()> {
    loop {
        for entry in fs::read_dir("/proc")?.flatten() {
            let id = entry.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            if let Some(id) = id.filter(|id| !id.is_init()) {
                // It may have ended in between.
                let _ = kill_process(id, Signal::KILL);
            }
        }
        if wait(WaitOptions::empty()).is_err_and(|error| error == Errno::CHILD) {
            return Ok(());
        }
    }
}
