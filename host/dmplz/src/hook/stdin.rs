//! Reads the event from stdin, with a limit of size and time.

use std::io::{ErrorKind, Read};

use anyhow::{Context, ensure};
use dmplz_core::claude::HookInput;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::told::Told;

/// The largest event that is read, in bytes.
const MOST: usize = 64 << 20;
/// The largest event that is handled, in bytes: about 20,000 lines of code. A longer one cannot be shown in full, so
/// nobody is asked about it.
const MOST_SHOWN: usize = 2 << 20;
/// How long the client may pause before the end of its input, in seconds. It writes an event at once and closes
/// stdin.
const SILENCE: i64 = 10;

/// Reads all of stdin.
pub(super) fn read() -> anyhow::Result<Vec<u8>> {
    let stdin = std::io::stdin();
    let mut input = Vec::new();
    // An event usually has a few KiB, and a larger buffer would touch pages in vain.
    let mut chunk = [0; 8 << 10];
    loop {
        let mut waits = [PollFd::new(&stdin, PollFlags::IN)];
        let ready = match poll(&mut waits, Some(&Timespec { tv_sec: SILENCE, tv_nsec: 0 })) {
            Err(rustix::io::Errno::INTR) => continue,
            ready => ready.context("the hook input cannot be waited for")?,
        };
        ensure!(
            ready > 0,
            "the hook input cannot be read: its end did not come, and nothing else for {SILENCE} s (is stdin still open?)"
        );
        let length = match stdin.lock().read(&mut chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            length => length.context("the hook input cannot be read")?,
        };
        if length == 0 {
            return Ok(input);
        }
        input.extend(chunk.get(..length).unwrap_or_default());
        ensure!(input.len() <= MOST, "the hook input is longer than 64 MiB");
    }
}

/// Parses an event that somebody could look through.
pub(super) fn parse(stdin: &[u8]) -> anyhow::Result<HookInput> {
    if stdin.len() > MOST_SHOWN {
        let (ko, en) = (
            "훅 입력이 2 MiB보다 길어 아무도 살펴볼 수 없습니다",
            "the hook input is longer than 2 MiB, which nobody could look through",
        );
        return Err(Told::new(ko, en, &[]).into());
    }
    Ok(HookInput::parse(stdin)?)
}
