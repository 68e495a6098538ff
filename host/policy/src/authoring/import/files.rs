//! Imports `Read(...)` and `Edit(...)`.
//!
//! Both use gitignore patterns, as the rules here do, with these differences: in Claude Code `{a,b}` is literal, `/x`
//! is relative to the folder of the settings, a deny of one name matches it at any depth, and an allow of `x/**` or
//! `x/` matches only in the current folder.

use super::Source;
use super::draft::Draft;
use super::entry::Entry;
use super::note::{Unsupported, Warning};
use super::others::parameter;
use crate::authoring::write::below;

const READ: [&str; 4] = ["Read", "Grep", "Glob", "LS"];
const EDIT: [&str; 3] = ["Edit", "Write", "NotebookEdit"];

/// The parameters that contain a path.
const PATHS: [&str; 3] = ["file_path", "notebook_path", "path"];

/// Returns the rules of an entry.
pub(super) fn drafts(entry: &Entry<'_>, source: &Source<'_>) -> Result<Vec<Draft>, Unsupported> {
    let (main, family): (_, &[&str]) = if READ.contains(&entry.tool) { ("Read", &READ) } else { ("Edit", &EDIT) };
    let Some(specifier) = entry.specifier else {
        return Ok(vec![if entry.allows() || entry.tool != main {
            Draft::of(&[entry.tool])
        } else {
            Draft::of(family)
        }]);
    };
    let parameters = entry.parameter().filter(|(name, _)| !PATHS.contains(name));
    let pattern = entry.parameter().filter(|(name, _)| PATHS.contains(name)).map_or(specifier, |(_, path)| path);
    let all = !entry.allows() && matches!(pattern, "*" | "**");
    let draft = if all { Draft::of(family) } else { Draft::of(family).with("paths", &lines(entry, pattern, source)?) };
    let draft = match () {
        () if entry.tool != main && entry.allows() => {
            let instead = format!("{main}({pattern})");
            return Err(Unsupported::NoPathsOf { tool: entry.tool.to_owned(), instead });
        }
        () if entry.tool != main || pattern != specifier => {
            draft.warn(Warning::NeverAsked(format!("{main}({pattern})")))
        }
        () => draft,
    };
    let parameter = parameters.map(|(name, value)| parameter(&[entry.tool], name, value));
    Ok(std::iter::once(draft).chain(parameter).collect())
}

/// Converts a pattern to patterns of a rule.
fn lines(entry: &Entry<'_>, pattern: &str, source: &Source<'_>) -> Result<Vec<String>, Unsupported> {
    if pattern.is_empty() || pattern.starts_with('!') {
        return Err(Unsupported::Exception);
    }
    let literal = pattern.replace('{', "\\{").replace('}', "\\}");
    let mut lines = vec![line(entry, &literal, source)?];
    // The author of a deny of `*.{pem,key}` means both, although Claude Code takes the braces literally.
    if literal != pattern && !entry.allows() {
        lines.push(line(entry, pattern, source)?);
    }
    Ok(lines)
}

fn line(entry: &Entry<'_>, pattern: &str, source: &Source<'_>) -> Result<String, Unsupported> {
    match pattern {
        "~" if entry.allows() => Err(Unsupported::WholeHome),
        "~" => Ok("~/**".to_owned()),
        _ if pattern.starts_with("//") || pattern.starts_with("~/") => Ok(pattern.to_owned()),
        _ if pattern.starts_with('/') => anchored(pattern, source),
        _ => Ok(relative(entry, pattern)),
    }
}

/// Converts a pattern that begins with `/`.
fn anchored(pattern: &str, source: &Source<'_>) -> Result<String, Unsupported> {
    let folder = source.anchor().filter(|folder| folder.is_absolute() && folder.to_str().is_some());
    folder.map(|folder| below(folder, pattern)).ok_or(Unsupported::NoFolder)
}

/// Converts a relative pattern: `x` or `./x`.
fn relative(entry: &Entry<'_>, pattern: &str) -> String {
    let bare = pattern.trim_start_matches("./");
    let name = bare.strip_suffix("/**").or(bare.strip_suffix('/'));
    let one = !name.unwrap_or(bare).contains('/');
    match (one, entry.allows()) {
        (true, false) if !bare.starts_with("**") => format!("**/{bare}"),
        (true, true) if name.is_some() || bare != pattern => format!("./{bare}"),
        _ => bare.to_owned(),
    }
}
