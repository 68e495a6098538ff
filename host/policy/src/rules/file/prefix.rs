//! The words of a `commandPrefix`.
//!
//! They are split and unquoted as the shell does it. A prefix consists of words only: an operator or an expansion in
//! it could never match, because commands are judged one by one and after quote removal.

use std::iter::Peekable;
use std::str::CharIndices;

/// The byte of a text at which it is invalid, and why.
pub(super) type Wrong = (usize, String);

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
                return Err(wrong(
                    offset,
                    "a prefix ends at a word and needs no ` *`; quote a `*` that is meant as it is",
                ));
            }
            words.push(word);
        }
    }
    if words.is_empty() { Err(wrong(0, "a prefix needs at least one word")) } else { Ok(words) }
}

fn word(rest: &mut Peekable<CharIndices<'_>>) -> Result<String, Wrong> {
    let mut word = String::new();
    while let Some(&(offset, character)) = rest.peek() {
        match character {
            ' ' | '\t' => break,
            ';' | '|' | '&' | '<' | '>' | '(' | ')' | '\n' | '\r' => {
                return Err(wrong(offset, format!("{character:?} ends a command; a prefix is the beginning of one")));
            }
            '$' | '`' => return Err(expansion(offset, character)),
            _ => {}
        }
        rest.next();
        match character {
            '\'' => single(offset, rest, &mut word)?,
            '"' => double(offset, rest, &mut word)?,
            '\\' => match rest.next() {
                Some((_, escaped)) => word.push(escaped),
                None => return Err(wrong(offset, "the backslash at its end escapes nothing")),
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
    Err(wrong(open, "the quote is not closed"))
}

fn double(open: usize, rest: &mut Peekable<CharIndices<'_>>, word: &mut String) -> Result<(), Wrong> {
    while let Some((offset, character)) = rest.next() {
        match character {
            '"' => return Ok(()),
            '$' | '`' => return Err(expansion(offset, character)),
            '\\' => match rest.next() {
                Some((_, escaped @ ('"' | '\\' | '$' | '`'))) => word.push(escaped),
                Some((_, other)) => word.extend(['\\', other]),
                None => break,
            },
            _ => word.push(character),
        }
    }
    Err(wrong(open, "the quote is not closed"))
}

fn expansion(offset: usize, character: char) -> Wrong {
    wrong(offset, format!("`{character}` stands for what is only known when the command runs; quote it with '...'"))
}

fn wrong(offset: usize, what: impl Into<String>) -> Wrong {
    (offset, what.into())
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
