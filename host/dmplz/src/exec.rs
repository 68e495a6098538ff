//! `dmplz exec -- CMD ARGS`: runs a command through the gateway once somebody allowed it, as if it ran here: its
//! output is copied to stdout and stderr byte for byte, and its exit code is returned.
//!
//! | the command | exit code |
//! |---|---|
//! | exited by itself | its own |
//! | was killed by a signal | 128 and the signal's number, as a shell says it |
//! | ran too long | [`exit::EXEC_TIMEOUT`] |
//! | was denied, or differs from what was shown | [`exit::EXEC_FORBIDDEN`] |
//! | was not answered in time, or nobody could be asked | [`exit::EXEC_EXPIRED`] |
//! | could not be started, was stopped early, or the gateway was lost | [`exit::EXEC_NOT_RUN`] |
//! | was not asked about, because no gateway runs | [`exit::EXEC_NO_GATEWAY`] |
//!
//! The command lives as long as this process: when that ends (Ctrl-C, a kill, a closed pipe), the gateway withdraws
//! the request or stops the command. The command has no input.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::time::Duration;

use dmplz_core::text::{Lang, fill};
use dmplz_gateway::tools::Moment;
use dmplz_protocol::RequestId;
use dmplz_protocol::client::{self, Client, GatewayError, Incoming};
use dmplz_protocol::method::Notification;
use dmplz_protocol::tool::{Code, InvokeTool, Invoked, Report, RunTool, State, Stream, Written};

use crate::environment::is_not_utf8;
use crate::failed::Failed;
use crate::gateway::Place;
use crate::hooks::Around;
use crate::settings::{environment, language};
use crate::terminal::{say, show_json};
use crate::told::Tell;
use crate::{duration, exit, time, trouble};

/// The arguments of `exec`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct Args {
    /// A variable of yours that the command gets; its value is shown to nobody · 명령에 넘길 환경 변수
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
    /// Where it runs; this folder unless given · 작업 폴더 (기본값: 현재 폴더)
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// How long it may run, such as 90s or 1h30m; 10m unless given · 실행 제한 시간
    #[arg(long, value_name = "TIME", value_parser = duration::seconds)]
    timeout: Option<Duration>,
    /// JSON for programs at the end, with what it wrote · 끝난 뒤 JSON으로 출력
    #[arg(long)]
    json: bool,
    /// The command and its arguments · 명령과 인자
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<String>,
}

const AFTER: &str = "\
Somebody is asked unless a rule decides, and exactly what they saw is run. `dmplz serve` must be running; the command gets its
PATH, HOME, USER and LANG, and what --env names (--env PATH: yours). It has no input, and ends when this ends.
규칙이 정하지 않으면 사람에게 묻고, 보여 준 그대로만 실행합니다. `dmplz serve`가 실행 중이어야 합니다.

Exit codes · 종료 코드: the command's own (128+N: killed by signal N), or
  64  the command line is not understood          75  nobody answered in time, or could be asked
  69  no gateway is running                       77  denied, or not what was shown any more
  71  it could not be started, or was stopped    124  it ran longer than it may";

/// Asks, waits and shows the output. Returns the exit code.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let refuse = |error: anyhow::Error, code| Ok(Failed::of(&error, language()).with_exit(code).tell(args.json));
    let call = match args.call() {
        Ok(call) => call,
        Err(error) => return refuse(error, exit::EXEC_USAGE),
    };
    let place = match Place::find() {
        Ok(place) => place,
        Err(error) => return refuse(error.into(), exit::EXEC_NOT_RUN),
    };
    let lang = place.lang;
    let hooks = Around::begin(&call.0.cwd, &call.0.argv);
    hooks.iter().for_each(Around::before);
    let followed = place.connect().and_then(|client| follow(client, &call, args.json, lang, hooks.as_ref()));
    if let (Some(hooks), Ok(Some(report))) = (&hooks, &followed) {
        tell(hooks, report);
    }
    let code = match followed {
        Ok(Some(report)) => {
            let shown = if args.json { show_json(&report) } else { Ok(()) };
            shown.map(|()| ended(&report))
        }
        // The reader of the output is gone.
        Ok(None) => Ok(exit::EXEC_CLOSED_PIPE),
        Err(error) => {
            let code = refused(&error);
            refuse(error.into(), code)
        }
    };
    hooks.into_iter().for_each(Around::end);
    code
}

impl Args {
    fn call(&self) -> anyhow::Result<RunTool> {
        let cwd = self.cwd.clone().unwrap_or_else(|| PathBuf::from("."));
        let cwd = std::path::absolute(cwd).told("폴더를 찾을 수 없습니다", "the folder cannot be found", &[])?;
        cwd.to_str().told("폴더의 이름이 UTF-8이 아닙니다", "the name of the folder is no UTF-8", &[])?;
        let mut env = BTreeMap::new();
        for name in &self.env {
            let value = environment(name).filter(|value| !is_not_utf8(value));
            let value = value.told(
                "넘겨줄 수 없는 변수입니다: {} (설정되지 않았거나 UTF-8이 아닙니다)",
                "{} cannot be passed on: it is not set, or no UTF-8",
                &[name],
            )?;
            env.insert(name.clone(), value);
        }
        let timeout_ms = self.timeout.map(time::millis);
        Ok(RunTool(InvokeTool { argv: self.command.clone(), cwd, env, timeout_ms }))
    }
}

/// Tells the hooks how the command ended. There is no event for a command that was never asked about, or that nobody answered.
fn tell(hooks: &Around, report: &Report) {
    let why = report.error.as_ref().map(|fault| fault.message.clone()).unwrap_or_default();
    hooks.hear(&match report.state {
        State::Succeeded => Moment::Succeeded,
        State::Forbidden => Moment::Denied(why),
        State::Expired => return,
        _ => Moment::Failed(why),
    });
}

/// Follows the command to its end; `None` if nobody reads its output any more.
fn follow(
    mut client: Client,
    call: &RunTool,
    json: bool,
    lang: Lang,
    hooks: Option<&Around>,
) -> Result<Option<Report>, GatewayError> {
    let sent = client.send(call, None)?;
    loop {
        match client.next(None)? {
            Incoming::Told(told) if told.method == Invoked::NAME => {
                let invoked: Invoked = told.params()?;
                if let Some(request) = invoked.approval_id {
                    announce(request, lang);
                    hooks.into_iter().for_each(|hooks| hooks.hear(&Moment::Asked));
                }
            }
            Incoming::Told(told) if told.method == Written::NAME && !json => {
                if !written(told.params()?)? {
                    return Ok(None);
                }
            }
            Incoming::Told(_) => {}
            Incoming::Answered(id, answer) if id == sent => {
                return client::read(&answer?).map(Some);
            }
            Incoming::Answered(..) => {}
        }
    }
}

/// Reports that somebody is asked, and how to answer here.
pub(crate) fn announce(request: RequestId, lang: Lang) {
    let words = say(
        lang,
        "승인을 기다립니다: 메신저나 웹 페이지에서, 또는 dmplz approvals approve {}",
        "waiting for an approval: in the messenger, on the page, or with dmplz approvals approve {}",
    );
    // The whole id is shown, because a program may answer. A closed stderr is no reason to stop.
    let _ = writeln!(std::io::stderr(), "dmplz: {}", fill(words, &[&request.to_string()]));
}

/// Passes output on. Returns false if nobody reads it any more.
fn written(written: Written) -> Result<bool, GatewayError> {
    let stream = written.stream;
    let bytes = written.into_bytes().ok_or(GatewayError::Lost)?;
    let pass = |to: &mut dyn Write| to.write_all(&bytes).and_then(|()| to.flush());
    let passed = match stream {
        Stream::Stdout => pass(&mut std::io::stdout().lock()),
        Stream::Stderr => pass(&mut std::io::stderr().lock()),
    };
    match passed {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(GatewayError::Io(error)),
    }
}

/// Returns the exit code of an end, which is explained if it is not the command's own.
fn ended(report: &Report) -> u8 {
    let fault = report.error.as_ref();
    match (report.state, fault.map(|fault| fault.code)) {
        (State::Succeeded, _) => exit::OK,
        (_, Some(Code::Exit)) => report.exit_code.and_then(|code| u8::try_from(code).ok()).unwrap_or(exit::FAILED),
        (_, Some(Code::Signal)) => {
            report.signal.and_then(|signal| u8::try_from(signal + 128).ok()).unwrap_or(exit::FAILED)
        }
        (state, code) => {
            if let Some(fault) = fault {
                trouble::error(&fault.message);
            }
            match (state, code) {
                (State::Forbidden, _) => exit::EXEC_FORBIDDEN,
                (State::Expired, _) => exit::EXEC_EXPIRED,
                (_, Some(Code::Timeout)) => exit::EXEC_TIMEOUT,
                _ => exit::EXEC_NOT_RUN,
            }
        }
    }
}

/// Returns the exit code if the gateway did not accept the command, or was lost.
fn refused(error: &GatewayError) -> u8 {
    match error.code() {
        _ if error.is_not_running() => exit::EXEC_NO_GATEWAY,
        Some(dmplz_protocol::Code::NOBODY_LISTENS) => exit::EXEC_EXPIRED,
        _ => exit::EXEC_NOT_RUN,
    }
}

#[cfg(test)]
mod tests {
    use dmplz_protocol::tool::Fault;
    use serde_json::json;

    use super::*;

    fn report(state: State, code: Option<Code>) -> Report {
        let error = code.map(|code| Fault { code, message: "why".into() });
        let report = json!({
            "invocationId": "7f8c3f0e-8e0e-4c55-9df4-0a2a8c6f4f11", "state": state, "argv": ["x"], "cwd": "/",
            "output": [], "truncated": false, "createdMs": 1, "exitCode": 3, "signal": 9, "error": error,
        });
        serde_json::from_value(report).unwrap()
    }

    #[test]
    fn every_end_has_its_exit_code() {
        for (state, code, expected) in [
            (State::Succeeded, None, 0),
            (State::Failed, Some(Code::Exit), 3),
            (State::Failed, Some(Code::Signal), 137),
            (State::Failed, Some(Code::Timeout), 124),
            (State::Failed, Some(Code::Start), 71),
            (State::Failed, Some(Code::Cancelled), 71),
            (State::Failed, Some(Code::Interrupted), 71),
            (State::Forbidden, Some(Code::Forbidden), 77),
            (State::Forbidden, Some(Code::Mismatch), 77),
            (State::Expired, Some(Code::Expired), 75),
        ] {
            assert_eq!(ended(&report(state, code)), expected, "{state:?} {code:?}");
        }
    }
}
