//! Permission updates: what an allow stores in the client, so that it does not ask again.
//!
//! "Allow for the session" stores the client's own suggestions with destination `session`. If the client suggests
//! nothing, it stores the narrowest rule that covers exactly this call ([`super::rule`]).
//!
//! A suggestion that is broader than the call ([`super::breadth`]) is not included; a person has to request it.
//!
//! Suggestions are parsed strictly: only an allow rule, a directory and the mode `acceptEdits` are accepted. Any
//! other suggestion is left out and never passed on.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::breadth::{self, Breadth, Commands};
use super::input::ToolCall;
use super::rule::Rule;
use crate::text::Words;

/// An update that the client suggests to store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PermissionUpdate {
    /// Allow what the rules cover.
    AddRules {
        /// The rules.
        rules: Vec<Rule>,
        /// The behavior of the rules.
        behavior: Behavior,
        /// Where they are stored.
        destination: Scope,
    },
    /// Let the client work in more directories.
    AddDirectories {
        /// The absolute paths of the directories.
        directories: Vec<String>,
        /// Where they are stored.
        destination: Scope,
    },
    /// Change the permission mode of a session.
    SetMode {
        /// The new mode.
        mode: Mode,
        /// Where it is stored.
        destination: Scope,
    },
}

/// The place where the client stores a permission. A card offers them in this order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// This project, just you: `.claude/settings.local.json`.
    #[default]
    #[serde(rename = "localSettings")]
    Local,
    /// Every project of the user: `~/.claude/settings.json`.
    #[serde(rename = "userSettings")]
    User,
    /// This project, shared: `.claude/settings.json`.
    #[serde(rename = "projectSettings")]
    Project,
    /// This session, in the client's memory.
    Session,
}

/// One of the client's suggestions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    /// The update that would be stored.
    pub update: PermissionUpdate,
    /// Why it is broader than the call, if it is. Then it is stored only if a person requests it.
    #[serde(alias = "wide", default, skip_serializing_if = "Option::is_none")]
    pub broad: Option<Breadth>,
}

/// The behavior of a rule: only an allow is ever stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Behavior {
    /// Calls that match are allowed.
    Allow,
}

/// The modes that a card may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// The client asks before it edits a file.
    Default,
    /// Edits are accepted automatically.
    AcceptEdits,
}

/// One thing that the client may do without asking, because it was stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", content = "text", rename_all = "camelCase")]
pub enum Permission {
    /// The calls that a rule covers, as the client's settings write it: `Bash(git push *)`.
    Rule(String),
    /// Work in a directory; its absolute path.
    Directory(String),
}

impl Permission {
    /// Returns the name of the list in the client's settings, below `permissions`, that holds it.
    pub fn list(&self) -> &'static str {
        match self {
            Self::Rule(_) => "allow",
            Self::Directory(_) => "additionalDirectories",
        }
    }

    /// Returns the entry of that list.
    pub fn text(&self) -> &str {
        let (Self::Rule(text) | Self::Directory(text)) = self;
        text
    }
}

/// Returns what "allow for the session" would store. It is empty, and not offered, if nothing narrow enough exists.
pub fn session_grant(call: &ToolCall, cwd: &str, commands: &dyn Commands) -> Vec<PermissionUpdate> {
    if is_new_every_time(call) {
        return Vec::new();
    }
    let narrow = suggestions(call, cwd, commands).into_iter().filter(|suggestion| suggestion.broad.is_none());
    let suggested: Vec<_> = narrow.map(|suggestion| suggestion.update.stored_in(Scope::Session)).collect();
    if !suggested.is_empty() {
        return suggested;
    }
    Rule::narrowest(call, cwd).map(|rule| allow_rules(vec![rule], Scope::Session)).into_iter().collect()
}

/// Returns what "always" would store, each update with the destination that the client suggests.
pub fn suggestions(call: &ToolCall, cwd: &str, commands: &dyn Commands) -> Vec<Suggestion> {
    if is_new_every_time(call) {
        return Vec::new();
    }
    let updates = call.suggestions.iter().filter_map(read_suggestion);
    updates.flat_map(|update| judged(update, call, cwd, commands)).collect()
}

/// Splits an update into suggestions, so that broad parts are separate from the others.
fn judged(update: PermissionUpdate, call: &ToolCall, cwd: &str, commands: &dyn Commands) -> Vec<Suggestion> {
    match update {
        PermissionUpdate::AddRules { rules, behavior, destination } => {
            apart(rules, |rule| breadth::rule(rule, call, cwd, commands))
                .map(|(rules, broad)| Suggestion {
                    update: PermissionUpdate::AddRules { rules, behavior, destination },
                    broad,
                })
                .collect()
        }
        PermissionUpdate::AddDirectories { directories, destination } => {
            apart(directories, |directory| breadth::directory(directory, cwd))
                .map(|(directories, broad)| Suggestion {
                    update: PermissionUpdate::AddDirectories { directories, destination },
                    broad,
                })
                .collect()
        }
        mode @ PermissionUpdate::SetMode { .. } => vec![Suggestion { update: mode, broad: None }],
    }
}

/// Groups neighbours that are equally broad.
fn apart<T>(items: Vec<T>, broad: impl Fn(&T) -> Option<Breadth>) -> impl Iterator<Item = (Vec<T>, Option<Breadth>)> {
    let mut groups: Vec<(Vec<T>, Option<Breadth>)> = Vec::new();
    for item in items {
        let why = broad(&item);
        match groups.last_mut().filter(|(_, known)| *known == why) {
            Some((group, _)) => group.push(item),
            None => groups.push((vec![item], why)),
        }
    }
    groups.into_iter()
}

impl PermissionUpdate {
    /// Returns where it is stored.
    pub fn destination(&self) -> Scope {
        match self {
            Self::AddRules { destination, .. }
            | Self::AddDirectories { destination, .. }
            | Self::SetMode { destination, .. } => *destination,
        }
    }

    /// Returns what it contains, in the client's notation.
    pub fn items(&self) -> Vec<String> {
        match self {
            Self::AddRules { rules, .. } => rules.iter().map(ToString::to_string).collect(),
            Self::AddDirectories { directories, .. } => directories.clone(),
            Self::SetMode { mode, .. } => vec![mode.name().to_owned()],
        }
    }

    /// Returns what the client may do without asking once it is stored. A mode is none of that: it is changed, not
    /// taken back.
    pub fn permissions(&self) -> Vec<Permission> {
        match self {
            Self::AddRules { rules, .. } => rules.iter().map(|rule| Permission::Rule(rule.setting())).collect(),
            Self::AddDirectories { directories, .. } => {
                directories.iter().cloned().map(Permission::Directory).collect()
            }
            Self::SetMode { .. } => Vec::new(),
        }
    }

    /// Returns the same update with another destination.
    #[must_use]
    pub fn stored_in(mut self, scope: Scope) -> Self {
        let (Self::AddRules { destination, .. }
        | Self::AddDirectories { destination, .. }
        | Self::SetMode { destination, .. }) = &mut self;
        *destination = scope;
        self
    }
}

// The client's names; those of scopes name the source of rules.
crate::named!(Mode { Default = "default", AcceptEdits = "acceptEdits" });
crate::named!(Scope {
    Local = "localSettings", User = "userSettings", Project = "projectSettings", Session = "session",
});

/// Returns whether the call is a plan or a question. Each of them is new, so allowing one implies nothing about the
/// next.
fn is_new_every_time(call: &ToolCall) -> bool {
    matches!(call.tool.as_str(), "ExitPlanMode" | "AskUserQuestion")
}

fn read_suggestion(suggestion: &Value) -> Option<PermissionUpdate> {
    let text = |key: &str| suggestion.get(key).and_then(Value::as_str);
    let list = |key: &str| suggestion.get(key).and_then(Value::as_array);
    let destination =
        suggestion.get("destination").and_then(|it| Scope::deserialize(it).ok()).unwrap_or(Scope::Session);
    match text("type")? {
        "addRules" if text("behavior") == Some("allow") => {
            let rules: Option<Vec<Rule>> = list("rules")?.iter().map(Rule::read).collect();
            rules.filter(|rules| !rules.is_empty()).map(|rules| allow_rules(rules, destination))
        }
        "addDirectories" => {
            let directories: Option<Vec<String>> =
                list("directories")?.iter().map(|dir| dir.as_str().map(str::to_owned)).collect();
            let directories = directories.filter(|dirs| !dirs.is_empty())?;
            Some(PermissionUpdate::AddDirectories { directories, destination })
        }
        "setMode" if text("mode") == Some("acceptEdits") => {
            Some(PermissionUpdate::SetMode { mode: Mode::AcceptEdits, destination })
        }
        _ => None,
    }
}

fn allow_rules(rules: Vec<Rule>, destination: Scope) -> PermissionUpdate {
    PermissionUpdate::AddRules { rules, behavior: Behavior::Allow, destination }
}

impl Scope {
    /// Returns its name for people.
    pub fn title(self, words: &Words) -> &'static str {
        match self {
            Self::Local => words.scope_local,
            Self::User => words.scope_user,
            Self::Project => words.scope_project,
            Self::Session => words.scope_session,
        }
    }

    /// Returns the next scope of the cycle.
    pub fn next(self) -> Self {
        match self {
            Self::Local => Self::User,
            Self::User => Self::Project,
            Self::Project => Self::Session,
            Self::Session => Self::Local,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claude::breadth::tests::FirstWords;

    fn grant(tool: &str, input: &str, suggestions: &str) -> String {
        let call = ToolCall {
            tool: tool.into(),
            input: serde_json::from_str(input).unwrap(),
            tool_use_id: None,
            suggestions: serde_json::from_str(suggestions).unwrap(),
        };
        serde_json::to_string(&session_grant(&call, "/home/user/project", &FirstWords)).unwrap()
    }

    #[test]
    fn suggestions_are_taken_for_the_session_only() {
        insta::assert_snapshot!(
            grant("Bash", r#"{"command":"git push"}"#, r#"[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"git push *"}],"behavior":"allow","destination":"localSettings"}]"#),
            @r#"[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"git push *"}],"behavior":"allow","destination":"session"}]"#
        );
        insta::assert_snapshot!(
            grant("Write", r#"{"file_path":"/x"}"#, r#"[{"type":"addDirectories","directories":["/data"],"destination":"userSettings"},{"type":"setMode","mode":"acceptEdits","destination":"session"}]"#),
            @r#"[{"type":"addDirectories","directories":["/data"],"destination":"session"},{"type":"setMode","mode":"acceptEdits","destination":"session"}]"#
        );
    }

    #[test]
    fn a_suggestion_of_another_kind_is_left_out() {
        for broad in [
            r#"[{"type":"setMode","mode":"bypassPermissions","destination":"session"}]"#,
            r#"[{"type":"removeRules","rules":[{"toolName":"Bash"}],"behavior":"deny","destination":"session"}]"#,
            r#"[{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"ask","destination":"session"}]"#,
            r#"[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":7}],"behavior":"allow"}]"#,
            r#"[{"type":"addRules","rules":[],"behavior":"allow"}]"#,
            r#"[7, null, {}, "x"]"#,
        ] {
            assert_eq!(
                grant("Bash", r#"{"command":"ls"}"#, broad),
                r#"[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls"}],"behavior":"allow","destination":"session"}]"#,
                "{broad}"
            );
        }
    }

    #[test]
    fn what_is_stored_is_in_the_notation_of_the_settings() {
        let stored = |update: &str| serde_json::from_str::<PermissionUpdate>(update).unwrap().permissions();
        for (content, setting) in [
            (r#"touch "(a)""#, r#"Bash(touch "\(a\)")"#),
            (r"touch a\(b", r"Bash(touch a\\\(b)"),
            ("git push *", "Bash(git push *)"),
        ] {
            let rule = Rule { tool_name: "Bash".into(), rule_content: Some(content.into()) };
            assert_eq!(rule.setting(), setting);
        }
        let whole =
            r#"{"type":"addRules","rules":[{"toolName":"WebSearch"}],"behavior":"allow","destination":"session"}"#;
        assert_eq!(stored(whole), [Permission::Rule("WebSearch".into())]);
        let folders = r#"{"type":"addDirectories","directories":["/a b"],"destination":"session"}"#;
        assert_eq!(stored(folders), [Permission::Directory("/a b".into())]);
        assert!(stored(r#"{"type":"setMode","mode":"acceptEdits","destination":"session"}"#).is_empty());
    }

    #[test]
    fn without_suggestions_the_rule_covers_this_call_and_no_other() {
        let cases = [
            ("Bash", r#"{"command":"cd sub && git push origin main"}"#, Some("Bash(cd sub && git push origin main)")),
            ("Bash", r#"{"command":"rm *.o"}"#, None),
            ("Bash", r#"{"command":"git status:*"}"#, None),
            ("Bash", r#"{"command":" "}"#, None),
            ("Bash", r#"{}"#, None),
            ("Write", r#"{"file_path":"/home/user/a b.txt"}"#, Some("Edit(//home/user/a b.txt)")),
            ("Edit", r#"{"file_path":"src/lib.rs"}"#, Some("Edit(//home/user/project/src/lib.rs)")),
            ("NotebookEdit", r#"{"notebook_path":"/n.ipynb"}"#, Some("Edit(//n.ipynb)")),
            ("Edit", r#"{"file_path":"../x"}"#, None),
            ("Read", r#"{"file_path":"/etc/*"}"#, None),
            ("Read", r#"{"file_path":"/etc/hostname"}"#, Some("Read(//etc/hostname)")),
            ("WebFetch", r#"{"url":"https://example.org:8443/x?y"}"#, Some("WebFetch(domain:example.org)")),
            ("WebFetch", r#"{"url":"https://user@example.org/"}"#, None),
            ("WebFetch", r#"{"url":"https://*/"}"#, None),
            ("WebFetch", r#"{"url":"ftp://x/"}"#, None),
            ("mcp__tiny__greet", r#"{"name":"Ann"}"#, Some("mcp__tiny__greet")),
            ("ExitPlanMode", r#"{"plan":"x"}"#, None),
            ("AskUserQuestion", r#"{}"#, None),
        ];
        for (tool, input, rule) in cases {
            let call = ToolCall {
                tool: tool.into(),
                input: serde_json::from_str(input).unwrap(),
                tool_use_id: None,
                suggestions: Vec::new(),
            };
            let granted = session_grant(&call, "/home/user/project", &FirstWords);
            let shown = match granted.as_slice() {
                [PermissionUpdate::AddRules { rules, .. }] => Some(rules[0].to_string()),
                [] => None,
                other => panic!("{other:?}"),
            };
            assert_eq!(shown.as_deref(), rule, "{tool} {input}");
        }
    }
}
