//! `dmplz hook`: what Claude Code starts for every event of a session, with the event as JSON on stdin.
//!
//! | event | what happens |
//! |---|---|
//! | PermissionRequest | nothing in a session that the gateway runs ([`session`]); else a rule decides ([`rules`]), or a person is asked: through the gateway ([`gateway`]), or alone ([`ask`]) |
//! | PreToolUse | a rule's deny is answered, for users who register the event so that denies hold even if the client would not ask; questions are asked with `DMPLZ_QUESTIONS_AHEAD=on` |
//! | PostToolUse, PostToolUseFailure, Stop, UserPromptSubmit, SessionEnd | open cards of the session are retired ([`event`]) |
//! | any other | nothing, but that a route may send a notice about it, as about the line above ([`notice`]) |
//!
//! A call whose input cannot be read is denied in PreToolUse if any rule denies anything, and is one that nobody could be
//! asked about in PermissionRequest.
//!
//! stdout receives one JSON object or nothing. The exit code is always 0, because no decision is not an error to the
//! client, which then asks in the terminal. An error is one line on stderr.

mod ask;
mod deadline;
mod event;
mod gateway;
pub(crate) mod grants;
mod notice;
pub(crate) mod rules;
mod session;
mod stdin;
mod stop;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use dmplz_core::claude::{
    Allow, HookEvent, HookInput, ToolCall, permission_allow, permission_deny, tool_answers, tool_deny,
};
use dmplz_core::messenger::ProviderError;
use dmplz_core::request::{ApprovalScope, Decision, ExpiredCause, Outcome, Trouble};
use dmplz_core::text::{Lang, fill, title};
use dmplz_core::visible::visible_line;
use dmplz_policy::{KnownCommands, Ruled};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::settings::{Table, environment, language};
use crate::told::Phrase;
use crate::{terminal, trouble, wording};

/// The tool that asks questions.
pub(crate) const QUESTIONS: &str = "AskUserQuestion";

/// The text of `dmplz hook --help`.
pub(crate) const ABOUT: &str = "\
What Claude Code starts for every event: it reads one event as JSON on stdin, and writes one JSON object, or
nothing, on stdout. It always exits with 0. `dmplz install` registers it; `dmplz demo` shows it at work.

To try it by hand:  dmplz hook < event.json

Claude Code가 이벤트마다 실행하는 훅입니다. stdin의 JSON 이벤트 하나를 읽고, stdout에 JSON 객체 하나를 쓰거나 아무것도
쓰지 않습니다. 종료 코드는 항상 0입니다. `dmplz install`로 등록하고, `dmplz demo`로 직접 볼 수 있습니다.";

/// Runs the hook.
pub(crate) fn run(started: Instant) -> ExitCode {
    if std::io::stdin().is_terminal() {
        trouble::error(what_it_is(terminal::lang(&environment)));
        return ExitCode::SUCCESS;
    }
    trouble::kept::of_hook();
    if let Err(error) = dispatch(started) {
        trouble::error(&trouble::chain(&error));
    }
    ExitCode::SUCCESS
}

/// Returns the words for a person who started it, and what to start instead.
fn what_it_is(lang: Lang) -> &'static str {
    terminal::say(
        lang,
        "dmplz hook은 Claude Code가 실행하고, 이벤트를 stdin의 JSON으로 받습니다. 등록: dmplz install, 직접 보기: dmplz demo, 설명: dmplz hook --help",
        "Claude Code runs `dmplz hook`, with an event as JSON on stdin. To register it: dmplz install. To see it at work: dmplz demo. More: dmplz hook --help",
    )
}

fn dispatch(started: Instant) -> anyhow::Result<()> {
    let stdin = stdin::read()?;
    if stdin.trim_ascii().is_empty() {
        let lang = terminal::lang(&environment);
        let empty = terminal::say(lang, "stdin에 이벤트가 없습니다.", "There is no event on stdin.");
        trouble::error(&format!("{empty} {}", what_it_is(lang)));
        return Ok(());
    }
    let input = match stdin::parse(&stdin) {
        Ok(input) => input,
        Err(error) => return unreadable(&stdin, error),
    };
    let mut gateway = gateway::Reporting::default();
    match input.event() {
        HookEvent::PermissionRequest => request(&input, started).inspect_err(not_asked),
        HookEvent::ToolAhead => ahead(&input, started),
        HookEvent::ToolDone | HookEvent::TurnOver | HookEvent::SessionOver => {
            notice::report(&input, &stdin, &mut gateway);
            event::retire(&input, &mut gateway)
        }
        HookEvent::Other => {
            notice::report(&input, &stdin, &mut gateway);
            Ok(())
        }
    }
}

/// Answers an event that cannot be read as a whole. No rule can be applied to its call, and the call may be one that a
/// rule denies.
fn unreadable(stdin: &[u8], error: anyhow::Error) -> anyhow::Result<()> {
    if let Some(input) = HookInput::without_call(stdin) {
        match input.event() {
            HookEvent::PermissionRequest => not_asked(&error),
            HookEvent::ToolAhead if rules::may_deny(&input) => say(&tool_deny(&format!(
                "The call cannot be read, and a rule of the policy may forbid it, so it was not allowed: {}",
                trouble::chain(&error)
            )))?,
            _ => {}
        }
    }
    Err(error)
}

/// Answers a request that nobody could be asked about.
fn not_asked(error: &anyhow::Error) {
    let outcome = unasked(wording::whole(error));
    let table = table();
    let on_expired = table.get("DMPLZ_ON_EXPIRED").ok().flatten();
    let decision = outcome.decision(on_expired.as_deref() == Some("deny"));
    // The error itself goes to stderr; stdout may be what is broken.
    let lang = language();
    let _ = match &decision {
        Decision::Deny { message } => say(&permission_deny(message)),
        _ => say(&json!({ "systemMessage": told_unasked(wording::whole(error).of(lang), lang) })),
    };
}

/// Returns whether a rule or a grant would decide the event in this hook input, so that nobody would be asked.
pub(crate) fn is_ruled(stdin: &str) -> anyhow::Result<bool> {
    let input = HookInput::parse(stdin.as_bytes())?;
    Ok(rules::judge(&input, &input.tool_call()?).ruled.is_some())
}

/// Lets a rule or a grant decide, or asks a person.
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

/// Answers a rule's deny, or asks questions that a person may answer before the client asks them.
fn ahead(input: &HookInput, started: Instant) -> anyhow::Result<()> {
    let call = input.tool_call()?;
    if rules::ahead(input, &call)? || call.tool != QUESTIONS || session::asks_by_itself(input) {
        return Ok(());
    }
    ask::ask(input, call, &rules::Ruling::default(), started)
}

/// Writes the decision of a request that was asked: one JSON object, or nothing if there is no decision.
fn hand_over(decision: &Decision, input: &HookInput, call: &ToolCall) -> std::io::Result<()> {
    let allow = |scope: &ApprovalScope| scope.allow(call, &input.cwd, &KnownCommands);
    let said = match (decision, input.event()) {
        (Decision::None, _) => None,
        (Decision::Deny { message }, HookEvent::ToolAhead) => Some(tool_deny(message)),
        (Decision::Deny { message }, _) => Some(permission_deny(message)),
        (Decision::Allow { scope, .. }, HookEvent::ToolAhead) => tool_answers(call, &allow(scope)),
        (Decision::Allow { scope, .. }, _) => Some(permission_allow(call, &allow(scope))),
    };
    said.map_or(Ok(()), |said| say(&said))
}

/// Writes a rule's decision. In PreToolUse, before the client has decided whether to ask, an allow is not written.
fn hand_over_ruled(ruled: &Ruled, input: &HookInput, call: &ToolCall) -> std::io::Result<()> {
    let said = match (ruled, input.event()) {
        (Ruled::Denied(denial), HookEvent::ToolAhead) => Some(tool_deny(&denial.told())),
        (Ruled::Denied(denial), _) => Some(permission_deny(&denial.told())),
        (Ruled::Allowed(_), HookEvent::ToolAhead) => None,
        (Ruled::Allowed(_), _) => Some(permission_allow(call, &Allow::default())),
    };
    said.map_or(Ok(()), |said| say(&said))
}

/// Reports why nobody was asked.
fn unasked(why: impl Into<Phrase>) -> Outcome {
    let why: Phrase = why.into();
    Outcome::Expired(ExpiredCause::Failed(why.into()))
}

/// Tells the person at the terminal why there is no decision, if nobody answered or could be asked: the client shows
/// a `systemMessage`, and then asks itself (Claude Code 2.1.330 as observed). `messenger` is the one that a hook alone
/// asked on.
fn explain(outcome: &Outcome, decision: &Decision, messenger: Option<&str>, lang: Lang) -> std::io::Result<()> {
    let words = lang.words();
    let told = match (decision, outcome) {
        (Decision::None, Outcome::Expired(ExpiredCause::Nobody)) => words.unanswered.to_owned(),
        (
            Decision::None,
            Outcome::Expired(ExpiredCause::Failed(Trouble::Messenger(ProviderError::Unreachable(no)))),
        ) => fill(words.unreached, &[&title(messenger.unwrap_or("the messenger")), &visible_line(&no.why)]),
        (Decision::None, Outcome::Expired(ExpiredCause::Failed(Trouble::Messenger(why)))) => {
            told_unasked(wording::phrase(why).of(lang), lang)
        }
        (Decision::None, Outcome::Expired(ExpiredCause::Failed(Trouble::Worded { en, ko }))) => {
            let why = match lang {
                Lang::Ko => ko,
                Lang::En => en,
            };
            told_unasked(why, lang)
        }
        (Decision::None, Outcome::Expired(ExpiredCause::Failed(Trouble::Other(why)))) => told_unasked(why, lang),
        _ => return Ok(()),
    };
    say(&json!({ "systemMessage": told }))
}

fn told_unasked(why: &str, lang: Lang) -> String {
    fill(lang.words().unasked, &[&visible_line(why)])
}

/// Returns the settings; without those of the file if it cannot be read.
fn table() -> Table {
    Table::load(&environment).unwrap_or_else(|_| Table::without_file(&environment))
}

/// Writes to stdout. It is the only place that does, and it does so at most once.
fn say(answer: &Value) -> std::io::Result<()> {
    static SAID: AtomicBool = AtomicBool::new(false);
    if SAID.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(format!("{answer}\n").as_bytes())?;
    stdout.flush()
}
