//! `dmplz hook`: what Claude Code starts for every event of a session, with the event as JSON on stdin.
//!
//! | event | what happens |
//! |---|---|
//! | PermissionRequest | a rule decides ([`rules`]), or somebody is asked: through the gateway ([`gateway`]), or alone ([`ask`]) |
//! | PreToolUse | a rule's deny is answered, for who registers it so that denies hold even where the client would not ask; questions are asked with `DMPLZ_QUESTIONS_AHEAD=on` |
//! | PostToolUse, PostToolUseFailure, Stop, UserPromptSubmit, SessionEnd | open cards of the session are retired ([`event`]) |
//! | any other | nothing |
//!
//! stdout is one JSON object or nothing. The exit code is 0 whatever happens: no decision is not an error to the client,
//! which then asks in the terminal. What went wrong is one line on stderr.

mod ask;
mod event;
mod gateway;
mod grants;
mod rules;
mod stop;

use std::io::{Read, Write};
use std::process::ExitCode;

use dmplz_core::claude::{HookEvent, HookInput, ToolCall, permission_allow, permission_deny, tool_answers, tool_deny};
use dmplz_core::flow::Decision;
use serde_json::Value;
use tokio::time::Instant;

use crate::settings::environment;
use crate::trouble;

/// The tool that asks questions.
pub(crate) const QUESTIONS: &str = "AskUserQuestion";

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
        HookEvent::PermissionRequest => request(&input, started),
        HookEvent::ToolAhead => ahead(&input, started),
        HookEvent::ToolDone | HookEvent::TurnOver | HookEvent::SessionOver => event::retire(&input),
        HookEvent::Other => Ok(()),
    }
}

/// A rule or a grant decides it, or somebody is asked.
fn request(input: &HookInput, started: Instant) -> anyhow::Result<()> {
    let call = input.tool_call()?;
    let ruling = rules::judge(input, &call);
    match &ruling.outcome {
        Some(outcome) => rules::conclude(&ruling, outcome, input, &call),
        None => ask::ask(input, call, &ruling, started),
    }
}

/// A rule denies it, or it asks questions that somebody may answer before the client asks them.
fn ahead(input: &HookInput, started: Instant) -> anyhow::Result<()> {
    let call = input.tool_call()?;
    if rules::ahead(input, &call)? || call.tool != QUESTIONS {
        return Ok(());
    }
    ask::ask(input, call, &rules::Ruling::default(), started)
}

/// Writes the decision: one JSON object, or nothing where there is none.
fn hand_over(decision: &Decision, input: &HookInput, call: &ToolCall) -> std::io::Result<()> {
    let said = match (decision, input.event()) {
        (Decision::None, _) => None,
        (Decision::Deny { message }, HookEvent::ToolAhead) => Some(tool_deny(message)),
        (Decision::Deny { message }, _) => Some(permission_deny(message)),
        (Decision::Allow { extent, .. }, HookEvent::ToolAhead) => tool_answers(call, extent),
        (Decision::Allow { extent, .. }, _) => Some(permission_allow(call, &input.cwd, extent)),
    };
    said.map_or(Ok(()), |said| say(&said))
}

/// The one place that writes to stdout.
fn say(answer: &Value) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(format!("{answer}\n").as_bytes())?;
    stdout.flush()
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}
