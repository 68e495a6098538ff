//! A simple command, and its words.

use std::sync::Arc;

use super::shape::{Part, Shape};

/// A simple command: a program, its arguments, assignments and redirections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// Its name and arguments after quote removal. Empty if it only assigns or redirects.
    pub words: Vec<Word>,
    /// The assignments `NAME=value` before it, and those of a wrapper such as `env`.
    pub assignments: Vec<Assignment>,
    /// The files that it is redirected from and to, without duplicated descriptors (`2>&1`).
    pub redirects: Vec<Redirect>,
    /// The source of its standard input.
    pub stdin: Stdin,
    /// The index of the wrapper that starts it.
    pub within: Option<usize>,
    /// Whether it is a wrapper that only runs what is listed after it (`timeout 5 ls`). Rules can stop it, and need
    /// not allow it.
    pub is_transparent: bool,
    /// Whether it is an alternative reading of the line. Rules can stop it, and need not allow it.
    pub possible: bool,
    /// Whether an earlier command of the line may have changed the directory, so that it is unknown where it runs.
    pub moved: bool,
    /// Where it may run after a `cd`: for each possibility the folders that the `cd`s before it name, in order. Empty
    /// if it did not move, or may run anywhere.
    pub folders: Vec<Vec<Word>>,
    /// Why no rule may allow it, whatever its words are.
    pub unclear: Option<Unclear>,
}

/// A word after quote removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The whole word if it is exact, else its certain beginning (often empty).
    pub known: String,
    /// Whether `known` is the whole word. An inexact word may become any number of words with this beginning,
    /// including none.
    pub exact: bool,
    /// Whether it is certainly one word: it is exact, or its unknown part is inside double quotes.
    pub one: bool,
    /// The possible shapes of the word. `None` for an exact word, and if nothing more than its beginning is known; none at
    /// all if it names no file, as `<(CMD)`.
    pub(crate) shapes: Option<Arc<[Shape]>>,
}

/// An assignment to a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The name of the variable.
    pub name: String,
    /// The value that the variable gets.
    pub value: Word,
}

/// A redirection of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// Whether it reads, writes or appends.
    pub kind: RedirectKind,
    /// The name of the file.
    pub target: Word,
}

/// The direction of a redirection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    /// The command reads the file: `<`.
    Read,
    /// The command writes the file: `>`, `>>`, `>|`, `&>`, `<>`.
    Write,
}

/// The source of a command's standard input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Stdin {
    /// It is not redirected.
    #[default]
    Inherited,
    /// Another command of the line, or a descriptor.
    Pipe,
    /// A file is redirected to it.
    File,
    /// A heredoc or here-string.
    Text(Word),
}

/// Why a command or line cannot be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Unclear {
    /// It is not valid bash, as far as this parser knows.
    #[error("it cannot be parsed")]
    Syntax,
    /// bash and zsh parse it differently.
    #[error("bash and zsh would read it in two ways")]
    Zsh,
    /// It is longer than 10,000 characters, which nobody reads on a card; the client asks for these too.
    #[error("it is longer than {} characters", super::command::MAX_CHARS)]
    TooLong,
    /// Wrappers are nested too deeply.
    #[error("it is nested too deeply")]
    TooDeep,
    /// The command word is a variable, a glob, the output of a command, or has characters that no command name has.
    #[error("what it runs is only known when it runs")]
    Name,
    /// A script is known only at run time: `eval "$x"`, `curl ... | sh`.
    #[error("it runs a script that is only known when it runs")]
    Script,
    /// It contains code in another language: `python -c ...`.
    #[error("it runs code that is not read")]
    Code,
    /// A wrapper has an unknown option, so it is unknown what it starts.
    #[error("which of its words are the command that it starts is not certain")]
    Options,
    /// It sets a variable that may change what commands do: `PATH=...`, `LD_PRELOAD=...`.
    #[error("it sets a variable that may change what commands do")]
    Variable,
    /// An expansion may itself run something: `${x@P}`, `$((a[$(id)]))`, `[[ -v x ]]`.
    #[error("it has an expansion that may run something")]
    Expansion,
}

/// The longest command line that is parsed, in characters.
pub const MAX_CHARS: usize = 10_000;

/// The empty word, which is exact.
impl Default for Word {
    fn default() -> Self {
        Self::exact("")
    }
}

impl Word {
    /// Returns an exact word.
    pub fn exact(text: impl Into<String>) -> Self {
        Self { known: text.into(), exact: true, one: true, shapes: None }
    }

    /// Returns a word of which only the beginning is known.
    pub fn beginning(text: impl Into<String>) -> Self {
        Self { known: text.into(), exact: false, one: false, shapes: None }
    }

    /// Returns a word of which another part is known with the same certainty.
    pub(crate) fn with(&self, known: impl Into<String>) -> Self {
        let known = known.into();
        let shapes = self.shapes.as_ref().and_then(|shapes| self.ends(&known, shapes));
        Self { known, exact: self.exact, one: self.one, shapes }
    }

    /// Returns the words that this one may be, as far as more of their beginning is known: `{-Xa,b}` may be `-Xa`.
    pub(crate) fn alternatives(&self) -> Vec<Self> {
        let alternative = |shape: &Shape| match shape.split_first() {
            Some((Part::Text(text), [])) => Some(Self::exact(text.as_str())),
            Some((Part::Text(text), _)) => Some(Self {
                known: text.clone(),
                exact: false,
                one: self.one,
                shapes: Some(Arc::from([shape.clone()])),
            }),
            _ => None,
        };
        let alternatives = self.shapes.iter().flat_map(|shapes| shapes.iter()).filter_map(alternative);
        alternatives.filter(|word| word.known.len() > self.known.len()).collect()
    }

    /// Returns the shapes of the end of this word that begins with `known`, a suffix of the known part.
    fn ends(&self, known: &str, shapes: &[Shape]) -> Option<Arc<[Shape]>> {
        let before = self.known.strip_suffix(known)?;
        let cut = |shape: &Shape| match shape.split_first() {
            _ if before.is_empty() || matches!(shape.as_slice(), [Part::Any]) => Some(shape.clone()),
            Some((Part::Text(text), rest)) => {
                let first = Part::Text(text.strip_prefix(before)?.to_owned());
                Some(std::iter::once(first).chain(rest.iter().cloned()).collect())
            }
            _ => None,
        };
        shapes.iter().map(cut).collect::<Option<Vec<_>>>().map(Into::into)
    }

    /// Returns whether it certainly is the name of a commit or a range of such, and no option: `$(git rev-parse HEAD)~2`,
    /// `main..$(git rev-parse HEAD)`.
    pub(crate) fn is_revision(&self) -> bool {
        let begins = |rest: &str| ["..", "^", "~"].iter().any(|sign| rest.starts_with(sign));
        let is_range = |begin: &str| {
            let name = begin.trim_end_matches('.');
            let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_-/~^".contains(sign);
            begin.ends_with("..") && name.starts_with(char::is_alphanumeric) && name.chars().all(is_plain)
        };
        let is_commit = |shape: &Shape| match shape.as_slice() {
            [Part::Revision] => true,
            [Part::Revision, Part::Text(rest)] => begins(rest),
            [Part::Text(begin), Part::Revision] => is_range(begin),
            _ => false,
        };
        self.shapes.as_deref().is_some_and(|shapes| !shapes.is_empty() && shapes.iter().all(is_commit))
    }

    /// Returns a word that certainly is the name of a commit, or a range of such, without what git prints: where that is nothing, the
    /// rest names a file, as in `$(git rev-parse HEAD)../x`.
    pub(crate) fn beside_revision(&self) -> Option<Self> {
        let shapes = self.shapes.as_deref().filter(|_| self.is_revision())?;
        let without = |shape: &Shape| shape.iter().filter(|part| **part != Part::Revision).cloned().collect::<Shape>();
        Some(match shapes.iter().map(without).collect::<Vec<_>>().as_slice() {
            [shape] => match shape.as_slice() {
                [Part::Text(text)] => Self::exact(text.as_str()),
                _ => Self::exact(""),
            },
            shapes => Self { known: String::new(), exact: false, one: self.one, shapes: Some(shapes.into()) },
        })
    }

    /// Records that git may be another program in this line, so that what it prints is not known.
    pub(crate) fn forget_revisions(&mut self) {
        let Some(shapes) = self.shapes.take() else { return };
        let known = |part: &Part| if *part == Part::Revision { Part::Any } else { part.clone() };
        let mut forgotten: Vec<Shape> = shapes.iter().map(|shape| shape.iter().map(known).collect()).collect();
        // What is printed instead may be several words.
        if shapes.iter().flatten().any(|part| *part == Part::Revision) {
            forgotten.push(vec![Part::Any]);
            forgotten.dedup();
        }
        self.shapes = Some(forgotten.into());
    }

    /// Returns whether it certainly names no file.
    pub(crate) fn names_no_file(&self) -> bool {
        !self.exact && self.shapes.as_deref().is_some_and(<[Shape]>::is_empty)
    }

    /// Returns whether it names the contents of a folder, of which a copy has their names and not the folder's: `a/`, `a/.`.
    pub(crate) fn names_contents(&self) -> bool {
        self.exact && self.known.ends_with(['/', '.'])
    }

    /// Returns the word, if it is exact.
    pub fn text(&self) -> Option<&str> {
        self.exact.then_some(self.known.as_str())
    }
}

impl Command {
    /// Returns a command of these words and nothing else.
    pub fn of(words: Vec<Word>) -> Self {
        Self { words, ..Self::default() }
    }

    /// Returns whether it runs a script that is known only at run time: `eval "$x"`, `echo ${x@P}`.
    pub(crate) fn may_run_any(&self) -> bool {
        matches!(self.unclear, Some(Unclear::Script | Unclear::Expansion))
    }

    /// Returns the words, if all are exact.
    pub(crate) fn texts(&self) -> Option<Vec<String>> {
        self.words.iter().map(|word| word.text().map(str::to_owned)).collect()
    }

    /// Returns the command word, if it is exact.
    pub fn name(&self) -> Option<&str> {
        self.words.first().and_then(Word::text)
    }
}
