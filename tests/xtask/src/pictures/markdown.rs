//! Parses Discord's Markdown, as far as our bots write it: escapes, bold, italic, underline, strike, code, code blocks,
//! headings, lists, quotes (<https://support.discord.com/hc/articles/210298617>). Everything else is plain text.

use super::text::{Ink, Look, Run};

/// A block of one or more lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A text. The level of a heading is 1 or more, of other text 0.
    Words { runs: Vec<Run>, heading: u32 },
    /// An item of a list, with its bullet or number.
    Item { sign: String, runs: Vec<Run> },
    /// A block quote.
    Quote(Vec<Run>),
    /// A code block.
    Code(String),
}

/// Parses a text.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (at, part) in text.split("```").enumerate() {
        if at % 2 == 1 {
            pieces.push(Piece::Code(code(part)));
            continue;
        }
        let part = if at > 0 { part.strip_prefix('\n').unwrap_or(part) } else { part };
        let part = part.strip_suffix('\n').unwrap_or(part);
        if !part.is_empty() {
            for piece in part.split('\n').map(line) {
                match (pieces.last_mut(), piece) {
                    // Consecutive lines without a heading are one text.
                    (Some(Piece::Words { runs, heading: 0 }), Piece::Words { runs: more, heading: 0 }) => {
                        runs.push(Run::new("\n", Look::default()));
                        runs.extend(more);
                    }
                    (_, piece) => pieces.push(piece),
                }
            }
        }
    }
    pieces
}

/// Returns the code of a fenced block, without the language that its first line may name.
fn code(fenced: &str) -> String {
    let body = match fenced.split_once('\n') {
        Some((language, body)) if !language.is_empty() && language.chars().all(|c| c.is_ascii_alphanumeric()) => body,
        _ => fenced.strip_prefix('\n').unwrap_or(fenced),
    };
    body.strip_suffix('\n').unwrap_or(body).to_owned()
}

fn line(line: &str) -> Piece {
    for (level, sign) in [(1, "# "), (2, "## "), (3, "### ")] {
        if let Some(rest) = line.strip_prefix(sign) {
            return Piece::Words { runs: spans(rest, Look { bold: true, ..Look::default() }), heading: level };
        }
    }
    if let Some(rest) = line.strip_prefix("-# ") {
        return Piece::Words { runs: spans(rest, Look { ink: Ink::Quiet, ..Look::default() }), heading: 0 };
    }
    if let Some(rest) = line.strip_prefix("> ") {
        return Piece::Quote(spans(rest, Look::default()));
    }
    if let Some(rest) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
        return Piece::Item { sign: "•".to_owned(), runs: spans(rest, Look::default()) };
    }
    if let Some((number, rest)) = line.split_once(". ").filter(|(number, _)| is_number(number)) {
        return Piece::Item { sign: format!("{number}."), runs: spans(rest, Look::default()) };
    }
    Piece::Words { runs: spans(line, Look::default()), heading: 0 }
}

fn is_number(text: &str) -> bool {
    (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses the marks inside a line. An opening mark without a closing one is plain text.
fn spans(mut text: &str, look: Look) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut before = ' ';
    let mut add = |text: &str, look: Look| match runs.last_mut().filter(|run| run.look == look) {
        Some(run) => run.text.push_str(text),
        None => runs.push(Run::new(text, look)),
    };
    while let Some(c) = text.chars().next() {
        let escaped = text.strip_prefix('\\').and_then(|rest| rest.chars().next());
        if let Some(escaped) = escaped.filter(char::is_ascii_punctuation) {
            add(&escaped.to_string(), look);
            before = escaped;
            text = text.get(1 + escaped.len_utf8()..).unwrap_or_default();
            continue;
        }
        if let Some((inside, rest)) = between(text, "`") {
            add(inside, Look { mono: true, ink: Ink::Other("#b0386b"), ..look });
            text = rest;
            continue;
        }
        let marks = [
            ("**", Look { bold: true, ..look }),
            ("__", Look { underline: true, ..look }),
            ("~~", Look { strike: true, ..look }),
            ("*", Look { italic: true, ..look }),
            ("_", Look { italic: true, ..look }),
        ];
        // An underscore inside a word, as in `a_b_c`, is no mark.
        let marks = marks.into_iter().filter(|(mark, _)| !(mark.starts_with('_') && before.is_alphanumeric()));
        let mut found = marks.filter_map(|(mark, look)| between(text, mark).map(|(inner, rest)| (inner, look, rest)));
        if let Some((inner, look, rest)) = found.next() {
            for run in spans(inner, look) {
                add(&run.text, run.look);
            }
            text = rest;
            continue;
        }
        add(&c.to_string(), look);
        before = c;
        text = text.get(c.len_utf8()..).unwrap_or_default();
    }
    runs
}

/// Splits off the text between a mark at the start and the next one that is not escaped. Returns that text and the
/// rest.
fn between<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let inside = text.strip_prefix(mark)?;
    let mut from = 0;
    loop {
        let at = from + inside.get(from..)?.find(mark)?;
        let before = inside.get(..at)?;
        let slashes = before.len() - before.trim_end_matches('\\').len();
        if at > 0 && slashes % 2 == 0 {
            return Some((before, inside.get(at + mark.len()..)?));
        }
        from = at + 1;
    }
}
