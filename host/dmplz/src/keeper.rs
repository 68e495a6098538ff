//! `dmplz keeper`: what the gateway starts for each session; not for people. What it does: [`dmplz_runner::keeper`].

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;
use dmplz_runner::keeper::{self, Launch, RUNS, SessionDir};

use crate::environment::environment;
use crate::terminal::{lang, say};
use crate::{exit, trouble};

/// Keeps a session, or becomes its client.
pub(crate) fn run() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(2).collect();
    if let Some(error) = keeper::become_client(&arguments) {
        // On the client's stderr, which the gateway shows.
        trouble::error(&not_started(&error, lang(&environment)));
        return ExitCode::from(exit::FAILED);
    }
    match keep(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&visible_line(&trouble::chain(&error)));
            ExitCode::from(exit::FAILED)
        }
    }
}

/// Returns why the client did not start, and what to do where it is not there.
fn not_started(error: &io::Error, lang: Lang) -> String {
    let what = say(lang, "Claude Code를 시작할 수 없습니다", "Claude Code cannot be started");
    match error.kind() {
        ErrorKind::NotFound => {
            let next = say(
                lang,
                "PATH에 `claude`가 없습니다. Claude Code를 설치하거나, 설치된 폴더를 PATH에 넣어 주세요",
                "there is no `claude` on the PATH; install Claude Code, or put its folder on the PATH",
            );
            format!("{what}: {next}")
        }
        _ => format!("{what}: {error}"),
    }
}

fn keep(arguments: &[OsString]) -> anyhow::Result<()> {
    let [folder] = arguments else { anyhow::bail!("the gateway starts keepers; `dmplz run` starts a session") };
    let dir = SessionDir::at(Path::new(folder)).context("the folder of the session has no session's name")?;
    let mut launch = Vec::new();
    std::io::stdin().lock().read_to_end(&mut launch)?;
    let launch: Launch = serde_json::from_slice(&launch).context("what the session is started with cannot be read")?;
    Ok(keeper::run(&dir, &launch, || tell(RUNS))?)
}

/// Writes a line to the gateway, which may have disconnected.
fn tell(line: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}
