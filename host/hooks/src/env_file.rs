//! What a hook wrote into its `CLAUDE_ENV_FILE`: statements that export variables for later hooks.
//!
//! ```text
//! export NAME=value          export A=1 B='two words'
//! declare -x NAME="value"    # a comment
//! ```
//!
//! Quotes and backslashes are read as bash reads them, also over several lines, and `$NAME` and `${NAME}` stand for a variable
//! that is known. Nothing is executed: a statement with a command substitution, another expansion or another command is passed
//! over and reported by its line.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

/// The most of a file that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 10;

/// The variables of a file, and the statements that were passed over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exports {
    /// The variables, the last value of each.
    pub variables: BTreeMap<String, String>,
    /// The lines, from 1, on which a statement that would have to be executed begins.
    pub passed_over: Vec<usize>,
}

/// Reads a file. `known` looks up the variables that `$NAME` may refer to.
pub fn parse(text: &str, known: &dyn Fn(&str) -> Option<String>) -> Exports {
    let mut reader = Reader { chars: text.chars().peekable(), line: 1, known, exports: Exports::default() };
    while reader.chars.peek().is_some() {
        reader.statement();
    }
    reader.exports
}

/// A statement that is not read further.
struct Unreadable;

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    line: usize,
    known: &'a dyn Fn(&str) -> Option<String>,
    exports: Exports,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.chars.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    /// Reads up to the end of a statement.
    fn statement(&mut self) {
        let line = self.line;
        if self.words().is_err() {
            self.exports.passed_over.push(line);
            // The rest of the line belongs to the same statement as far as anybody can say.
            while self.chars.next_if(|c| *c != '\n').is_some() {}
        }
    }

    fn words(&mut self) -> Result<(), Unreadable> {
        let mut exported = Vec::new();
        let mut seen = 0;
        let mut is_declare = false;
        while let Some(word) = self.word()? {
            seen += 1;
            match (seen, word.text.as_str()) {
                (1, "export") => {}
                (1, "declare") => is_declare = true,
                (1, _) => return Err(Unreadable),
                (2, "-x") if is_declare => {}
                (2, _) if is_declare => return Err(Unreadable),
                _ => exported.extend(word.assignment()?),
            }
        }
        self.exports.variables.extend(exported);
        Ok(())
    }

    /// Reads the next word of the statement; `None` at its end.
    fn word(&mut self) -> Result<Option<Word>, Unreadable> {
        while self.chars.next_if(|c| matches!(c, ' ' | '\t' | '\r')).is_some() {}
        match self.chars.peek() {
            None => return Ok(None),
            Some('\n' | ';') => {
                self.next();
                return Ok(None);
            }
            Some('#') => {
                while self.chars.next_if(|c| *c != '\n').is_some() {}
                return Ok(None);
            }
            Some(_) => {}
        }
        let mut word = Word::default();
        while let Some(c) = self.chars.next_if(|c| !matches!(c, ' ' | '\t' | '\r' | '\n' | ';')) {
            match c {
                '&' | '|' | '<' | '>' | '(' | ')' | '`' => return Err(Unreadable),
                '\'' => self.single(&mut word.text)?,
                '"' => self.double(&mut word.text)?,
                '$' => self.expansion(&mut word.text)?,
                '\\' => match self.next().ok_or(Unreadable)? {
                    '\n' => {}
                    c => word.text.push(c),
                },
                '=' if word.equals.is_none() => {
                    word.equals = Some(word.text.len());
                    word.text.push('=');
                }
                _ => word.text.push(c),
            }
        }
        Ok(Some(word))
    }

    fn single(&mut self, text: &mut String) -> Result<(), Unreadable> {
        loop {
            match self.next().ok_or(Unreadable)? {
                '\'' => return Ok(()),
                c => text.push(c),
            }
        }
    }

    fn double(&mut self, text: &mut String) -> Result<(), Unreadable> {
        loop {
            match self.next().ok_or(Unreadable)? {
                '"' => return Ok(()),
                '`' => return Err(Unreadable),
                '$' => self.expansion(text)?,
                '\\' => match self.next().ok_or(Unreadable)? {
                    '\n' => {}
                    c @ ('"' | '\\' | '$' | '`') => text.push(c),
                    c => text.extend(['\\', c]),
                },
                c => text.push(c),
            }
        }
    }

    /// Reads what follows a `$`.
    fn expansion(&mut self, text: &mut String) -> Result<(), Unreadable> {
        let braced = self.chars.next_if_eq(&'{').is_some();
        let mut name = String::new();
        while let Some(c) = self.chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
            name.push(c);
        }
        if braced && (self.chars.next_if_eq(&'}').is_none() || name.is_empty()) {
            return Err(Unreadable);
        }
        if name.is_empty() {
            // A `$` before a blank or a quote stands for itself; `$(`, `$'` and special parameters do not.
            return match self.chars.peek() {
                None | Some(' ' | '\t' | '\n' | '"' | '/' | ':' | '.' | ',' | '=' | '%') => {
                    text.push('$');
                    Ok(())
                }
                Some(_) => Err(Unreadable),
            };
        }
        let value = self.exports.variables.get(&name).cloned().or_else(|| (self.known)(&name));
        text.push_str(&value.unwrap_or_default());
        Ok(())
    }
}

/// A word after its quotes were removed, and where its first `=` outside of quotes is.
#[derive(Default)]
struct Word {
    text: String,
    equals: Option<usize>,
}

impl Word {
    /// Returns the variable and its value; `None` for a name alone, which changes no value.
    fn assignment(self) -> Result<Option<(String, String)>, Unreadable> {
        let name = self.equals.and_then(|at| self.text.get(..at)).unwrap_or(&self.text);
        let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_word || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Unreadable);
        }
        let value = self.equals.and_then(|at| self.text.get(at + 1..));
        Ok(value.map(|value| (name.to_owned(), value.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Exports {
        parse(text, &|name| (name == "PATH").then(|| "/usr/bin".to_owned()))
    }

    #[test]
    fn exports_are_read_as_bash_reads_them() {
        for (text, expected) in [
            ("export A=1", vec![("A", "1")]),
            ("export A=1\nexport B=2\n", vec![("A", "1"), ("B", "2")]),
            ("export A='two words'", vec![("A", "two words")]),
            ("export A=\"two words\"", vec![("A", "two words")]),
            ("export A=\"say \\\"hi\\\" \\n\"", vec![("A", "say \"hi\" \\n")]),
            ("export A='it'\\''s'", vec![("A", "it's")]),
            ("export A=\"one\ntwo\"\nexport B=3", vec![("A", "one\ntwo"), ("B", "3")]),
            ("export A=1 B=2 # comment", vec![("A", "1"), ("B", "2")]),
            ("export A=1; export B=2", vec![("A", "1"), ("B", "2")]),
            ("  export   A=  ", vec![("A", "")]),
            ("export A=a=b", vec![("A", "a=b")]),
            ("export A=a#b", vec![("A", "a#b")]),
            ("export A=two\\ words", vec![("A", "two words")]),
            ("export PATH=\"$PATH:/opt\"", vec![("PATH", "/usr/bin:/opt")]),
            ("export A=x\nexport B=${A}y", vec![("A", "x"), ("B", "xy")]),
            ("export A=$UNKNOWN", vec![("A", "")]),
            ("export PRICE=5$", vec![("PRICE", "5$")]),
            ("export A='$HOME `id`'", vec![("A", "$HOME `id`")]),
            ("declare -x A=\"1\"", vec![("A", "1")]),
            ("# only a comment\n\n", vec![]),
            ("export A", vec![]),
            ("export A=1\r\nexport B=2\r\n", vec![("A", "1"), ("B", "2")]),
            ("export A=1\nexport A=2", vec![("A", "2")]),
        ] {
            let expected = expected.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            assert_eq!(read(text), Exports { variables: expected, passed_over: vec![] }, "{text}");
        }
    }

    #[test]
    fn what_would_have_to_be_executed_is_passed_over_and_reported() {
        for text in [
            "export A=$(id)", "export A=`id`", "export A=\"x $(rm -rf /) y\"", "export A=${B:-x}", "export A=$'\\n'",
            "export A=1 && id", "export A=1 | cat", "A=1", "rm -rf /", "export A='unfinished", "export A=\"unfinished",
            "export 1A=x", "export A-B=x", "export -n A=1", "declare -r A=1", "export A=<(id)",
        ] {
            let exports = read(&format!("export OK=1\n{text}"));
            assert_eq!(exports.variables, BTreeMap::from([("OK".to_owned(), "1".to_owned())]), "{text}");
            assert_eq!(exports.passed_over, [2], "{text}");
        }
        let exports = read("export A=$(id)\nexport B=2");
        assert_eq!((exports.variables.len(), exports.passed_over), (1, vec![1]));
    }

    proptest! {
        #[test]
        fn whatever_is_quoted_comes_back(value in "[^\\x00]{0,40}") {
            let quoted = format!("'{}'", value.replace('\'', "'\\''"));
            let exports = read(&format!("export A={quoted}\nexport B=2"));
            prop_assert_eq!(exports.variables.get("A"), Some(&value));
            prop_assert_eq!(exports.variables.len(), 2);
        }

        #[test]
        fn no_text_makes_it_panic_or_hang(text in "(export |declare -x |[A-Z]=|[\"'$`\\\\{}();#\\n ]|.){0,60}") {
            read(&text);
        }
    }
}
