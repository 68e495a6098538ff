//! The context of a command: its input, its redirections, and the wrappers around it.

use super::folders::Folders;
use crate::shell::parser::Dialect;
use crate::shell::syntax::{self, Nested};
use crate::shell::{Command, Redirect, RedirectKind, Stdin, Unclear, Word};

/// The maximum number of redirections. Every command of a group has all redirections of the group.
const MAX_REDIRECTS: usize = 50;

/// The context that a command has because of its position in the script.
#[derive(Debug, Clone)]
pub(in super::super) struct Place {
    pub(in super::super) stdin: Stdin,
    pub(in super::super) redirects: Vec<Redirect>,
    /// The index of the wrapper that starts it.
    pub(in super::super) within: Option<usize>,
    /// The number of wrappers around it.
    pub(in super::super) wrappers: usize,
    /// The nesting depth of its script.
    pub(in super::super) depth: usize,
    /// The shells that may run its script.
    pub(in super::super) dialect: Dialect,
    /// Whether it is only an alternative reading of the line.
    pub(in super::super) possible: bool,
}

impl Place {
    /// Returns the context at the top level.
    pub(in super::super) fn top(dialect: Dialect) -> Self {
        Self {
            stdin: Stdin::Inherited,
            redirects: Vec::new(),
            within: None,
            wrappers: 0,
            depth: 0,
            dialect,
            possible: false,
        }
    }

    /// Returns this context with another standard input.
    pub(super) fn reading(&self, stdin: Stdin) -> Self {
        Self { stdin, ..self.clone() }
    }

    /// Returns a command in this context.
    pub(super) fn command(&self, words: Vec<Word>, folders: &Folders) -> Command {
        Command {
            stdin: self.stdin.clone(),
            redirects: self.redirects.clone(),
            within: self.within,
            possible: self.possible,
            moved: folders.is_moved(),
            folders: folders.named(),
            ..Command::of(words)
        }
    }

    /// Adds a redirection. The scripts in its word are added to `nested`.
    pub(super) fn redirect(&mut self, redirect: &syntax::Redirect, nested: &mut Vec<Nested>) -> Option<Unclear> {
        let mut text = redirect.word.take();
        let (is_stdin, operator) = (redirect.descriptor.unwrap_or(0) == 0, redirect.operator);
        let unclear = text.hazard.then_some(Unclear::Expansion);
        nested.append(&mut text.nested);
        if matches!(operator, "<<<" | "<<" | "<<-") {
            if operator == "<<<" && text.word.exact {
                text.word.known.push('\n');
            }
            if is_stdin {
                self.stdin = Stdin::Text(text.word);
            }
            return unclear;
        }
        let copied = matches!(operator, "<&" | ">&") && text.word.text().is_some_and(is_descriptor);
        let is_file = !copied && (!text.process || operator.starts_with('&'));
        if is_stdin && matches!(operator, "<" | "<>" | "<&") {
            self.stdin = if is_file { Stdin::File } else { Stdin::Pipe };
        }
        if is_file {
            if self.redirects.len() >= MAX_REDIRECTS {
                return Some(Unclear::TooDeep);
            }
            let kind = if matches!(operator, "<" | "<&") { RedirectKind::Read } else { RedirectKind::Write };
            self.redirects.push(Redirect { kind, target: text.word });
        }
        unclear
    }
}

/// Returns whether a word is a descriptor: `1`, `1-` or `-`.
fn is_descriptor(word: &str) -> bool {
    let digits = word.strip_suffix('-').unwrap_or(word);
    !word.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
