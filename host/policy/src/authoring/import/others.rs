//! Imports entries of tools other than the shell and the file tools.

use super::draft::Draft;
use super::entry::Entry;
use super::note::{Unsupported, Warning};
use crate::authoring::write::literal;

/// Returns the rules of an entry.
pub(super) fn drafts(entry: &Entry<'_>) -> Result<Vec<Draft>, Unsupported> {
    let draft = match (entry.tool, entry.specifier) {
        ("Cd", _) => return Err(Unsupported::OwnCommand),
        ("WebFetch", Some(specifier)) if entry.parameter().is_none_or(|(name, _)| name == "domain") => {
            web(entry, specifier)?
        }
        ("Agent" | "Task", Some(specifier)) if entry.parameter().is_none() => agent(entry, specifier)?,
        ("Skill", Some(specifier)) => skill(entry, specifier)?,
        (tool, None) if tool.starts_with("mcp__") => mcp(entry)?,
        (tool, Some(_)) if tool.starts_with("mcp__") => return Err(Unsupported::NarrowedMcp),
        ("*", None) if !entry.allows() => Draft::of(&["*"]),
        (tool, None) if tool.contains('*') && entry.allows() => return Err(Unsupported::StarInTool),
        // Claude Code's rules for Bash apply to Monitor as well, and its commands are not parsed here.
        ("Monitor", None) if entry.allows() => return Err(Unsupported::UnreadCommands),
        ("Agent" | "Task", None) => Draft::of(&["Agent"]),
        (tool, None) => Draft::of(&[tool]),
        (tool, Some(_)) => match entry.parameter() {
            // A rule about a URL could be bypassed by another spelling of it; Claude Code ignores such rules for that
            // reason.
            Some((name, value)) if (tool, name) != ("WebFetch", "url") && tool != "PowerShell" => {
                parameter(&[tool], name, value)
            }
            _ => return Err(Unsupported::Specifier(tool.to_owned())),
        },
    };
    Ok(vec![draft])
}

/// Imports `domain:example.com`, `domain:*.example.com` and `domain:*`.
fn web(entry: &Entry<'_>, specifier: &str) -> Result<Draft, Unsupported> {
    let Some(host) = specifier.strip_prefix("domain:") else {
        return Err(Unsupported::OnlyDomain);
    };
    let host = host.trim().trim_end_matches('.').to_ascii_lowercase();
    let draft = Draft::of(&["WebFetch"]);
    match host.strip_prefix("*.").unwrap_or(&host) {
        "*" => Ok(if entry.allows() { draft.warn(Warning::EveryHost) } else { draft }),
        name if name.contains('*') => Err(Unsupported::StarInHost),
        name if name == host => Ok(draft.with("domains", &[name]).matching(format!("https://{name}/"))),
        name => Ok(draft.with("domains", &[&host]).matching(format!("https://a.{name}/"))),
    }
}

/// Imports an entry such as `Agent(Explore)`.
fn agent(entry: &Entry<'_>, name: &str) -> Result<Draft, Unsupported> {
    /// The agent that runs if a call names none.
    const DEFAULT: &str = "general-purpose";
    if name.is_empty() || (entry.allows() && name.contains(['*', ':'])) {
        return Err(Unsupported::NoSubagent);
    }
    let mut patterns = vec![if entry.allows() { constant("subagent_type", name) } else { wild("subagent_type", name) }];
    if !entry.allows() && name == DEFAULT {
        patterns.push(r#"^\{(\0"([^s"]|s[^u"]|su[^b"])[^\0]*\0,?)*\}$"#.to_owned());
    }
    Ok(Draft::of(&["Agent"]).with("argsPattern", &patterns))
}

/// Imports `Skill(name)` without arguments and `Skill(name *)` with any; `Skill(skill:name)` denies the skill by any of
/// its names.
fn skill(entry: &Entry<'_>, specifier: &str) -> Result<Draft, Unsupported> {
    let specifier = entry.parameter().filter(|(name, _)| *name == "skill").map_or(specifier, |(_, name)| name);
    let open = specifier.strip_suffix(" *").or(specifier.strip_suffix(":*"));
    let name = open.unwrap_or(specifier).trim();
    if name.is_empty() || (name.contains('*') && entry.allows()) {
        return Err(Unsupported::NoSkill);
    }
    let pattern = match (entry.allows(), open) {
        (true, Some(_)) => constant("skill", name),
        (true, None) => format!("^\\{{{}\\}}$", constant("skill", name)),
        (false, _) => format!(r#"\0"(skill|command)":"(/|[^"\0]*:)?{}[" ]"#, json(name)),
    };
    Ok(Draft::of(&["Skill"]).with("argsPattern", &[pattern]))
}

/// Imports `mcp__server`, `mcp__server__*` and `mcp__server__tool`.
fn mcp(entry: &Entry<'_>) -> Result<Draft, Unsupported> {
    let rest = entry.tool.strip_prefix("mcp__").unwrap_or_default();
    let (server, tool) = rest.split_once("__").unwrap_or((rest, "*"));
    if entry.allows() && (server.is_empty() || server.contains('*') || tool.is_empty()) {
        return Err(Unsupported::NoServer);
    }
    Ok(Draft::of(&[entry.tool]))
}

/// Returns a rule for calls with this value of a parameter; a `*` in it matches any text.
pub(super) fn parameter(tools: &[&str], name: &str, value: &str) -> Draft {
    Draft::of(tools).with("argsPattern", &[wild(name, value)])
}

/// Returns an expression that matches a top-level string with exactly this value.
pub(super) fn constant(name: &str, value: &str) -> String {
    format!(r#"\0"{name}":"{}"\0"#, json(value))
}

/// Returns an expression that matches a top-level string which contains another one; a `*` in it matches any text.
pub(super) fn anywhere(name: &str, value: &str) -> String {
    format!(r#"\0"{name}":"[^\0]*{}"#, value.split('*').map(json).collect::<Vec<_>>().join(r"[^\0]*"))
}

/// Returns an expression that matches a top-level string, number or Boolean; a `*` in the value matches any text.
fn wild(name: &str, value: &str) -> String {
    format!(r#"\0"{name}":"?{}"?\0"#, value.split('*').map(json).collect::<Vec<_>>().join(r"[^\0]*"))
}

/// Returns an expression that matches a text as it is written inside a JSON string.
fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    literal(quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default())
}
