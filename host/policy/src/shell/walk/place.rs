//! Where a command is: what it reads from, and what it is redirected to.

use brush_parser::ast::{IoFileRedirectKind, IoFileRedirectTarget, IoRedirect};

use super::super::command::{Command, Redirect, RedirectKind, Stdin, Unclear, Word};
use super::super::lexer::Dialect;
use super::super::word::{Nested, Text};
use super::folders::Folders;
use super::{Texts, taken};

/// Every command of a group has all redirections of the group, so there is a limit.
const MAX_REDIRECTS: usize = 50;

/// What a command has from where it is written.
#[derive(Debug, Clone)]
pub(in super::super) struct Place {
    pub(in super::super) stdin: Stdin,
    pub(in super::super) redirects: Vec<Redirect>,
    /// The wrapper that starts it.
    pub(in super::super) within: Option<usize>,
    /// How many wrappers are around it.
    pub(in super::super) wrappers: usize,
    /// How deep it is nested.
    pub(in super::super) depth: usize,
    /// Which shells may read its script.
    pub(in super::super) dialect: Dialect,
    /// It is only a reading of something else.
    pub(in super::super) possible: bool,
}

impl Place {
    /// At the top.
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

    /// Here, reading something else.
    pub(super) fn reading(&self, stdin: Stdin) -> Self {
        Self { stdin, ..self.clone() }
    }

    /// A command here.
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

    /// Redirects. The scripts in its word are added to `nested`.
    pub(super) fn redirect(
        &mut self,
        redirect: &IoRedirect,
        texts: &mut Texts,
        nested: &mut Vec<Nested>,
    ) -> Option<Unclear> {
        match redirect {
            IoRedirect::HereDocument(descriptor, document) => {
                let text = taken(&document.doc, texts);
                self.text(*descriptor, text, nested)
            }
            IoRedirect::HereString(descriptor, word) => {
                let mut text = taken(word, texts);
                text.word.known.push_str(if text.word.exact { "\n" } else { "" });
                self.text(*descriptor, text, nested)
            }
            IoRedirect::OutputAndError(word, _) => {
                let text = taken(word, texts);
                self.file(RedirectKind::Write, text, nested)
            }
            IoRedirect::File(descriptor, kind, target) => self.opened(*descriptor, kind, target, texts, nested),
        }
    }

    fn opened(
        &mut self,
        descriptor: Option<i32>,
        kind: &IoFileRedirectKind,
        target: &IoFileRedirectTarget,
        texts: &mut Texts,
        nested: &mut Vec<Nested>,
    ) -> Option<Unclear> {
        let reads = matches!(
            kind,
            IoFileRedirectKind::Read | IoFileRedirectKind::ReadAndWrite | IoFileRedirectKind::DuplicateInput
        );
        let copies = matches!(kind, IoFileRedirectKind::DuplicateInput | IoFileRedirectKind::DuplicateOutput);
        let text = match target {
            IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => taken(word, texts),
            // `|&` adds it.
            IoFileRedirectTarget::Fd(_) => return None,
            IoFileRedirectTarget::ProcessSubstitution(..) => return Some(Unclear::Syntax),
        };
        let copied = copies && text.word.text().is_some_and(is_descriptor);
        if reads && descriptor.unwrap_or(0) == 0 {
            let pipe = copied || text.process;
            self.stdin = if pipe { Stdin::Pipe } else { Stdin::File };
        }
        if copied || text.process {
            nested.extend(text.nested);
            return text.hazard.then_some(Unclear::Expansion);
        }
        let writes = !matches!(kind, IoFileRedirectKind::Read | IoFileRedirectKind::DuplicateInput);
        self.file(if writes { RedirectKind::Write } else { RedirectKind::Read }, text, nested)
    }

    fn file(&mut self, kind: RedirectKind, text: Text, nested: &mut Vec<Nested>) -> Option<Unclear> {
        if self.redirects.len() >= MAX_REDIRECTS {
            return Some(Unclear::TooDeep);
        }
        self.redirects.push(Redirect { kind, target: text.word });
        nested.extend(text.nested);
        text.hazard.then_some(Unclear::Expansion)
    }

    fn text(&mut self, descriptor: Option<i32>, text: Text, nested: &mut Vec<Nested>) -> Option<Unclear> {
        if descriptor.unwrap_or(0) == 0 {
            self.stdin = Stdin::Text(text.word);
        }
        nested.extend(text.nested);
        text.hazard.then_some(Unclear::Expansion)
    }
}

/// `1`, `1-` or `-`
fn is_descriptor(word: &str) -> bool {
    let digits = word.strip_suffix('-').unwrap_or(word);
    !word.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
