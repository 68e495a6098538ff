//! What was read.

use std::sync::Arc;

use super::shape::{Part, Shape};

/// Every simple command of a command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// In the order in which they are written; what a wrapper starts comes after it.
    pub commands: Vec<Command>,
    /// Why the line cannot be read as a whole. What was read all the same may only tighten.
    pub unclear: Option<Unclear>,
}

/// A simple command: a program, its arguments, and what belongs to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Its name and arguments, quotes and escapes taken away. Empty when it only assigns or redirects.
    pub words: Vec<Word>,
    /// `NAME=value` before it, or what a wrapper such as `env` sets for it.
    pub assignments: Vec<Assignment>,
    /// The files that it is redirected from and to. Copies of descriptors (`2>&1`) are none.
    pub redirects: Vec<Redirect>,
    /// Where it reads its standard input from.
    pub stdin: Stdin,
    /// The index of the wrapper that starts it.
    pub within: Option<usize>,
    /// A wrapper that runs nothing but what is listed after it (`timeout 5 ls`): rules may stop it, and need not allow it.
    pub is_transparent: bool,
    /// Another way in which the line could be read: rules may stop it, and need not allow it.
    pub possible: bool,
    /// An earlier command of the line may have changed the directory: where it runs is unknown.
    pub moved: bool,
    /// Where it may run when it moved: for each place the folders that the `cd` before it name, one after the other. Empty
    /// when it did not move, or may run anywhere.
    pub folders: Vec<Vec<Word>>,
    /// Why no rule may allow it, whatever its words are.
    pub unclear: Option<Unclear>,
}

/// A word after quote removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The whole word when it is exact, else what it certainly begins with (often nothing).
    pub known: String,
    /// Whether `known` is the whole word. An inexact one may become any number of words, none included, that begin so.
    pub exact: bool,
    /// It is one word, whatever it is: it is exact, or what is not known of it is inside double quotes.
    pub one: bool,
    /// What it may be. None for an exact word, and where nothing more is known than its beginning.
    pub(crate) shapes: Option<Arc<[Shape]>>,
}

/// A variable that is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The name of the variable.
    pub name: String,
    /// The value that the variable gets.
    pub value: Word,
}

/// A file that a command is redirected to or from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// Whether it reads, writes or appends.
    pub kind: RedirectKind,
    /// The file that is named.
    pub target: Word,
}

/// The direction of a redirection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    /// `<`
    Read,
    /// `>`, `>>`, `>|`, `&>`, `<>`
    Write,
}

/// Where a command reads its standard input from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stdin {
    /// Nothing was said.
    Inherited,
    /// Another command of the line, or a descriptor.
    Pipe,
    /// A file.
    File,
    /// A heredoc or here-string.
    Text(Word),
}

/// Why something cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Unclear {
    /// Not bash, as far as we can tell.
    #[error("it cannot be parsed")]
    Syntax,
    /// bash and zsh read it in two ways.
    #[error("bash and zsh would read it in two ways")]
    Zsh,
    /// Longer than anybody reads on a card; the client asks for these too (10,000 characters).
    #[error("it is longer than {} characters", super::command::MAX_CHARS)]
    TooLong,
    /// Wrappers in wrappers in wrappers.
    #[error("it is nested too deeply")]
    TooDeep,
    /// The command word is a variable, a glob, the output of a command, or has characters that no command has.
    #[error("what it runs is only known when it runs")]
    Name,
    /// A script that is only known when it runs: `eval "$x"`, `curl ... | sh`.
    #[error("it runs a script that is only known when it runs")]
    Script,
    /// Code in a language that is not read: `python -c ...`.
    #[error("it runs code that is not read")]
    Code,
    /// An option of a wrapper that is not known, so what it starts is not known.
    #[error("which of its words are the command that it starts is not certain")]
    Options,
    /// A variable that may change what commands do: `PATH=...`, `LD_PRELOAD=...`.
    #[error("it sets a variable that may change what commands do")]
    Variable,
    /// An expansion that may itself run something: `${x@P}`, `$((a[$(id)]))`, `[[ -v x ]]`.
    #[error("it has an expansion that may run something")]
    Expansion,
}

/// The longest command line that is read, in characters.
pub const MAX_CHARS: usize = 10_000;

impl Word {
    /// A word that is known to its end.
    pub fn exact(text: impl Into<String>) -> Self {
        Self { known: text.into(), exact: true, one: true, shapes: None }
    }

    /// A word of which only the beginning is known.
    pub fn beginning(text: impl Into<String>) -> Self {
        Self { known: text.into(), exact: false, one: false, shapes: None }
    }

    /// A word of which another part is known, and that is as certain.
    pub(crate) fn with(&self, known: impl Into<String>) -> Self {
        let known = known.into();
        let shapes = self.shapes.as_ref().and_then(|shapes| self.ends(&known, shapes));
        Self { known, exact: self.exact, one: self.one, shapes }
    }

    /// The shapes of the end of a word, where `known` is the end of what was known.
    fn ends(&self, known: &str, shapes: &[Shape]) -> Option<Arc<[Shape]>> {
        let before = self.known.strip_suffix(known)?;
        let cut = |shape: &Shape| match shape.split_first() {
            _ if before.is_empty() => Some(shape.clone()),
            Some((Part::Text(text), rest)) => {
                let first = Part::Text(text.strip_prefix(before)?.to_owned());
                Some(std::iter::once(first).chain(rest.iter().cloned()).collect())
            }
            _ => None,
        };
        shapes.iter().map(cut).collect::<Option<Vec<_>>>().map(Into::into)
    }

    /// The word, when it is known.
    pub fn text(&self) -> Option<&str> {
        self.exact.then_some(self.known.as_str())
    }
}

impl Command {
    /// A command of these words and nothing else.
    pub fn of(words: Vec<Word>) -> Self {
        Self {
            words,
            assignments: Vec::new(),
            redirects: Vec::new(),
            stdin: Stdin::Inherited,
            within: None,
            is_transparent: false,
            possible: false,
            moved: false,
            folders: Vec::new(),
            unclear: None,
        }
    }

    /// The command word, when it is known.
    pub fn name(&self) -> Option<&str> {
        self.words.first().and_then(Word::text)
    }
}
