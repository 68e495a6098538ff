//! The command and the environment of the client.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dmplz_protocol::session::Mode;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The folder of the state directory that holds the sessions.
pub const SESSIONS: &str = "sessions";

/// The variable by which a process knows that it belongs to a session of ours: the session's id.
pub const MARK: &str = "DMPLZ_SESSION";

/// The program that is started, found in the `PATH` of the session.
const PROGRAM: &str = "claude";

/// The parameters of a session's start. The gateway writes them to the keeper's stdin, as JSON.
#[derive(Clone, Serialize, Deserialize)]
pub struct Launch {
    /// The session's id, which the client uses as well.
    pub session: Uuid,
    /// The folder in which it works, as an absolute path.
    pub cwd: PathBuf,
    /// The whole environment, before [`Launch::environment`].
    pub env: BTreeMap<String, String>,
    /// The model; `None` for the client's default.
    pub model: Option<String>,
    /// The permission mode that it begins in.
    pub mode: Mode,
    /// The client's id of the conversation that it resumes; `None` if it begins one under the session's id.
    #[serde(default)]
    pub resume: Option<Uuid>,
    /// Whether it leaves that conversation as it is, and continues a copy under the session's id.
    #[serde(default)]
    pub fork: bool,
    /// The folder of the files that people send to the session, as an absolute path. The client may read them without
    /// asking, because people send them for that.
    pub received: PathBuf,
    /// What the client may spend, in US dollars; `None` without a limit.
    #[serde(default)]
    pub budget: Option<f64>,
    /// Whether the mode `bypassPermissions` may be set later: the client refuses it otherwise.
    #[serde(default)]
    pub bypass: bool,
    /// The number of clients that the session had before.
    #[serde(default)]
    pub run: u32,
}

impl Launch {
    /// Returns the program and its arguments. The mode is always given, because otherwise the client's settings would
    /// choose it, and in `auto` a classifier decides instead of a person. An untrusted value follows `=`, so that it
    /// cannot become a flag.
    pub fn command(&self) -> Vec<String> {
        let fixed = [
            PROGRAM, "-p", "--output-format=stream-json", "--verbose", "--input-format=stream-json",
            "--permission-prompt-tool=stdio", "--replay-user-messages", "--include-partial-messages",
        ];
        let mut command: Vec<String> = fixed.map(str::to_owned).into();
        command.push(format!("--permission-mode={}", self.mode.name()));
        command.extend(self.bypass.then(|| "--allow-dangerously-skip-permissions".to_owned()));
        command.extend(self.resume.map(|conversation| format!("--resume={conversation}")));
        command.extend(self.fork.then(|| "--fork-session".to_owned()));
        if self.fork || self.resume.is_none() {
            command.push(format!("--session-id={}", self.session));
        }
        command.extend(self.model.as_ref().map(|model| format!("--model={model}")));
        command.push(format!("--add-dir={}", self.received.display()));
        command.extend(self.budget.map(|usd| format!("--max-budget-usd={:.2}", usd.max(0.01))));
        command
    }

    /// Returns the environment of the client, without the variables of another session, and without our own settings,
    /// which may contain a bot's token. Only `LEFT` remains of ours, for the hooks that the client starts.
    pub fn environment(&self) -> BTreeMap<String, String> {
        const LEFT: [&str; 2] = ["DMPLZ_STATE_DIR", "DMPLZ_LANG"];
        const NESTED: [&str; 9] = [
            "CLAUDECODE", "CLAUDE_PID", "CLAUDE_EFFORT", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID",
            "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_MESSAGING_SOCKET",
            "CLAUDE_CODE_MESSAGING_TOKEN",
        ];
        let is_left = |name: &str| {
            let ours = name.starts_with("DMPLZ_") && !LEFT.contains(&name);
            !ours && !NESTED.contains(&name)
        };
        let left = self.env.iter().filter(|(name, _)| is_left(name));
        let mut environment: BTreeMap<_, _> = left.map(|(name, value)| (name.clone(), value.clone())).collect();
        let own = [
            (MARK, self.session.to_string()),
            ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli".to_owned()),
            ("CLAUDE_AGENT_SDK_CLIENT_APP", concat!("dmplz/", env!("CARGO_PKG_VERSION")).to_owned()),
            ("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1".to_owned()),
            // Without it the client cannot undo its edits.
            ("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true".to_owned()),
        ];
        environment.extend(own.map(|(name, value)| (name.to_owned(), value)));
        environment
    }
}

impl std::fmt::Debug for Launch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Launch").field("session", &self.session).field("cwd", &self.cwd).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_from_outside_never_becomes_a_flag_and_the_mode_is_always_said() {
        let launch = Launch {
            session: Uuid::nil(),
            cwd: "/p".into(),
            env: BTreeMap::new(),
            model: Some("--dangerously-skip-permissions".into()),
            mode: Mode::default(),
            resume: None,
            fork: false,
            received: "/s/received".into(),
            budget: Some(2.5),
            bypass: false,
            run: 0,
        };
        insta::assert_snapshot!(launch.command().join("\n"), @r#"
        claude
        -p
        --output-format=stream-json
        --verbose
        --input-format=stream-json
        --permission-prompt-tool=stdio
        --replay-user-messages
        --include-partial-messages
        --permission-mode=default
        --session-id=00000000-0000-0000-0000-000000000000
        --model=--dangerously-skip-permissions
        --add-dir=/s/received
        --max-budget-usd=2.50
        "#);
        let forked = Launch { resume: Some(Uuid::from_u128(7)), fork: true, ..launch };
        let command = forked.command().join(" ");
        let wanted = "--resume=00000000-0000-0000-0000-000000000007 --fork-session --session-id=00000000-0000-0000-0000-000000000000";
        assert!(command.contains(wanted), "{command}");
        let resumed =
            Launch { resume: Some(Uuid::nil()), fork: false, run: 1, mode: Mode::Plan, bypass: true, ..forked };
        let command = resumed.command();
        assert!(command.contains(&"--resume=00000000-0000-0000-0000-000000000000".to_owned()), "{command:?}");
        assert!(command.contains(&"--permission-mode=plan".to_owned()), "{command:?}");
        assert!(command.contains(&"--allow-dangerously-skip-permissions".to_owned()), "{command:?}");
        assert!(!command.iter().any(|word| word.starts_with("--session-id")), "{command:?}");
    }

    #[test]
    fn the_client_gets_neither_our_secrets_nor_another_sessions_marks() {
        let names = [
            "PATH", "HOME", "CLAUDECODE", "DMPLZ_SESSION", "DMPLZ_TELEGRAM_BOT_TOKEN", "DMPLZ_STATE_DIR",
            "ANTHROPIC_API_KEY",
        ];
        let launch = Launch {
            session: Uuid::nil(),
            cwd: "/p".into(),
            env: names.map(|name| (name.to_owned(), "outer".to_owned())).into(),
            model: None,
            mode: Mode::Plan,
            resume: None,
            fork: false,
            received: "/s/received".into(),
            budget: Some(2.5),
            bypass: false,
            run: 0,
        };
        let got: Vec<String> =
            launch.environment().into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        insta::assert_snapshot!(got.join("\n"), @r#"
        ANTHROPIC_API_KEY=outer
        CLAUDE_AGENT_SDK_CLIENT_APP=dmplz/0.1.0
        CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1
        CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=true
        CLAUDE_CODE_ENTRYPOINT=sdk-cli
        DMPLZ_SESSION=00000000-0000-0000-0000-000000000000
        DMPLZ_STATE_DIR=outer
        HOME=outer
        PATH=outer
        "#);
    }
}
