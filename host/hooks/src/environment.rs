//! The environment of a handler.
//!
//! It gets the environment of dmplz without the variables of dmplz, what earlier hooks wrote into their `CLAUDE_ENV_FILE`, and:
//!
//! | variable | value |
//! |---|---|
//! | `CLAUDE_PROJECT_DIR` | the folder of the project |
//! | `CLAUDE_CODE_SESSION_ID`, `CLAUDE_SESSION_ID` | the session |
//! | `CLAUDE_TRANSCRIPT_PATH` | the file of the session's events |
//! | `CLAUDE_HOOK_EVENT_NAME`, `CLAUDE_HOOK_MATCHER`, `CLAUDE_HOOK_DESCRIPTION` | the event, and the hook's own words |
//! | `CLAUDE_TOOL_NAME`, `CLAUDE_TOOL_INPUT` | the tool call, its input as JSON |
//! | `CLAUDE_NOTIFICATION_TYPE` | the kind of a notification |
//! | `CLAUDE_EFFORT` | the level of effort, if the event names it |
//! | `CLAUDE_ENV_FILE` | where the hook may write `export NAME=VALUE` for later hooks |
//! | `CLAUDECODE`, `CLAUDE_CODE_ENTRYPOINT` | `1`, `dmplz` |
//!
//! A value that a process cannot be given is left out: one with a NUL, or longer than [`MAX_VALUE`]. It is in stdin whole.

use std::collections::BTreeMap;
use std::path::Path;

use crate::input::Input;
use crate::plan::Planned;

/// The longest value of a variable, in bytes. Linux takes 128 KiB with the name.
pub const MAX_VALUE: usize = 96 << 10;

/// What the handlers of a session have in common.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The folder of the project, in which handlers run.
    pub project: &'a Path,
    /// The environment of dmplz.
    pub base: &'a BTreeMap<String, String>,
    /// What earlier hooks exported.
    pub exported: &'a BTreeMap<String, String>,
}

/// Returns the environment of one handler.
pub fn environment(
    of: Surroundings<'_>,
    input: &Input,
    planned: &Planned<'_>,
    env_file: Option<&Path>,
) -> BTreeMap<String, String> {
    let tool_input = input.tool_input().and_then(|input| serde_json::to_string(input).ok());
    let path = |path: &Path| path.to_str().map(str::to_owned);
    let text = |name: &str| input.text(name).map(str::to_owned);
    let own = [
        ("CLAUDECODE", Some("1".to_owned())),
        ("CLAUDE_CODE_ENTRYPOINT", Some("dmplz".to_owned())),
        ("CLAUDE_PROJECT_DIR", path(of.project)),
        ("CLAUDE_CODE_SESSION_ID", text("session_id")),
        ("CLAUDE_SESSION_ID", text("session_id")),
        ("CLAUDE_TRANSCRIPT_PATH", text("transcript_path")),
        ("CLAUDE_HOOK_EVENT_NAME", Some(input.event().to_owned())),
        ("CLAUDE_HOOK_MATCHER", Some(planned.group.written.clone())),
        ("CLAUDE_HOOK_DESCRIPTION", planned.handler.description.clone()),
        ("CLAUDE_TOOL_NAME", text("tool_name")),
        ("CLAUDE_TOOL_INPUT", tool_input),
        ("CLAUDE_NOTIFICATION_TYPE", text("notification_type")),
        ("CLAUDE_EFFORT", input.effort().map(str::to_owned)),
        ("CLAUDE_ENV_FILE", env_file.and_then(path)),
    ];
    let inherited = of.base.iter().filter(|(name, _)| is_passed_on(name)).chain(of.exported);
    let mut all: BTreeMap<_, _> = inherited.map(|(name, value)| (name.clone(), value.clone())).collect();
    for (name, value) in own {
        // A variable of the session around dmplz would tell the hook about another event.
        all.remove(name);
        all.extend(value.map(|value| (name.to_owned(), value)));
    }
    all.retain(|name, value| {
        !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0') && value.len() <= MAX_VALUE
    });
    all
}

/// Returns whether a variable of dmplz's own environment is passed on. Those of dmplz hold tokens of messengers; a hook that
/// calls `dmplz` needs only to find the state directory, and its language.
fn is_passed_on(name: &str) -> bool {
    !name.starts_with("DMPLZ_") || matches!(name, "DMPLZ_STATE_DIR" | "DMPLZ_LANG")
}

/// Returns a text with `${CLAUDE_PROJECT_DIR}` filled in, as the arguments of a handler without a shell are.
pub fn filled(text: &str, project: &Path) -> String {
    text.replace("${CLAUDE_PROJECT_DIR}", &project.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::condition::Base;
    use crate::event::Dialect;
    use crate::settings::Hooks;

    #[test]
    fn a_handler_gets_both_sets_of_names_and_no_token_of_a_messenger() {
        let text = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash|Edit","hooks":[{"type":"command","command":"x","description":"says x"}]}]}}"#;
        let hooks = Hooks::parse(text, Dialect::Claude, Base { file: Path::new("/s"), home: None });
        let (group, handler) = hooks.handlers().next().unwrap();
        let planned = Planned { source: dmplz_core::claude::SettingsFile::User, group, handler, skip: None };
        let base = BTreeMap::from(
            [("PATH", "/bin"), ("DMPLZ_TELEGRAM_BOT_TOKEN", "1:x"), ("DMPLZ_LANG", "ko"), ("CLAUDE_TOOL_NAME", "old")]
                .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        let exported = BTreeMap::from([("STAGE".to_owned(), "dev".to_owned())]);
        let of = Surroundings { project: Path::new("/p"), base: &base, exported: &exported };
        let mut input = Input::example("PreToolUse").with_defaults(crate::input::Defaults {
            session_id: "s1",
            transcript_path: "/t.jsonl",
            cwd: "/p",
        });
        let all = environment(of, &input, &planned, Some(Path::new("/env")));
        let lines: Vec<String> = all.iter().map(|(name, value)| format!("{name}={value}")).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        CLAUDECODE=1
        CLAUDE_CODE_ENTRYPOINT=dmplz
        CLAUDE_CODE_SESSION_ID=s1
        CLAUDE_ENV_FILE=/env
        CLAUDE_HOOK_DESCRIPTION=says x
        CLAUDE_HOOK_EVENT_NAME=PreToolUse
        CLAUDE_HOOK_MATCHER=Bash|Edit
        CLAUDE_PROJECT_DIR=/p
        CLAUDE_SESSION_ID=s1
        CLAUDE_TOOL_INPUT={"command":"npm test","description":"Run the tests"}
        CLAUDE_TOOL_NAME=Bash
        CLAUDE_TRANSCRIPT_PATH=/t.jsonl
        DMPLZ_LANG=ko
        PATH=/bin
        STAGE=dev
        "#);
        let big = json!({ "tool_name": "Write", "tool_input": { "content": "x".repeat(400_000) } });
        input = Input::new("PreToolUse", big.as_object().unwrap().clone());
        let all = environment(of, &input, &planned, None);
        assert!(!all.contains_key("CLAUDE_TOOL_INPUT") && !all.contains_key("CLAUDE_ENV_FILE"));
    }
}
