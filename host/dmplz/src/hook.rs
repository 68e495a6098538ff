//! `dmplz hook`: what Claude Code starts for every event of a session, with the event as JSON on stdin.
//!
//! | event | what happens |
//! |---|---|
//! | PermissionRequest | nothing in a session that the gateway runs ([`session`]); else a rule decides ([`rules`]), or somebody is asked: through the gateway ([`gateway`]), or alone ([`ask`]) |
//! | PreToolUse | a rule's deny is answered, for who registers it so that denies hold even where the client would not ask; questions are asked with `DMPLZ_QUESTIONS_AHEAD=on` |
//! | PostToolUse, PostToolUseFailure, Stop, UserPromptSubmit, SessionEnd | open cards of the session are retired ([`event`]) |
//! | any other | nothing |
//!
//! stdout is one JSON object or nothing. The exit code is 0 whatever happens: no decision is not an error to the client,
//! which then asks in the terminal. What went wrong is one line on stderr.

mod ask;
mod deadline;
mod event;
mod gateway;
pub(crate) mod grants;
pub(crate) mod rules;
mod session;
mod stdin;
mod stop;

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use dmplz_core::claude::{
    Allow, HookEvent, HookInput, ToolCall, permission_allow, permission_deny, tool_answers, tool_deny,
};
use dmplz_core::request::{Decision, ExpiredCause, Extent, Outcome, Trouble};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_policy::{KnownCommands, Ruled};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::settings::{Table, environment};
use crate::trouble;

/// The tool that asks questions.
pub(crate) const QUESTIONS: &str = "AskUserQuestion";

/// Runs the hook.
pub(crate) fn run(started: Instant) -> ExitCode {
    if let Err(error) = dispatch(started) {
        trouble::error(&trouble::chain(&error));
    }
    ExitCode::SUCCESS
}

fn dispatch(started: Instant) -> anyhow::Result<()> {
    let input = HookInput::parse(&stdin::read()?)?;
    match input.event() {
        HookEvent::PermissionRequest => request(&input, started).inspect_err(|error| {
            let why = ExpiredCause::Failed(Trouble::Other(trouble::chain(error)));
            let _ = explain(&Outcome::Expired(why), &Decision::None, lang());
        }),
        HookEvent::ToolAhead => ahead(&input, started),
        HookEvent::ToolDone | HookEvent::TurnOver | HookEvent::SessionOver => event::retire(&input),
        HookEvent::Other => Ok(()),
    }
}

/// A rule or a grant decides it, or somebody is asked.
fn request(input: &HookInput, started: Instant) -> anyhow::Result<()> {
    if session::asks_by_itself(input) {
        return Ok(());
    }
    let call = input.tool_call()?;
    let ruling = rules::judge(input, &call);
    match &ruling.ruled {
        Some(ruled) => rules::conclude(&ruling, ruled, input, &call),
        None => ask::ask(input, call, &ruling, started),
    }
}

/// A rule denies it, or it asks questions that somebody may answer before the client asks them.
fn ahead(input: &HookInput, started: Instant) -> anyhow::Result<()> {
    let call = input.tool_call()?;
    if rules::ahead(input, &call)? || call.tool != QUESTIONS || session::asks_by_itself(input) {
        return Ok(());
    }
    ask::ask(input, call, &rules::Ruling::default(), started)
}

/// Writes what a person, or nobody, decided: one JSON object, or nothing where there is no decision.
fn hand_over(decision: &Decision, input: &HookInput, call: &ToolCall) -> std::io::Result<()> {
    let allow = |extent: &Extent| extent.allow(call, &input.cwd, &KnownCommands);
    let said = match (decision, input.event()) {
        (Decision::None, _) => None,
        (Decision::Deny { message }, HookEvent::ToolAhead) => Some(tool_deny(message)),
        (Decision::Deny { message }, _) => Some(permission_deny(message)),
        (Decision::Allow { extent, .. }, HookEvent::ToolAhead) => tool_answers(call, &allow(extent)),
        (Decision::Allow { extent, .. }, _) => Some(permission_allow(call, &allow(extent))),
    };
    said.map_or(Ok(()), |said| say(&said))
}

/// Writes what a rule decided. Before the client has made up its mind whether to ask, an allow of it is none.
fn hand_over_ruled(ruled: &Ruled, input: &HookInput, call: &ToolCall) -> std::io::Result<()> {
    let said = match (ruled, input.event()) {
        (Ruled::Denied(denial), HookEvent::ToolAhead) => Some(tool_deny(&denial.told())),
        (Ruled::Denied(denial), _) => Some(permission_deny(&denial.told())),
        (Ruled::Allowed(_), HookEvent::ToolAhead) => None,
        (Ruled::Allowed(_), _) => Some(permission_allow(call, &Allow::default())),
    };
    said.map_or(Ok(()), |said| say(&said))
}

/// Nobody was asked: why.
fn unasked(why: String) -> Outcome {
    Outcome::Expired(ExpiredCause::Failed(Trouble::Other(why)))
}

/// Where there is no decision because nobody answered or could be asked, tells the person at the terminal so: the client
/// shows a `systemMessage`, and asks by itself (Claude Code 2.1.330 as observed).
fn explain(outcome: &Outcome, decision: &Decision, lang: Lang) -> std::io::Result<()> {
    let words = lang.words();
    let told = match (decision, outcome) {
        (Decision::None, Outcome::Expired(ExpiredCause::Nobody)) => words.unanswered.to_owned(),
        (Decision::None, Outcome::Expired(ExpiredCause::Failed(why))) => {
            fill(words.unasked, &[&visible_line(&why.to_string())])
        }
        _ => return Ok(()),
    };
    say(&json!({ "systemMessage": told }))
}

/// The language of the settings, where they can be read.
fn lang() -> Lang {
    let table = Table::load(&environment).unwrap_or_else(|_| Table::without_file(&environment));
    table.lang().unwrap_or(Lang::Ko)
}

/// The one place that writes to stdout, at most once.
fn say(answer: &Value) -> std::io::Result<()> {
    static SAID: AtomicBool = AtomicBool::new(false);
    if SAID.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(format!("{answer}\n").as_bytes())?;
    stdout.flush()
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}
