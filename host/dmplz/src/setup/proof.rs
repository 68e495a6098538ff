//! The proof that all of it works: the hook as Claude Code starts it, with a PermissionRequest as Claude Code once wrote
//! it. Its card is the test card, and what the person presses comes out as what Claude Code would get. After a pairing the
//! card also asks in the chat whether the person is the one at the terminal: only an approval says so.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use anyhow::Context;
use dmplz_core::visible::visible_line;
use dmplz_state::{Instance, Queue, StateDir};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::failure::Failure;
use super::report::Test;
use crate::account::Chosen;
use crate::hook;

/// As Claude Code 2.1.330 wrote it to a hook, but for the command, which nobody will run.
const REQUEST: &str = include_str!("request.json");

/// What the test card asks, and how its hook is started.
#[derive(Debug)]
pub(crate) struct Trial {
    /// The command on the card, in the place of that of the recorded request. Nobody runs it.
    pub(crate) command: Option<String>,
    /// Settings that are not kept, by variable.
    pub(crate) settings: Vec<(&'static str, String)>,
    /// How the name of the folder begins that the card shows.
    pub(crate) prefix: &'static str,
}

/// The running hook.
pub(crate) struct Proof {
    child: Child,
    /// Where the request says that it was made, until this is dropped.
    _folder: TempDir,
}

impl Proof {
    /// Starts the hook for an account, with a folder of its own. `waits` is how long a press is waited for.
    pub(crate) fn start(chosen: &Chosen, state: &StateDir, waits: Duration, trial: Trial) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix(trial.prefix).tempdir();
        let folder = folder.context("a temporary directory cannot be made")?;
        // A gateway that holds the bot asks there; one that does not know the bot yet would ask elsewhere.
        let is_free = Queue::new(state, &chosen.key).join()?.try_first()?;
        let alone = is_free && Instance::running(state)?.is_some();
        let mut request: Value = serde_json::from_str(REQUEST)?;
        if let Some(cwd) = request.get_mut("cwd") {
            *cwd = folder.path().display().to_string().into();
        }
        if let (Some(command), Some(words)) = (request.pointer_mut("/tool_input/command"), trial.command) {
            *command = words.into();
        }
        let request = request.to_string();
        is_asked(&request)?;
        let program = std::env::current_exe().context("this program's own path cannot be found")?;
        let mut command = Command::new(program);
        command.arg("hook").env("DMPLZ_QUESTION_TIMEOUT_MS", waits.as_millis().to_string());
        command.envs(trial.settings);
        if alone {
            command.env("DMPLZ_GATEWAY", "off");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("the hook cannot be started")?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(request.as_bytes()).context("the hook takes no input")?;
        }
        Ok(Self { child, _folder: folder })
    }

    /// Waits for its end, which comes with a press or its time. The rest of the program goes on meanwhile; a Ctrl-C in
    /// the terminal reaches the hook as well, and it retires its card.
    pub(crate) async fn ended(self) -> anyhow::Result<Test> {
        let (sender, ended) = oneshot::channel();
        std::thread::spawn(move || sender.send(self.child.wait_with_output()));
        judge(&ended.await?.context("the hook's end cannot be waited for")?)
    }
}

/// Checks that a person would be asked: a rule that answers proves nothing.
fn is_asked(request: &str) -> anyhow::Result<()> {
    if hook::is_ruled(request)? { Err(Failure::RuleAnswers.into()) } else { Ok(()) }
}

/// Checks, before anybody has to do anything, that a person will be asked.
pub(super) fn will_be_asked() -> anyhow::Result<()> {
    is_asked(REQUEST)
}

/// What the hook's output comes to.
fn judge(output: &Output) -> anyhow::Result<Test> {
    let written = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let said: Value = serde_json::from_str(&written).unwrap_or_default();
    let behavior = said.pointer("/hookSpecificOutput/decision/behavior").and_then(Value::as_str);
    if let Some(pressed @ ("allow" | "deny")) = behavior {
        return Ok(Test { pressed: pressed.to_owned(), claude_code_gets: said, written });
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let error = errors.lines().last().map(|line| visible_line(line.trim_start_matches("dmplz: ")));
    Err(match error {
        Some(why) => {
            let korean = of_person(&said).unwrap_or(&why).to_owned();
            Failure::TestFailed([korean, why].into()).into()
        }
        None => Failure::TestUnanswered.into(),
    })
}

/// Returns why nobody was asked, as the hook tells the person in their language; its stderr is English. The last sentence asks
/// them to answer in Claude Code, which does not run here.
fn of_person(said: &Value) -> Option<&str> {
    let told = said.get("systemMessage")?.as_str()?;
    told.trim_start_matches("dmplz: ").rsplit_once(". ").map(|(why, _)| why)
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use dmplz_core::text::Lang;

    use super::*;
    use crate::told::Phrase;

    fn judged(stdout: &str, stderr: &str) -> Result<String, Failure> {
        let status = std::process::ExitStatus::from_raw(0);
        let output = Output { status, stdout: stdout.into(), stderr: stderr.into() };
        judge(&output).map(|test| test.pressed).map_err(|error| error.downcast().unwrap())
    }

    #[test]
    fn only_a_decision_proves_a_press() {
        let decision = |behavior| {
            format!(
                r#"{{"hookSpecificOutput":{{"hookEventName":"PermissionRequest","decision":{{"behavior":"{behavior}"}}}}}}"#
            )
        };
        assert_eq!(judged(&decision("allow"), ""), Ok("allow".to_owned()));
        assert_eq!(judged(&decision("deny"), "dmplz: a warning"), Ok("deny".to_owned()));
        assert_eq!(judged(&decision("maybe"), ""), Err(Failure::TestUnanswered));
        assert_eq!(judged("", ""), Err(Failure::TestUnanswered));
        assert_eq!(judged(r#"{"systemMessage":"nobody answered"}"#, ""), Err(Failure::TestUnanswered));
        let error = "dmplz: first\ndmplz: the bot cannot log in\n";
        assert_eq!(judged("", error), Err(Failure::TestFailed(Phrase::same("the bot cannot log in"))));
    }

    #[test]
    fn why_nobody_could_be_asked_is_told_in_the_language_of_the_person() {
        let told =
            r#"{"systemMessage":"dmplz: Telegram에 연결하지 못했습니다(https://x: refused). 여기서 답해 주세요."}"#;
        let failure = judged(told, "dmplz: the messenger cannot be reached: https://x: refused\n").unwrap_err();
        let what = |lang| failure.what(lang);
        assert_eq!(
            what(Lang::Ko),
            "훅으로 테스트 카드를 보내려 했습니다: 보내지 못했습니다: Telegram에 연결하지 못했습니다(https://x: refused)"
        );
        assert!(what(Lang::En).ends_with("it could not: the messenger cannot be reached: https://x: refused"));
    }
}
