//! Parses the readable parts of a file with syntax errors.
//!
//! The file is split where its sections begin, so that an error (such as an unclosed `"""`) does not affect the next
//! section. In a section with an error, the lines of the key that contains it are removed.

use std::ops::Range;

use toml::de::DeTable;

use super::fault::Fault;
use super::notes::Notes;
use super::section::Section;

/// A section without its syntax errors.
pub(super) struct Part {
    /// The offset of the section in the file, in bytes.
    pub(super) start: usize,
    /// The rest of its text, at unchanged offsets.
    pub(super) text: String,
    /// The keys that were removed.
    pub(super) lost: Vec<String>,
}

/// A section with more errors than this is not used.
const MAX_ERRORS: usize = 8;

/// Returns the sections of a file, without those that cannot be parsed.
pub(super) fn mend(text: &str, notes: &mut Notes<'_>) -> Vec<Part> {
    let parts = sections(text).filter_map(|range| part(text, range, notes)).collect();
    notes.begin_at(0);
    if notes.is_empty()
        && let Err(error) = DeTable::parse(text)
    {
        notes.add(error.span().unwrap_or_default().start, Fault::Syntax(error.message().to_owned()));
    }
    parts
}

/// Splits the text at each line that begins a section.
fn sections(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && begins_a_section(line) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| start..end)
}

fn begins_a_section(line: &str) -> bool {
    line.trim_start().strip_prefix('[').is_some_and(|rest| {
        let name = rest.trim_start_matches(['[', ' ', '\t']);
        let end = name.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(name.len());
        let (name, after) = name.split_at(end);
        Section::named(name).is_some() && !after.starts_with('.')
    })
}

fn part(text: &str, range: Range<usize>, notes: &mut Notes<'_>) -> Option<Part> {
    notes.begin_at(range.start);
    let mut part = Part { start: range.start, text: text.get(range)?.to_owned(), lost: Vec::new() };
    for _ in 0..=MAX_ERRORS {
        let Err(error) = DeTable::parse(&part.text) else { return Some(part) };
        let offset = error.span().unwrap_or_default().start;
        notes.add(offset, Fault::Syntax(error.message().to_owned()));
        part = without_error(part, offset)?;
    }
    None
}

/// Removes the lines from the last key before an error to the error. `None` if those are not lines of keys only.
fn without_error(mut part: Part, offset: usize) -> Option<Part> {
    let lines: Vec<&str> = part.text.split_inclusive('\n').collect();
    let mut end = 0;
    let error = lines.iter().position(|line| {
        end += line.len();
        offset < end
    });
    let error = error.unwrap_or(lines.len().checked_sub(1)?);
    let first = lines.iter().take(error + 1).rposition(|line| key(line).is_some())?;
    let mut text = String::with_capacity(part.text.len());
    for (at, line) in lines.iter().enumerate() {
        if !(first..=error).contains(&at) {
            text.push_str(line);
            continue;
        }
        if line.trim_start().starts_with('[') {
            return None;
        }
        part.lost.extend(key(line).map(str::to_owned));
        text.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    part.text = text;
    Some(part)
}

/// Returns the key that a line sets.
fn key(line: &str) -> Option<&str> {
    let key = line.split_once('=')?.0.trim().trim_matches(['"', '\'']);
    let bare = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.');
    (!key.is_empty() && key.chars().all(bare)).then_some(key)
}
