//! What may come next, which says what a word means: `if` is a keyword only where a command begins.

use brush_parser::{SourceSpan, Token};

use super::super::command::Unclear;
use super::super::word::{Text, is_name};
use super::{Lexer, Open};

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    /// A command, with keywords and assignments. `time` is no keyword right behind a `|`.
    Command { piped: bool },
    /// The name of a command, or more assignments: an assignment or a redirection was first.
    Prefix,
    /// Arguments. `first` until there is one: the word before may become the name of a function.
    Arguments { first: bool, declares: bool },
    /// Only redirections, an operator, or the keyword that closes something.
    End,
    /// The variable of `for` or `select`.
    ForName,
    /// `in`, `do`, or an end of the line.
    ForIn,
    /// What a `case` looks at.
    Subject,
    /// Its `in`.
    CaseIn,
    /// A pattern of a `case`, or its `esac`.
    Pattern,
    /// The name behind `function`.
    FunctionName,
    /// The body of a function.
    FunctionBody,
}

impl Expect {
    pub(super) fn is_command(self) -> bool {
        matches!(self, Self::Command { .. })
    }

    pub(super) fn assigns(self) -> bool {
        matches!(self, Self::Command { .. } | Self::Prefix)
    }

    pub(super) fn declares(self) -> bool {
        matches!(self, Self::Arguments { declares: true, .. })
    }

    /// Only `for x;` has one before its command begins.
    pub(super) fn takes_no_operator(self) -> bool {
        matches!(
            self,
            Self::Pattern | Self::Subject | Self::CaseIn | Self::ForName | Self::FunctionName | Self::FunctionBody
        )
    }

    pub(super) fn newline(&mut self) {
        match self {
            Self::Command { .. } | Self::CaseIn | Self::Pattern | Self::FunctionBody | Self::ForIn => {}
            _ => *self = Self::Command { piped: false },
        }
    }

    pub(super) fn redirected(&mut self) {
        match self {
            Self::Command { .. } => *self = Self::Prefix,
            Self::Arguments { first, .. } => *first = false,
            _ => {}
        }
    }
}

/// These keep their arguments `NAME=(...)` as an array.
const DECLARING: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

impl Lexer<'_> {
    /// Whether an unquoted word is a keyword here; it is in the tokens then.
    pub(super) fn reserved(&mut self, word: &str) -> Result<bool, Unclear> {
        let command = Expect::Command { piped: false };
        if self.expect.is_command() && matches!(word, "select" | "coproc" | "function" | "[[") {
            self.only_bash()?;
        }
        match (self.expect, word) {
            (Expect::Command { .. } | Expect::FunctionBody, "if" | "while" | "until" | "{") => {
                self.opens(word, command)?
            }
            (Expect::Command { .. } | Expect::FunctionBody, "for" | "select") => self.opens("for", Expect::ForName)?,
            (Expect::Command { .. } | Expect::FunctionBody, "case") => {
                self.opens(word, Expect::Subject)?;
                self.open.push(Open::Case);
            }
            (Expect::Command { .. }, "coproc") => {
                // In `$( )` bash 5.2 runs a program `COPROC` instead.
                if self.in_parentheses {
                    return Err(Unclear::Syntax);
                }
                // Nothing closes it: it counts to the end.
                self.deeper()?;
                self.keyword(word, command);
            }
            (Expect::Command { .. }, "function") => self.keyword(word, Expect::FunctionName),
            (Expect::Command { .. } | Expect::End, "then" | "elif" | "else" | "do") => self.keyword(word, command),
            (Expect::ForIn, "do") => self.keyword(word, command),
            (Expect::ForIn, "in") => self.keyword(word, Expect::Arguments { first: false, declares: false }),
            (Expect::CaseIn, "in") => self.keyword(word, Expect::Pattern),
            (Expect::Command { .. } | Expect::End | Expect::Pattern, "esac") => self.esac()?,
            (Expect::Command { .. } | Expect::End, "fi" | "done" | "}") => {
                self.close_block()?;
                self.keyword(word, Expect::End);
            }
            (Expect::Command { piped: false }, "time") => self.time()?,
            (Expect::Command { .. }, "!") => self.keyword(word, command),
            (Expect::Command { .. }, "[[" | "]]") => return Err(Unclear::Syntax),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What comes behind a word that is no keyword.
    pub(super) fn expect_after(&mut self, text: &Text) -> Result<(), Unclear> {
        self.expect = match self.expect {
            Expect::Command { .. } | Expect::Prefix if text.assigns.is_some() => Expect::Prefix,
            Expect::Command { .. } | Expect::Prefix => {
                let declares = text.word.text().is_some_and(|name| DECLARING.contains(&name));
                Expect::Arguments { first: self.expect.is_command(), declares }
            }
            Expect::Arguments { declares, .. } => Expect::Arguments { first: false, declares },
            Expect::Subject => Expect::CaseIn,
            Expect::Pattern => Expect::Pattern,
            Expect::FunctionName => Expect::FunctionBody,
            Expect::End | Expect::ForIn | Expect::CaseIn | Expect::FunctionBody | Expect::ForName => {
                return Err(Unclear::Syntax);
            }
        };
        Ok(())
    }

    fn keyword(&mut self, word: &str, then: Expect) {
        self.push_reserved(word);
        self.expect = then;
    }

    fn opens(&mut self, word: &str, then: Expect) -> Result<(), Unclear> {
        self.open_block()?;
        self.keyword(word, then);
        Ok(())
    }

    /// The grammar takes twice as long for a last item without `;;`, and twice of that for one in it.
    fn esac(&mut self) -> Result<(), Unclear> {
        if self.open.pop() != Some(Open::Case) {
            return Err(Unclear::Syntax);
        }
        if self.expect != Expect::Pattern {
            self.push_operator(";;");
        }
        self.close_block()?;
        self.keyword("esac", Expect::End);
        Ok(())
    }

    /// `time` changes nothing about what runs; neither do its `-p` and `--`. An even number of `!` stands in its place.
    fn time(&mut self) -> Result<(), Unclear> {
        self.push_reserved("!");
        self.push_reserved("!");
        for option in ["-p", "--"] {
            while matches!(self.peek(), Some(b' ' | b'\t')) {
                self.pass(1)?;
            }
            let rest = self.script.get(self.at..).unwrap_or_default();
            if rest.starts_with("-\\") {
                return Err(Unclear::Syntax);
            }
            let behind = rest.strip_prefix(option).map(|rest| rest.bytes().next());
            match behind {
                Some(None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')) => {
                    self.pass(2)?
                }
                // Something more of that word, perhaps quoted: too strange to follow.
                Some(Some(b'\\' | b'\'' | b'"' | b'$' | b'`')) => return Err(Unclear::Syntax),
                _ => {}
            }
        }
        self.expect = Expect::Command { piped: false };
        Ok(())
    }

    /// The variable of a loop. The grammar keeps its text and not its place, so its place becomes its text.
    pub(super) fn loop_variable(&mut self, text: Text) -> Result<(), Unclear> {
        if !text.plain || !is_name(&text.word.known) {
            return Err(Unclear::Syntax);
        }
        self.push_numbered(text);
        Ok(())
    }

    /// A word that is found again by its text.
    pub(super) fn push_numbered(&mut self, text: Text) {
        let number = self.out.tokens.len().to_string();
        self.push(Token::Word(number, SourceSpan::default()), Some(text), 1);
        self.expect = Expect::ForIn;
    }
}
