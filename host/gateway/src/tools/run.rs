//! One process group, from its start to its end.
//!
//! It gets exactly the arguments, an environment of the gateway's few variables and the call's own, no input, and a process group
//! of its own. Its end is the end of the process that was started: what that one left running in its group is killed then, so
//! that an approval outlives nothing that it was for. What made itself a session of its own (a daemon) is out of reach and
//! lives on, but its output is not waited for.
//!
//! The group is signalled only while its leader is not reaped yet: until then its number can be nobody else's.

use std::collections::BTreeMap;
use std::io;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::signal::unix::{self, SignalKind};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::binding::Held;
use super::call::Invocation;
use super::output::Stream;

/// What a group gets to end by itself, after it was told to.
const GRACE: Duration = Duration::from_secs(2);
/// How long output is read after the end, of what left the group and still holds the pipe.
const DRAIN: Duration = Duration::from_millis(500);
/// Read at once.
const PIECE: usize = 16 << 10;

/// Takes what is written, in the order of its stream.
pub(super) trait Taker: Clone + Send + 'static {
    fn take(&self, stream: Stream, bytes: &[u8]) -> impl Future<Output = ()> + Send;
}

/// A process that runs.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    group: Option<Pid>,
    signals: unix::Signal,
    output: Vec<JoinHandle<()>>,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Exited {
        code: Option<i32>,
        signal: Option<i32>,
    },
    /// It was told to end.
    Stopped,
    OutOfTime,
}

/// Starts what was looked at.
pub(super) fn start(
    held: &Held,
    invocation: &Invocation,
    base: &BTreeMap<String, String>,
    taker: &impl Taker,
) -> io::Result<Running> {
    let signals = unix::signal(SignalKind::child())?;
    let (name, arguments) = invocation.argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut child = Command::new(held.program())
        .arg0(name)
        .args(arguments)
        .current_dir(held.folder())
        .env_clear()
        .envs(base)
        .envs(&invocation.env)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let stdout = child.stdout.take().map(|pipe| tokio::spawn(pump(pipe, Stream::Stdout, taker.clone())));
    let stderr = child.stderr.take().map(|pipe| tokio::spawn(pump(pipe, Stream::Stderr, taker.clone())));
    Ok(Running { child, group, signals, output: stdout.into_iter().chain(stderr).collect() })
}

impl Running {
    /// Waits for the end, or brings it about: after `limit`, or once `stop` is there.
    pub(super) async fn end(mut self, limit: Duration, stop: impl Future<Output = ()>) -> Ended {
        let forced = tokio::select! {
            () = self.leader_ended() => None,
            () = sleep(limit) => Some(Ended::OutOfTime),
            () = stop => Some(Ended::Stopped),
        };
        if forced.is_some() {
            self.signal(Signal::TERM);
            let _ = timeout(GRACE, self.leader_ended()).await;
        }
        self.signal(Signal::KILL);
        let status = self.child.wait().await;
        let drained = async {
            for reader in &mut self.output {
                let _ = reader.await;
            }
        };
        if timeout(DRAIN, drained).await.is_err() {
            self.output.iter().for_each(JoinHandle::abort);
        }
        forced.unwrap_or_else(|| {
            use std::os::unix::process::ExitStatusExt;
            let status = status.ok();
            Ended::Exited {
                code: status.and_then(|status| status.code()),
                signal: status.and_then(|status| status.signal()),
            }
        })
    }

    /// Looks without reaping, so that the group's number stays its own.
    async fn leader_ended(&mut self) {
        let Some(leader) = self.group else { return };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(leader), look), Ok(None)) {
            if self.signals.recv().await.is_none() {
                return;
            }
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // It fails where all are gone, which is what is wanted.
            let _ = kill_process_group(group, signal);
        }
    }
}

/// Whoever lets go of it without waiting for its end, ends it.
impl Drop for Running {
    fn drop(&mut self) {
        // Once reaped it has no id, and its group's number may be another's.
        if self.child.id().is_some() {
            self.signal(Signal::KILL);
        }
    }
}

async fn pump(mut pipe: impl AsyncRead + Unpin, stream: Stream, taker: impl Taker) {
    let mut piece = vec![0; PIECE];
    while let Ok(count @ 1..) = pipe.read(&mut piece).await {
        taker.take(stream, piece.get(..count).unwrap_or_default()).await;
    }
}
