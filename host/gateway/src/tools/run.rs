//! One process group, from its start to its end.
//!
//! It gets exactly the arguments, an environment of the gateway's few variables and the call's own, no input, and its
//! own process group. It ends with the process that was started. Processes left in its group are then killed, so that
//! nothing outlives the command that was approved. A process with a session of its own (a daemon) is out of reach and
//! lives on, but its output is not awaited.
//!
//! The group is signalled only while its leader is not reaped. Until then the kernel cannot reuse the group's number.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::pin::pin;
use std::process::Stdio;
use std::time::Duration;

use dmplz_protocol::tool::{InvokeTool, Stream};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::signal::unix::{self, SignalKind};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::binding::Held;

/// How long a group may take to end after SIGTERM.
const GRACE: Duration = Duration::from_secs(2);
/// How long the output must be silent after the end if a process that left the group still holds the pipe.
const DRAIN: Duration = Duration::from_millis(500);
/// The most bytes read at once.
const PIECE: usize = 16 << 10;

/// Receives the output, in order within each stream.
pub(super) trait Taker: Clone + Send + 'static {
    fn take(&self, stream: Stream, bytes: &[u8]) -> impl Future<Output = ()> + Send;
}

/// A running process.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    group: Option<Pid>,
    signals: unix::Signal,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Exited {
        code: Option<i32>,
        signal: Option<i32>,
    },
    /// The caller stopped it.
    Stopped,
    OutOfTime,
}

/// Starts the bound executable.
pub(super) fn start(held: &Held, invocation: &InvokeTool, base: &BTreeMap<String, String>) -> io::Result<Running> {
    let signals = unix::signal(SignalKind::child())?;
    let (name, arguments) = invocation.argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let child = Command::new(held.program())
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
    Ok(Running { child, group, signals })
}

impl Running {
    /// Waits for the end and for the output. Forces the end after `limit`, or when `stop` completes.
    pub(super) async fn end(mut self, limit: Duration, stop: impl Future<Output = ()>, taker: &impl Taker) -> Ended {
        let (until, mut stop) = (Instant::now() + limit, pin!(stop));
        let (mut output, over) = (JoinSet::new(), watch::Sender::new(false));
        if let Some(pipe) = self.child.stdout.take() {
            output.spawn(pump(pipe, Stream::Stdout, taker.clone(), over.subscribe()));
        }
        if let Some(pipe) = self.child.stderr.take() {
            output.spawn(pump(pipe, Stream::Stderr, taker.clone(), over.subscribe()));
        }
        let forced = tokio::select! {
            () = self.leader_ended() => None,
            () = sleep(limit) => Some(Ended::OutOfTime),
            () = &mut stop => Some(Ended::Stopped),
        };
        if forced.is_some() {
            self.signal(Signal::TERM);
            let _ = timeout(GRACE, self.leader_ended()).await;
        }
        self.signal(Signal::KILL);
        let status = self.child.wait().await.ok();
        over.send_replace(true);
        // A follower may take its time to read the output.
        let patience = if forced.is_some() { DRAIN } else { DRAIN.max(until - Instant::now()) };
        let read = async { while output.join_next().await.is_some() {} };
        tokio::select! {
            () = read => {}
            () = sleep(patience) => {}
            () = &mut stop, if forced.is_none() => {}
        }
        forced.unwrap_or_else(|| Ended::Exited {
            code: status.and_then(|status| status.code()),
            signal: status.and_then(|status| status.signal()),
        })
    }

    /// Waits for the leader's end without reaping it, so that the group's number stays reserved.
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
            // Fails if all processes are gone, which is fine.
            let _ = kill_process_group(group, signal);
        }
    }
}

/// Kills the group if the process was dropped before its end.
impl Drop for Running {
    fn drop(&mut self) {
        // Once reaped, the process has no id, and the number of its group may belong to another one.
        if self.child.id().is_some() {
            self.signal(Signal::KILL);
        }
    }
}

async fn pump(mut pipe: impl AsyncRead + Unpin, stream: Stream, taker: impl Taker, over: watch::Receiver<bool>) {
    let mut piece = vec![0; PIECE];
    loop {
        let read = tokio::select! {
            read = pipe.read(&mut piece) => read,
            () = silence(over.clone()) => return,
        };
        let Ok(count @ 1..) = read else { return };
        taker.take(stream, piece.get(..count).unwrap_or_default()).await;
    }
}

/// Waits for the end, and a short time after it.
async fn silence(mut over: watch::Receiver<bool>) {
    let _ = over.wait_for(|over| *over).await;
    sleep(DRAIN).await;
}
