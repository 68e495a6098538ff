//! The calls of clients, and the decisions of rules and grants before a person is asked.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use dmplz_core::claude::{HookInput, ToolCall};
use dmplz_core::grant::{Covers, Grant, Moment};
use dmplz_policy::{Call, File, Origin, Policy, Ruled, Tier};
use serde_json::{Map, Value, json};

use crate::script::{Asks, Event, HookId};

/// The folder of every agent.
pub const CWD: &str = "/work";

/// The rules of every run.
const RULES: &str = r#"
[[rule]]
toolName = "Bash"
commandPrefix = "git status"
decision = "allow"
priority = 100

[[rule]]
toolName = "Bash"
commandPrefix = "git push --force"
decision = "deny"
priority = 900
denyMessage = "No force here."

[[rule]]
toolName = "Bash"
commandPrefix = "git reset --hard"
decision = "deny"
priority = 900
reason = "It loses work."

[[rule]]
toolName = "Bash"
commandPrefix = "git clean"
decision = "deny"
priority = 900
"#;

static POLICY: LazyLock<Policy> = LazyLock::new(|| {
    let origin = Origin { tier: Tier::User, path: PathBuf::from("policy.toml"), root: None, trusted: true };
    Policy::new(vec![File::parse(RULES, origin)])
});

/// The decision of rules and grants about a call.
#[derive(Debug)]
pub struct Ruling {
    /// The decision; `None` if a person decides.
    pub ruled: Option<Ruled>,
    /// What the person may grant.
    pub grantable: Option<Covers>,
}

/// Returns the client's input for a hook.
///
/// # Errors
/// Never: it is what a client says.
pub fn input(hook: HookId, asks: Asks) -> anyhow::Result<HookInput> {
    Ok(HookInput::parse(said(hook, asks, "PermissionRequest").to_string().as_bytes())?)
}

/// Returns the client's input for an event of a hook's session.
pub fn event(hook: HookId, asks: Asks, event: Event) -> Value {
    let name = match event {
        Event::Done | Event::OtherDone => "PostToolUse",
        Event::TurnOver => "Stop",
        Event::SessionOver => "SessionEnd",
    };
    let mut said = said(hook, asks, name);
    if let Some(said) = said.as_object_mut().filter(|_| event == Event::OtherDone) {
        said.insert("tool_input".into(), json!({ "command": "ls" }));
    }
    said
}

/// Returns the session of a hook.
pub fn session(hook: HookId, asks: Asks) -> String {
    if asks == Asks::Again { "session-again".to_owned() } else { format!("session-{hook}") }
}

/// Returns the id of a hook's request.
pub fn request_id(hook: HookId) -> String {
    format!("00000000-0000-4000-8000-{hook:012x}")
}

/// Returns the hook of a request.
pub fn hook_of(id: &str) -> Option<HookId> {
    HookId::from_str_radix(id.get(34..)?, 16).ok()
}

/// Returns the client's input for an event of this name about a call in a hook's session.
pub fn said(hook: HookId, asks: Asks, event: &str) -> Value {
    let command = match asks {
        Asks::Again => "cargo publish".to_owned(),
        Asks::Allowed => "git status".to_owned(),
        Asks::Denied => match hook % 3 {
            0 => "git push --force origin main".to_owned(),
            1 => "git reset --hard".to_owned(),
            _ => "git clean -fd".to_owned(),
        },
        _ => format!("git push origin branch-{hook}"),
    };
    let mut said = json!({
        "hook_event_name": event,
        "session_id": session(hook, asks),
        "cwd": CWD,
        "tool_name": "Bash",
        "tool_input": { "command": command },
    });
    if let (Some(said), Value::Object(more)) = (said.as_object_mut(), more(asks)) {
        said.extend(more);
    }
    said
}

fn more(asks: Asks) -> Value {
    match asks {
        Asks::Command | Asks::Again | Asks::Allowed | Asks::Denied => json!({}),
        Asks::Suggests => {
            let narrow = json!({ "toolName": "Bash", "ruleContent": "git push *" });
            let wide = json!({ "toolName": "Bash" });
            let stored = |rule: &Value| json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session" });
            let mode = json!({ "type": "setMode", "mode": "acceptEdits", "destination": "session" });
            json!({ "permission_suggestions": [stored(&narrow), stored(&wide), mode] })
        }
        Asks::Questions => {
            let option = |label: &str| json!({ "label": label, "description": "" });
            json!({ "tool_name": "AskUserQuestion", "tool_input": { "questions": [
                { "question": "Which color?", "header": "Color", "multiSelect": false, "options": [option("Red"), option("Blue")] },
                { "question": "Which sizes?", "header": "Size", "multiSelect": true, "options": [option("S"), option("L")] },
            ]}})
        }
        Asks::Plan => json!({ "tool_name": "ExitPlanMode", "tool_input": { "plan": "1. Write it.\n2. Run it." } }),
    }
}

/// Judges a call by the rules, and by these grants where the rules leave it to a person.
pub fn judge(call: &ToolCall, session: &str, grants: &[Grant], now: Moment) -> Ruling {
    with_call(&call.tool, &call.input, |call| {
        let ruled = ruled(call).or_else(|| POLICY.granted(call, session, grants, now).map(Ruled::Allowed));
        let grantable = if ruled.is_none() { POLICY.grantable(call) } else { None };
        Ruling { ruled, grantable }
    })
}

/// Returns the decision of the rules alone about a program's request.
pub fn by_rules(tool: &str, input: &Map<String, Value>) -> Option<Ruled> {
    with_call(tool, input, ruled)
}

fn ruled(call: &Call<'_>) -> Option<Ruled> {
    Ruled::of(&POLICY.check(call))
}

fn with_call<T>(tool: &str, input: &Map<String, Value>, judge: impl FnOnce(&Call<'_>) -> T) -> T {
    judge(&Call { cwd: Some(Path::new(CWD)), ..Call::new(tool, input, Default::default()) })
}
