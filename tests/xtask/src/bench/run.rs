//! Runs a candidate once.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::chat::{Chat, PRESS_AFTER};

/// The times of a hook that asks.
#[derive(Debug)]
pub(super) struct Asked {
    /// From its start to its first request at the server.
    pub(super) first: Duration,
    /// From the press to the decision on stdout.
    pub(super) press: Duration,
    /// From its start to its exit, without the delay of the press.
    pub(super) exit: Duration,
    pub(super) peak_kib: u64,
}

/// Measures a program from its start to its exit.
pub(super) fn to_exit(mut command: Command, stdin: &Path) -> anyhow::Result<Duration> {
    command.stdin(File::open(stdin)?).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let start = Instant::now();
    let status = command.status().context("start a candidate")?;
    let took = start.elapsed();
    anyhow::ensure!(status.success(), "run {command:?}: {status}");
    Ok(took)
}

/// The times of a script that sends one POST, from its start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posted {
    /// Until its request arrived at the server.
    pub(super) first: Duration,
    /// Until its exit.
    pub(super) exit: Duration,
}

/// Measures a script that sends one POST.
pub(super) fn post(command: Command, stdin: &Path, chat: &Chat) -> anyhow::Result<Posted> {
    chat.take();
    let start = Instant::now();
    let exit = to_exit(command, stdin)?;
    let first = chat.take().first.context("see a script's request")?;
    Ok(Posted { first: first.duration_since(start), exit })
}

/// Measures a hook that asks, gets a press and answers.
pub(super) fn ask(mut command: Command, stdin: &Path, chat: &Chat) -> anyhow::Result<Asked> {
    chat.take();
    command.stdin(File::open(stdin)?).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let start = Instant::now();
    let mut child = command.spawn().context("start the hook")?;
    chat.watch(child.id());
    let mut stdout = child.stdout.take().context("read its stdout")?;
    let mut answer = [0; 8192];
    let length = stdout.read(&mut answer)?;
    let answered = Instant::now();
    let status = child.wait()?;
    let exit = start.elapsed();
    let answer = String::from_utf8_lossy(answer.get(..length).unwrap_or_default());
    anyhow::ensure!(status.success() && answer.contains(r#""behavior":"allow""#), "see an allow: {status}, {answer}");
    let seen = chat.take();
    let first = seen.first.context("see its first request")?;
    let pressed = seen.pressed.context("see it look for updates")?;
    let peak_kib = seen.peak_kib.context("see it change its card")?;
    let press = answered.duration_since(pressed);
    Ok(Asked { first: first.duration_since(start), press, exit: exit.saturating_sub(PRESS_AFTER), peak_kib })
}
