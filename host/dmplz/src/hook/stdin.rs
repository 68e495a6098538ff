//! Reading the event from stdin, within bounds of size and time.

use std::io::{ErrorKind, Read};

use anyhow::{Context, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// More bytes than any event has that somebody could look through: about 20,000 lines of code. What is longer cannot be shown whole,
/// so nobody is asked about it.
const MOST: usize = 2 << 20;
/// How long the client may be silent before the end of its input, in seconds. It writes an event at once and closes stdin.
const SILENCE: i64 = 10;

/// Reads all of stdin.
pub(super) fn read() -> anyhow::Result<Vec<u8>> {
    let stdin = std::io::stdin();
    let mut input = Vec::new();
    // An event is a few KiB as a rule; each page of more would be touched for nothing.
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
        ensure!(input.len() <= MOST, "the hook input is longer than 2 MiB, which nobody could look through");
    }
}
