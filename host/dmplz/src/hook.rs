//! `dmplz hook`: what Claude Code starts for every event of a session, with the event as JSON on stdin.
//!
//! | event | what happens |
//! |---|---|
//! | PermissionRequest | somebody is asked ([`ask`]) |
//! | PostToolUse, PostToolUseFailure, Stop, UserPromptSubmit, SessionEnd | open cards of the session are retired ([`event`]) |
//! | any other | nothing |
//!
//! stdout is one JSON object or nothing. The exit code is 0 whatever happens: no decision is not an error to the client,
//! which then asks in the terminal. What went wrong is one line on stderr.

mod ask;
mod event;
mod stop;

use std::io::Read;
use std::process::ExitCode;

use dmplz_core::claude::{HookEvent, HookInput};
use tokio::time::Instant;

use crate::settings::environment;
use crate::trouble;

/// More than any event holds. What is longer is not read to its end, so it cannot be shown in full, so it is not asked.
const MAX_STDIN: u64 = 64 << 20;

/// Runs the hook.
pub(crate) fn run(started: Instant) -> ExitCode {
    if let Err(error) = dispatch(started) {
        trouble::error(&format!("failed to {}", trouble::chain(&error)));
    }
    ExitCode::SUCCESS
}

fn dispatch(started: Instant) -> anyhow::Result<()> {
    let mut stdin = Vec::new();
    std::io::stdin().lock().take(MAX_STDIN + 1).read_to_end(&mut stdin)?;
    anyhow::ensure!(stdin.len() as u64 <= MAX_STDIN, "read the hook input: it is longer than 64 MiB");
    let input = HookInput::parse(&stdin)?;
    drop(stdin);
    match input.event() {
        HookEvent::PermissionRequest => ask::ask(&input, started),
        HookEvent::ToolDone | HookEvent::TurnOver | HookEvent::SessionOver => event::retire(&input),
        HookEvent::Other => Ok(()),
    }
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}
