//! Splits Rust code into words and marks, without comments and literals of text.

/// A word, `::`, or another character that is not white space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// The line that it stands in, from 1.
    pub(super) line: usize,
}

/// Returns the tokens of a file.
pub(super) fn tokens(file: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut rest, mut line) = (Vec::new(), file, 1);
    while !rest.is_empty() {
        let blank = blank(rest);
        let is_token = blank == 0;
        let length = if is_token { token(rest) } else { blank };
        let (text, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if is_token {
            tokens.push(Token { text, line });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    tokens
}

/// Returns the length of the word or the mark that the code begins with.
fn token(code: &str) -> usize {
    match word(code) {
        0 if code.starts_with("::") => 2,
        0 => code.chars().next().map_or(1, char::len_utf8),
        length => length,
    }
}

/// Returns the length of the white space, the comment or the literal that the code begins with, or 0.
fn blank(code: &str) -> usize {
    let spaces = code.len() - code.trim_start().len();
    if spaces > 0 {
        spaces
    } else if code.starts_with("//") {
        code.find('\n').unwrap_or(code.len())
    } else if code.starts_with("/*") {
        comment(code)
    } else if code.starts_with('\'') {
        character(code)
    } else {
        string(code)
    }
}

fn word(code: &str) -> usize {
    code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len())
}

/// Returns the length of a block comment, which may hold others.
fn comment(code: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(rest) = code.get(at..).filter(|rest| !rest.is_empty()) {
        let step = if rest.starts_with("/*") {
            depth += 1;
            2
        } else if rest.starts_with("*/") {
            depth -= 1;
            2
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the length of the literal of a character, or of a lifetime.
fn character(code: &str) -> usize {
    let mut chars = code.char_indices().skip(1);
    let first = chars.next().map(|(_, c)| c);
    let second = chars.next();
    match (first, second) {
        // The character behind the backslash may be a quotation mark.
        (Some('\\'), _) => chars.find(|(_, c)| *c == '\'').map_or(code.len(), |(at, _)| at + 1),
        (_, Some((at, '\''))) => at + 1,
        _ => 1 + word(code.trim_start_matches('\'')),
    }
}

/// Returns the length of the literal of a string, or of the mark of a raw name, or 0.
fn string(code: &str) -> usize {
    let from_prefix = code.trim_start_matches(['b', 'c', 'r']);
    let prefix = code.len() - from_prefix.len();
    let is_raw = code.get(..prefix).is_some_and(|prefix| prefix.ends_with('r'));
    let from_quote = if is_raw { from_prefix.trim_start_matches('#') } else { from_prefix };
    let hashes = from_prefix.len() - from_quote.len();
    let Some(text) = from_quote.strip_prefix('"').filter(|_| prefix <= 2) else {
        return if is_raw && prefix == 1 && hashes == 1 { 2 } else { 0 };
    };
    let end = if is_raw {
        let end = format!("\"{}", "#".repeat(hashes));
        text.find(&end).map(|at| at + end.len())
    } else {
        let mut is_escaped = false;
        let end = text.find(|c| {
            let ends = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        end.map(|at| at + 1)
    };
    prefix + hashes + 1 + end.unwrap_or(text.len())
}
