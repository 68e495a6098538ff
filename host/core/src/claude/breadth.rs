//! Decides whether a suggestion of the client is broader than the call that it was made for. In doubt it is.
//!
//! | rule | broad unless |
//! |---|---|
//! | `Bash` | never narrow |
//! | `Bash(text)` | [`Commands::broad`] decides |
//! | `PowerShell(text)` | it is the call's line |
//! | `Read(pattern)`, `Edit(pattern)` | it is the call's file, or everything below its folder or below a folder of the project that contains it; and that folder is not `/`, a home directory or above the project |
//! | `WebFetch(domain:host)` | it is the call's host |
//! | another tool | it is the call's tool, and has no `*` |
//! | a directory | it is not `/`, a home directory or above the project |
//!
//! The policy knows what a command line starts and what a program can do beyond its name; it implements [`Commands`].

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::input::ToolCall;
use super::rule::{Rule, host};

/// Why a suggestion is broader than the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Breadth {
    /// It allows a program that starts any other command.
    Shell,
    /// It allows a program that runs any code.
    Interpreter,
    /// It allows more than calls like this one.
    Wildcard,
    /// It allows everything that the tool can do.
    Tool,
}

/// Knowledge about the shell's command lines. The policy implements it: `dmplz_policy::KnownCommands`.
pub trait Commands {
    /// Returns why a rule `Bash(text)` is broader than a call to run `line`. `None` if it certainly is not.
    fn broad(&self, text: &str, line: &str) -> Option<Breadth>;

    /// Returns the words of all commands that a line may start, as far as they are known.
    fn words(&self, line: &str) -> Vec<String>;
}

/// Returns why a rule is broader than the call, if it is.
pub(super) fn rule(rule: &Rule, call: &ToolCall, cwd: &str, commands: &dyn Commands) -> Option<Breadth> {
    let content = rule.rule_content.as_deref();
    match (rule.tool_name.as_str(), content) {
        ("Bash" | "PowerShell" | "WebFetch" | "Read" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit", None) => {
            Some(Breadth::Tool)
        }
        ("Bash" | "PowerShell", Some("" | "*" | ":*")) => Some(Breadth::Tool),
        ("Bash", Some(text)) if call.tool == "Bash" => commands.broad(text, string(&call.input, "command")),
        ("PowerShell", Some(text)) if call.tool == "PowerShell" => {
            (text != string(&call.input, "command")).then_some(Breadth::Wildcard)
        }
        ("WebFetch", Some(text)) if call.tool == "WebFetch" => {
            let host = host(string(&call.input, "url"));
            let same = text.strip_prefix("domain:").is_some_and(|domain| Some(domain) == host);
            (!same).then_some(Breadth::Wildcard)
        }
        ("Read" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit", Some(pattern)) => {
            file(pattern, &paths(call, cwd, commands), cwd)
        }
        (tool, content) => {
            let other = tool != call.tool || tool.contains('*');
            (other || content.is_some_and(|content| content.contains('*'))).then_some(Breadth::Wildcard)
        }
    }
}

/// Returns why a directory is broader than the project, if it is.
pub(super) fn directory(directory: &str, cwd: &str) -> Option<Breadth> {
    let parts = parts(directory);
    let plain = directory.starts_with('/') && !directory.contains(['*', '?', '[']) && !parts.contains(&"..");
    let home = matches!(parts.as_slice(), [] | ["root"] | ["home" | "Users"] | ["home" | "Users", _]);
    let own = parts == self::parts(cwd);
    let above = self::parts(cwd).starts_with(&parts);
    (!plain || (!own && (home || above)) || parts.is_empty()).then_some(Breadth::Wildcard)
}

fn file(pattern: &str, called: &[String], cwd: &str) -> Option<Breadth> {
    let pattern = match pattern {
        // `//path` is the client's notation for an absolute path; a single slash is relative to the settings' folder.
        _ if pattern.starts_with("//") => pattern.get(1..).unwrap_or_default().to_owned(),
        _ if pattern.starts_with('~') => return Some(Breadth::Wildcard),
        _ => format!("{cwd}/{}", pattern.trim_start_matches("./").trim_start_matches('/')),
    };
    let folder = pattern.strip_suffix("/**").or_else(|| pattern.strip_suffix("/*"));
    let path = folder.unwrap_or(&pattern);
    if path.contains(['*', '?', '[', '{', '!']) || path.split('/').any(|part| part == "..") {
        return Some(Breadth::Wildcard);
    }
    let (path, own) = (parts(path), parts(cwd));
    let holds = |called: &String| {
        let called = parts(called);
        match folder {
            None => called == path,
            Some(_) => {
                let parent = called.split_last().map(|(_, parent)| parent).unwrap_or_default();
                let of_project = path.starts_with(&own) && called.starts_with(&path);
                parent == path || called == path || of_project
            }
        }
    };
    if !called.iter().any(holds) {
        return Some(Breadth::Wildcard);
    }
    folder.and_then(|folder| directory(if folder.is_empty() { "/" } else { folder }, cwd))
}

/// Returns the absolute paths of the files that a call names.
fn paths(call: &ToolCall, cwd: &str, commands: &dyn Commands) -> Vec<String> {
    let absolute = |path: &str| if path.starts_with('/') { path.to_owned() } else { format!("{cwd}/{path}") };
    let named = ["file_path", "notebook_path", "path"].map(|key| string(&call.input, key));
    let words = commands.words(string(&call.input, "command"));
    let words = words.iter().map(String::as_str);
    let all = named.into_iter().filter(|path| !path.is_empty()).chain(words).map(absolute);
    all.filter(|path| !path.split('/').any(|part| part == "..")).collect()
}

fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !matches!(*part, "" | ".")).collect()
}

fn string<'a>(input: &'a Map<String, Value>, key: &str) -> &'a str {
    input.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
pub(crate) mod tests;
