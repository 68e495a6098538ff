//! A unit of judgement: a call, or one command of a call to the shell.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde_json::{Map, Value};

use crate::call::Call;
use crate::call::args::stable_stringify;
use crate::call::targets::{Files, Urls};
use crate::call::tool_name::ToolName;
use crate::programs;
use crate::rules::decision::{Match, Reading};
use crate::rules::pattern::Pattern;
use crate::shell::{Command, Word, local, name, quote, variable};

/// A call, or one command of it, with the texts that patterns are matched against. They are computed on first use.
pub(crate) struct Unit<'a> {
    pub(crate) call: &'a Call<'a>,
    pub(crate) command: Option<&'a Command>,
    pub(crate) tool: &'a ToolName<'a>,
    synonyms: OnceCell<Vec<Vec<Word>>>,
    quoted: OnceCell<Option<String>>,
    spellings: OnceCell<Vec<String>>,
    input: OnceCell<String>,
    files: OnceCell<Files<'a>>,
    keys: OnceCell<Option<Vec<String>>>,
    urls: OnceCell<Urls<'a>>,
}

impl<'a> Unit<'a> {
    pub(crate) fn new(call: &'a Call<'a>, tool: &'a ToolName<'a>, command: Option<&'a Command>) -> Self {
        let (synonyms, quoted, spellings, input, files, keys, urls) = Default::default();
        Self { call, command, tool, synonyms, quoted, spellings, input, files, keys, urls }
    }

    /// Returns whether the command only sets variables that do not affect other commands, or leaves a loop or the line, or
    /// says that a failure leaves it.
    pub(super) fn changes_nothing(&self) -> bool {
        let is_count = |word: &Word| word.text().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        self.command.is_some_and(|command| {
            let leaves = match command.words.as_slice() {
                [] => true,
                [name, counts @ ..] => {
                    matches!(name.text(), Some("break" | "continue" | "exit" | "return"))
                        && counts.len() <= 1
                        && counts.iter().all(is_count)
                        || name.text() == Some("set") && ends_at_failures(counts)
                }
            };
            leaves
                && command.redirects.is_empty()
                && command
                    .assignments
                    .iter()
                    .all(|set| variable::is_safely_set(&set.name, &set.value) || local::is_local(&set.name))
        })
    }

    /// Matches a pattern of commands from the beginning of the command.
    pub(crate) fn command_matches(&self, pattern: &Pattern, reading: Reading) -> Match {
        let Some(command) = self.command else { return Match::No };
        match reading {
            Reading::Narrow => self.quoted().map_or(Match::No, |text| pattern.starts(text)),
            Reading::Broad => {
                let spelled = self.spellings().iter().map(|text| pattern.starts(text)).max();
                let beginning = || match command.words.iter().any(|word| !word.exact) {
                    true => pattern.may_start(&beginning(command)),
                    false => Match::No,
                };
                spelled.unwrap_or(Match::No).or(beginning())
            }
        }
    }

    /// Matches a pattern of whole inputs. For a command of a line, the input is the call's with that command alone.
    pub(crate) fn input_matches(&self, pattern: &Pattern, reading: Reading) -> Match {
        let whole = || pattern.is_in(self.input.get_or_init(|| stable_stringify(self.call.input)));
        let Some(command) = self.command else { return whole() };
        match reading {
            Reading::Narrow => self.quoted().map_or(Match::No, |text| pattern.is_in(&with_command(self.call, text))),
            Reading::Broad => {
                let spelled = self.spellings().iter().map(|text| pattern.is_in(&with_command(self.call, text))).max();
                let unknown = command.words.iter().any(|word| !word.exact);
                whole().or(spelled.unwrap_or(Match::No)).or(if unknown { Match::Maybe } else { Match::No })
            }
        }
    }

    /// Returns the other commands that do what the command does.
    pub(super) fn synonyms(&self) -> &[Vec<Word>] {
        self.synonyms.get_or_init(|| self.command.map_or_else(Vec::new, |command| programs::synonyms(&command.words)))
    }

    /// Returns the URLs of the call.
    pub(crate) fn urls(&self) -> &Urls<'a> {
        self.urls.get_or_init(|| Urls::of(self.call))
    }

    /// Returns the files of the call.
    pub(crate) fn files(&self) -> &Files<'a> {
        self.files.get_or_init(|| Files::of(self.call))
    }

    /// Returns the keys by which rules about paths are found. `None` if any such rule may match.
    pub(crate) fn keys(&self) -> Option<&[String]> {
        self.keys.get_or_init(|| self.files().keys(self.call)).as_deref()
    }

    /// Returns the command as it would be written for a shell. `None` if a word is not fully known.
    fn quoted(&self) -> Option<&str> {
        let write = || self.command?.words.iter().map(|word| word.text().map(quote)).collect::<Option<Vec<_>>>();
        self.quoted.get_or_init(|| write().map(|words| words.join(" "))).as_deref()
    }

    /// Returns every spelling that the author of a deny may have had in mind.
    fn spellings(&self) -> &[String] {
        self.spellings.get_or_init(|| {
            let Some(command) = self.command else { return Vec::new() };
            let plain = join(&command.words, |word| word.known.clone());
            let mut named = command.words.clone();
            if let Some(first) = named.first_mut() {
                first.known = name::bare(&first.known).into_owned();
            }
            let mut spellings = vec![
                join(&named, |word| word.known.clone()),
                join(&named, |word| quote(&word.known)),
                join(&command.words, |word| quote(&word.known)),
                plain,
            ];
            spellings.extend(self.synonyms().iter().map(|words| join(words, |word| quote(&word.known))));
            spellings.dedup();
            spellings
        })
    }
}

/// Returns whether these are options of `set` with which a line only ends at a failure: `-e`, `-euo pipefail`.
fn ends_at_failures(options: &[Word]) -> bool {
    match options {
        [] => false,
        [option] => matches!(option.text(), Some("-e" | "-u" | "-eu" | "-ue")),
        [option, name, rest @ ..] => {
            let named = matches!(option.text(), Some("-o" | "-eo" | "-uo" | "-euo" | "-ueo"))
                && matches!(name.text(), Some("pipefail" | "errexit" | "nounset"));
            named && (rest.is_empty() || ends_at_failures(rest))
        }
    }
}

fn join(words: &[Word], write: impl Fn(&Word) -> String) -> String {
    words.iter().map(write).collect::<Vec<_>>().join(" ")
}

/// Returns the certain beginning of a command, up to its first unknown word.
fn beginning(command: &Command) -> String {
    let exact = command.words.iter().take_while(|word| word.exact);
    let begun = command.words.iter().find(|word| !word.exact).filter(|word| !word.known.is_empty());
    let mut texts: Vec<Cow<'_, str>> = exact.chain(begun).map(|word| Cow::Borrowed(word.known.as_str())).collect();
    if let Some(first) = texts.first_mut() {
        *first = Cow::Owned(name::bare(first).into_owned());
    }
    texts.join(" ")
}

/// Returns the call's input with another command in it.
fn with_command(call: &Call<'_>, command: &str) -> String {
    let mut input: Map<String, Value> = call.input.clone();
    input.insert("command".to_owned(), Value::String(command.to_owned()));
    stable_stringify(&input)
}
