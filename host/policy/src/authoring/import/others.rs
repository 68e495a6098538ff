//! Tools that are neither the shell nor about files.

use super::draft::{Draft, Refusal};
use super::entry::Entry;
use crate::authoring::write::literal;

/// The rules for an entry.
pub(super) fn drafts(entry: &Entry<'_>) -> Result<Vec<Draft>, Refusal> {
    let draft = match (entry.tool, entry.specifier) {
        ("Cd", _) => {
            let why = "it is about Claude Code's own `/cd`, which no agent calls".to_owned();
            return Err(Refusal { why, moot: true });
        }
        ("WebFetch", Some(specifier)) if entry.parameter().is_none_or(|(name, _)| name == "domain") => {
            web(entry, specifier)?
        }
        ("Agent" | "Task", Some(specifier)) if entry.parameter().is_none() => agent(entry, specifier)?,
        ("Skill", Some(specifier)) => skill(entry, specifier)?,
        (tool, None) if tool.starts_with("mcp__") => mcp(entry)?,
        (tool, Some(_)) if tool.starts_with("mcp__") => {
            return Err(Refusal::new("Claude Code skips rules of MCP tools with parentheses"));
        }
        ("*", None) if !entry.allows() => Draft::of(&["*"]),
        (tool, None) if tool.contains('*') && entry.allows() => {
            return Err(Refusal::new("Claude Code skips an allow with a `*` in the tool's name"));
        }
        // Rules of Bash hold for it too, and its commands are not read here.
        ("Monitor", None) if entry.allows() => return Err(Refusal::new("it runs commands that are not read here")),
        ("Agent" | "Task", None) => Draft::of(&["Agent"]),
        (tool, None) => Draft::of(&[tool]),
        (tool, Some(_)) => match entry.parameter() {
            // A rule of an address would be passed by another spelling of it; Claude Code ignores it for that reason.
            Some((name, value)) if (tool, name) != ("WebFetch", "url") && tool != "PowerShell" => {
                parameter(&[tool], name, value)
            }
            _ => return Err(Refusal::new(format!("what is in the parentheses means nothing that is known of {tool}"))),
        },
    };
    Ok(vec![draft])
}

/// `domain:example.com`, `domain:*.example.com`, `domain:*`
fn web(entry: &Entry<'_>, specifier: &str) -> Result<Draft, Refusal> {
    let Some(host) = specifier.strip_prefix("domain:") else {
        return Err(Refusal::new("only `domain:` is known of WebFetch"));
    };
    let host = host.trim().trim_end_matches('.').to_ascii_lowercase();
    let draft = Draft::of(&["WebFetch"]);
    match host.strip_prefix("*.").unwrap_or(&host) {
        "*" => Ok(if entry.allows() { draft.warn("it allows every host") } else { draft }),
        name if name.contains('*') => Err(Refusal::new("a `*` inside a host has no counterpart")),
        name if name == host => Ok(draft.with("domains", &[name]).matching(format!("https://{name}/"))),
        name => Ok(draft.with("domains", &[&host]).matching(format!("https://a.{name}/"))),
    }
}

/// `Agent(Explore)`
fn agent(entry: &Entry<'_>, name: &str) -> Result<Draft, Refusal> {
    /// What runs when a call names none.
    const DEFAULT: &str = "general-purpose";
    if name.is_empty() || (entry.allows() && name.contains(['*', ':'])) {
        return Err(Refusal::new("it names no kind of subagent"));
    }
    let mut patterns = vec![constant("subagent_type", name)];
    if !entry.allows() && name == DEFAULT {
        patterns = vec![wild("subagent_type", name), r#"^\{(\0"([^s"]|s[^u"]|su[^b"])[^\0]*\0,?)*\}$"#.to_owned()];
    } else if !entry.allows() {
        patterns = vec![wild("subagent_type", name)];
    }
    Ok(Draft::of(&["Agent"]).with("argsPattern", &patterns))
}

/// `Skill(name)` without arguments, `Skill(name *)` with any; `Skill(skill:name)` denies it by any of its names.
fn skill(entry: &Entry<'_>, specifier: &str) -> Result<Draft, Refusal> {
    let specifier = entry.parameter().filter(|(name, _)| *name == "skill").map_or(specifier, |(_, name)| name);
    let open = specifier.strip_suffix(" *").or(specifier.strip_suffix(":*"));
    let name = open.unwrap_or(specifier).trim();
    if name.is_empty() || (name.contains('*') && entry.allows()) {
        return Err(Refusal::new("it names no skill"));
    }
    let pattern = match (entry.allows(), open) {
        (true, Some(_)) => constant("skill", name),
        (true, None) => format!("^\\{{{}\\}}$", constant("skill", name)),
        (false, _) => format!(r#"\0"(skill|command)":"(/|[^"\0]*:)?{}[" ]"#, json(name)),
    };
    Ok(Draft::of(&["Skill"]).with("argsPattern", &[pattern]))
}

/// `mcp__server`, `mcp__server__*`, `mcp__server__tool`
fn mcp(entry: &Entry<'_>) -> Result<Draft, Refusal> {
    let rest = entry.tool.strip_prefix("mcp__").unwrap_or_default();
    match rest.split_once("__") {
        Some((server, tool)) if entry.allows() && (server.is_empty() || server.contains('*') || tool.is_empty()) => {
            Err(Refusal::new("Claude Code skips an allow that names no server"))
        }
        None if entry.allows() && (rest.is_empty() || rest.contains('*')) => {
            Err(Refusal::new("Claude Code skips an allow that names no server"))
        }
        _ => Ok(Draft::of(&[entry.tool])),
    }
}

/// A call with this value of a parameter, in which `*` is any text.
pub(super) fn parameter(tools: &[&str], name: &str, value: &str) -> Draft {
    Draft::of(tools).with("argsPattern", &[wild(name, value)])
}

/// An expression for a top-level text: exactly this one.
pub(super) fn constant(name: &str, value: &str) -> String {
    format!(r#"\0"{name}":"{}"\0"#, json(value))
}

/// An expression for a top-level text that has another one in it, in which `*` is any text.
pub(super) fn anywhere(name: &str, value: &str) -> String {
    format!(r#"\0"{name}":"[^\0]*{}"#, value.split('*').map(json).collect::<Vec<_>>().join(r"[^\0]*"))
}

/// An expression for a top-level text, number or truth value, in which `*` is any text.
fn wild(name: &str, value: &str) -> String {
    format!(r#"\0"{name}":"?{}"?\0"#, value.split('*').map(json).collect::<Vec<_>>().join(r"[^\0]*"))
}

/// A text as it is inside a JSON string, as an expression.
fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    literal(quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default())
}
