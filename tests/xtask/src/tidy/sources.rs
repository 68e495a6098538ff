//! Checks the length of files, names, unfinished work and short documentation.

use super::MAX_LINES;
use super::files::TextFile;
use crate::Finding;

/// The markers of unfinished work. They are concatenated so that this file does not contain them.
const UNFINISHED: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("to", "do!("), concat!("unimple", "mented!(")];
const EMPTY_NAMES: &[&str] = &["manager", "helper", "helpers", "util", "utils"];
/// The number of words up to which documentation says too little.
const SHORT: usize = 3;
const DEFINES: &[&str] = &["struct", "enum", "trait", "type", "mod", "union"];

/// Checks every rule that applies to one file.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find = |line, what: String| findings.push(Finding::new(&file.path, line, what));
    let name = file.path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    if is_empty_name(name) {
        find(None, "name it for what it is".to_owned());
    }
    if !file.has_extension("md") {
        for (line, text) in file.lines() {
            if let Some(marker) = UNFINISHED.iter().find(|marker| text.contains(**marker)) {
                find(Some(line), format!("finish it or leave it out: {marker}"));
            }
        }
    }
    if file.has_extension("rs") {
        if name == "mod" {
            find(None, "use foo.rs and foo/ instead of foo/mod.rs".to_owned());
        }
        let lines = file.text.lines().count();
        if lines > MAX_LINES {
            find(None, format!("{lines} lines are two files; at most {MAX_LINES}"));
        }
        for (line, text) in file.lines() {
            if let Some(name) = defined(text).filter(|name| is_empty_name(name)) {
                find(Some(line), format!("name {name} for what it is"));
            }
        }
        for (line, words) in short_docs(&file.text) {
            find(Some(line), format!("say it in a sentence that names its subject: {words}"));
        }
    }
    findings
}

/// Returns the lines of documentation of public items that has [`SHORT`] words or fewer, with that documentation.
fn short_docs(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let doc = |line: &&str| line.strip_prefix("///").is_some_and(|rest| !rest.starts_with('/'));
    let mut short = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| doc(line)) {
        let is_alone = !at.checked_sub(1).and_then(|before| lines.get(before)).is_some_and(doc)
            && !lines.get(at + 1).is_some_and(doc);
        let item = lines.iter().skip(at + 1).find(|line| !line.starts_with("#["));
        let words = line.trim_start_matches('/').trim();
        if is_alone && words.split_whitespace().count() <= SHORT && item.is_some_and(|item| item.starts_with("pub ")) {
            short.push((at + 1, words));
        }
    }
    short
}

/// Returns the name of the type or module that a line defines. Lines with string literals are skipped.
fn defined(line: &str) -> Option<&str> {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let code = line.trim_start();
    if code.starts_with("//") || line.contains('"') || !words.any(|word| DEFINES.contains(&word)) {
        None
    } else {
        words.next()
    }
}

/// Returns whether a part of a name, in snake or camel case, is one that says nothing.
fn is_empty_name(name: &str) -> bool {
    let mut parts = Vec::<String>::new();
    for c in name.chars() {
        match parts.last_mut() {
            Some(part) if c.is_alphanumeric() && !c.is_uppercase() => part.push(c),
            _ => parts.push(c.to_lowercase().filter(|c| c.is_alphanumeric()).collect()),
        }
    }
    parts.iter().any(|part| EMPTY_NAMES.contains(&part.as_str()))
}
