//! A handler as a process.
//!
//! It gets a process group of its own, the folder of the project, exactly the environment that it is given, and the event on
//! stdin, which is closed after it. When its limit is reached, or the caller gives up, the whole group is told to end (SIGTERM),
//! and killed after [`GRACE`]. What a hook that ended by itself left running lives on, as in Claude Code, but its output is not
//! awaited. A process that made a session of its own is out of reach.
//!
//! The group is signalled only while its leader is not reaped: until then the kernel gives the group's number to nobody else.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout};

use crate::output::{Done, Ending, Written};

/// How long a group may take to end after SIGTERM; as in Claude Code.
pub const GRACE: Duration = Duration::from_millis(1_500);
/// How long output is awaited after the end, while something that the hook left holds the pipe.
const DRAIN: Duration = Duration::from_millis(300);
/// How much of stdout, and of stderr, is kept, in bytes. The rest is read and counted.
pub const KEPT: usize = 64 << 10;

/// A process that is to be started.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program, by its path or by its name in PATH.
    pub program: OsString,
    /// The arguments of the program.
    pub arguments: Vec<OsString>,
    /// The folder in which it runs.
    pub folder: PathBuf,
    /// All of its environment.
    pub environment: BTreeMap<String, String>,
    /// What it may read.
    pub stdin: Arc<[u8]>,
    /// How long it may run.
    pub limit: Duration,
}

/// Runs all of them at the same time. The results are in the order of the jobs.
pub async fn run_all<'j>(jobs: impl IntoIterator<Item = &'j Job>) -> Vec<Done> {
    join_all(jobs.into_iter().map(run)).await
}

/// Runs one to its end. If the future is dropped before, the group is killed.
pub async fn run(job: &Job) -> Done {
    let started = Instant::now();
    let not_started = |error: io::Error| Done {
        ending: Ending::NotStarted { why: error.to_string() },
        stdout: Written::default(),
        stderr: Written::default(),
        took: started.elapsed(),
        left_running: false,
    };
    let mut running = match Running::start(job) {
        Ok(running) => running,
        Err(error) => return not_started(error),
    };
    let (stdout, stderr) = (Stream::default(), Stream::default());
    let stdin = running.child.stdin.take();
    let give = async {
        if let Some(mut stdin) = stdin {
            // A hook that reads nothing closes the pipe, or leaves it full until it ends.
            let _ = stdin.write_all(&job.stdin).await;
        }
    };
    let pipes = (running.child.stdout.take(), running.child.stderr.take());
    let read = async { tokio::join!(stdout.fill(pipes.0), stderr.fill(pipes.1)) };
    let traffic = async { tokio::join!(give, read) };
    tokio::pin!(traffic);
    let mut is_read = false;
    let is_late = {
        let ended = timeout(job.limit, running.leader_ended());
        tokio::pin!(ended);
        tokio::select! {
            ended = &mut ended => ended.is_err(),
            _ = &mut traffic => { is_read = true; ended.await.is_err() }
        }
    };
    if is_late {
        running.signal(Signal::TERM);
        let _ = timeout(GRACE, running.leader_ended()).await;
        running.signal(Signal::KILL);
    }
    let took = started.elapsed();
    let status = running.child.wait().await;
    let left_running = !is_read && timeout(DRAIN, &mut traffic).await.is_err();
    let ending = match status {
        _ if is_late => Ending::TimedOut,
        Ok(status) => match (status.code(), status.signal()) {
            (Some(exit_code), _) => Ending::Exited { exit_code },
            (None, signal) => Ending::Killed { signal: signal.unwrap_or_default() },
        },
        Err(error) => return not_started(error),
    };
    Done { ending, stdout: stdout.written(), stderr: stderr.written(), took, left_running }
}

/// A process whose leader is not reaped yet.
struct Running {
    child: Child,
    group: Option<Pid>,
}

impl Running {
    fn start(job: &Job) -> io::Result<Self> {
        let child = Command::new(&job.program)
            .args(&job.arguments)
            .current_dir(&job.folder)
            .env_clear()
            .envs(&job.environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        Ok(Self { child, group })
    }

    /// Waits for the leader's end without reaping it. The thread that waits ends with the leader, which is killed if this is
    /// given up for good.
    async fn leader_ended(&self) {
        let Some(leader) = self.group else { return };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let wait = move || while matches!(waitid(WaitId::Pid(leader), look), Err(rustix::io::Errno::INTR)) {};
        let _ = spawn_blocking(wait).await;
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // It fails if all are gone, which is what is wanted.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A reaped process has no id, and its group's number may be another's.
        if self.child.id().is_some() {
            self.signal(Signal::KILL);
        }
    }
}

/// What was read of a stream so far: reading is given up while something still holds the pipe.
#[derive(Default)]
struct Stream(Mutex<Written>);

impl Stream {
    async fn fill(&self, pipe: Option<impl AsyncRead + Unpin>) {
        let Some(mut pipe) = pipe else { return };
        let mut piece = vec![0; 16 << 10];
        while let Ok(count @ 1..) = pipe.read(&mut piece).await {
            let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let room = KEPT.saturating_sub(written.kept.len()).min(count);
            written.kept.extend_from_slice(piece.get(..room).unwrap_or_default());
            written.total += count as u64;
        }
    }

    fn written(&self) -> Written {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests;
