//! The words of a `commandPrefix`.
//!
//! They are split and unquoted as the shell does it. A prefix consists of words only: an operator or an expansion in
//! it could never match, because commands are judged one by one and after quote removal.

use std::iter::Peekable;
use std::str::CharIndices;

/// The byte of a text at which it is invalid, and why.
pub(super) type Wrong = (usize, PrefixError);

/// Why a `commandPrefix` cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrefixError {
    /// A `*` is a word of it.
    #[error("a prefix ends at a word and needs no ` *`; quote a `*` that is meant as it is")]
    Star,
    /// It has no word.
    #[error("a prefix needs at least one word")]
    NoWord,
    /// A character that ends a command.
    #[error("{0:?} ends a command; a prefix is the beginning of one")]
    End(char),
    /// Nothing is behind a backslash.
    #[error("the backslash at its end escapes nothing")]
    Backslash,
    /// A quote has no end.
    #[error("the quote is not closed")]
    Quote,
    /// A character that begins an expansion.
    #[error("`{0}` stands for what is only known when the command runs; quote it with '...'")]
    Expansion(char),
}

/// Splits a prefix into its words.
pub(super) fn words(text: &str) -> Result<Vec<String>, Wrong> {
    let mut words = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some(&(offset, character)) = rest.peek() {
        if character == ' ' || character == '\t' {
            rest.next();
        } else {
            let word = word(&mut rest)?;
            if word == "*" && text.get(offset..).is_some_and(|word| word.starts_with('*')) {
                return Err((offset, PrefixError::Star));
            }
            words.push(word);
        }
    }
    if words.is_empty() { Err((0, PrefixError::NoWord)) } else { Ok(words) }
}

fn word(rest: &mut Peekable<CharIndices<'_>>) -> Result<String, Wrong> {
    let mut word = String::new();
    while let Some(&(offset, character)) = rest.peek() {
        match character {
            ' ' | '\t' => break,
            ';' | '|' | '&' | '<' | '>' | '(' | ')' | '\n' | '\r' => {
                return Err((offset, PrefixError::End(character)));
            }
            '$' | '`' => return Err((offset, PrefixError::Expansion(character))),
            _ => {}
        }
        rest.next();
        match character {
            '\'' => single(offset, rest, &mut word)?,
            '"' => double(offset, rest, &mut word)?,
            '\\' => match rest.next() {
                Some((_, escaped)) => word.push(escaped),
                None => return Err((offset, PrefixError::Backslash)),
            },
            _ => word.push(character),
        }
    }
    Ok(word)
}

fn single(open: usize, rest: &mut Peekable<CharIndices<'_>>, word: &mut String) -> Result<(), Wrong> {
    for (_, character) in rest {
        if character == '\'' {
            return Ok(());
        }
        word.push(character);
    }
    Err((open, PrefixError::Quote))
}

fn double(open: usize, rest: &mut Peekable<CharIndices<'_>>, word: &mut String) -> Result<(), Wrong> {
    while let Some((offset, character)) = rest.next() {
        match character {
            '"' => return Ok(()),
            '$' | '`' => return Err((offset, PrefixError::Expansion(character))),
            '\\' => match rest.next() {
                Some((_, escaped @ ('"' | '\\' | '$' | '`'))) => word.push(escaped),
                Some((_, other)) => word.extend(['\\', other]),
                None => break,
            },
            _ => word.push(character),
        }
    }
    Err((open, PrefixError::Quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_split_and_unquoted_as_the_shell_does_it() {
        for (text, expected) in [
            ("git status", &["git", "status"][..]),
            ("  git\tstatus ", &["git", "status"]),
            (r#"git commit -m "a b""#, &["git", "commit", "-m", "a b"]),
            ("echo 'a \"b' c\\ d", &["echo", "a \"b", "c d"]),
            (r#"echo "\"\\\x\$""#, &["echo", r#""\\x$"#]),
            ("echo ''", &["echo", ""]),
            ("ls '*'", &["ls", "*"]),
            ("ls *.rs", &["ls", "*.rs"]),
            ("[ -f", &["[", "-f"]),
            ("배포 시작", &["배포", "시작"]),
        ] {
            assert_eq!(words(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_beginning_of_a_command_is_an_error_at_its_place() {
        for (text, offset) in [
            ("", 0),
            ("  ", 0),
            ("git status;", 10),
            ("a && b", 2),
            ("a | b", 2),
            ("a > b", 2),
            ("(a", 0),
            ("a\nb", 1),
            ("echo $HOME", 5),
            ("echo \"$HOME\"", 6),
            ("echo `id`", 5),
            ("echo 'a", 5),
            ("echo \"a", 5),
            ("echo \\", 5),
            ("npm run *", 8),
        ] {
            assert_eq!(words(text).unwrap_err().0, offset, "{text}");
        }
    }
}
