//! Options with which a harmless command does something else.
//!
//! A rule that allows `rg` means searching, but `rg --pre CMD` runs CMD; one that allows `find` means finding, but
//! `find -delete` deletes. [`escape`] finds such an option, or an operand with the same effect (`uniq IN OUT`, `awk
//! '... system() ...'`). If the words of the rule's prefix contain the option, the allow covers it: the author of
//! `commandPrefix = "sed -i"` means it.
//!
//! | in the words | is an escape |
//! |---|---|
//! | a listed option, abbreviated (`--outp`), bundled (`-ro out`), attached (`-oout`) | yes |
//! | the same, with `-` or `/dev/null` as the file that it only writes | no |
//! | an inexact word where an option may stand (`rg x $y`) | yes: it may be that option |
//! | a pipe (`diff <(x) y`) of a program that only reads its operands | no |
//! | an inexact word whose beginning no option has (`./$y`), or after `--` | no |
//! | an inexact word in double quotes, as the value of a listed option (`git commit -m "$y"`) | no |
//! | an exact value that looks like a listed option (`sort -k -o x`) | yes: another version may take no value there |
//! | a word that the row of the program does not list | yes |
//! | a subcommand, or a script, behind a prefix that names only options (`npm --version`) | yes |
//! | `--no-x`, `--x false`, or `+x` of a shell, behind a prefix that names options | yes: it may revoke one of the prefix |
//! | what follows `python -m MODULE` | as in a call of that program |
//! | a command without a row here | never |
//!
//! The author of a rule for a program without a row allowed whatever the program does with its words.

pub(super) mod code;
mod effect;
pub(super) mod operands;
mod sed;

pub use self::effect::{Effect, Escape};
use super::operands::Operands;
use super::options::{Item, Known, Reader};
use super::power::Power;
use super::row::Row;
use super::starts::shells::is_input;
use super::starts::unwrap;
use super::table;
use crate::shell::{Command, Part, Word, name};

/// The settings of `sh -o` that no shell takes for the opposite of another option.
const USUAL_SETTINGS: [&str; 4] = ["errexit", "noexec", "nounset", "pipefail"];

/// The words that many programs take as the value of a flag before them, and that revoke it.
const REVOKING: [&str; 2] = ["false", "null"];

/// Options that read names of files and nothing that runs.
const LISTS: [&str; 6] = ["--files0-from", "--files0", "--files", "--filelist", "--files-from", "-T"];

/// Returns the first option or argument, after the words that the rule itself names, with which a command does
/// something else.
pub fn escape(words: &[Word], named: usize) -> Option<Escape> {
    find(words, named, |_| true)
}

/// Returns the first option or argument with which a command runs another program or unparsed code. A word that has several
/// values in the line (`{-e,x}`, `$x` of a loop) counts as each of them, and as all in turn.
pub fn unread(words: &[Word]) -> Option<Escape> {
    let find = |words: &[Word]| find(words, 1, |effect| matches!(effect, Effect::Runs | Effect::Code));
    find(words).or_else(|| {
        let written = words.iter().enumerate().skip(1).filter_map(|(at, word)| Some((at, written(word)?)));
        let mut readings =
            written.flat_map(|(at, values)| with_values(words, at, values).into_iter().map(move |it| (at, it)));
        readings.find_map(|(at, reading)| {
            let starting = || reading.get(at).filter(|_| starts(&reading) > 0 && starts(words) == 0);
            find(&reading).or_else(|| Some(Escape::new(&starting()?.known, Effect::Runs)))
        })
    })
}

/// Returns how many commands a command starts.
fn starts(words: &[Word]) -> usize {
    let command = Command { words: words.to_vec(), ..Command::default() };
    unwrap(&command).map_or(0, |unwrapped| unwrapped.inner.len())
}

/// Returns the values of a word that is not exact, if the line contains all of them.
fn written(word: &Word) -> Option<Vec<Word>> {
    let shapes = word.shapes.as_ref().filter(|shapes| !word.exact && !shapes.is_empty())?;
    let text = |part: &Part| match part {
        Part::Text(text) => Some(text.clone()),
        _ => None,
    };
    let values: Option<Vec<String>> = shapes.iter().map(|shape| shape.iter().map(text).collect()).collect();
    Some(values?.into_iter().filter(|value| !value.is_empty()).map(Word::exact).collect())
}

/// Returns a command with each value of a word, and with all of them in turn.
fn with_values(words: &[Word], at: usize, values: Vec<Word>) -> Vec<Vec<Word>> {
    let (before, after) = (words.get(..at).unwrap_or_default(), words.get(at + 1..).unwrap_or_default());
    let with = |values: &[Word]| [before, values, after].concat();
    let mut all: Vec<_> = values.iter().map(|value| with(std::slice::from_ref(value))).collect();
    all.push(with(&values));
    all
}

fn find(words: &[Word], named: usize, minds: fn(Effect) -> bool) -> Option<Escape> {
    let name = name::bare(words.first()?.text()?);
    Found::of(words, named, minds).scan(table::find(&name)?, 1)
}

/// Returns the row of the program that `python -m` runs, if it has one.
pub(super) fn module(row: &Row, known: &Known) -> Option<&'static Row> {
    let module = known.value.as_ref().filter(|_| known.name == "-m")?.text()?;
    table::listed(&format!("{} -m {module}", row.name()))
}

/// The state of the search.
pub(super) struct Found<'a> {
    words: &'a [Word],
    named: usize,
    /// The effects that count.
    minds: fn(Effect) -> bool,
    /// Whether any word can be harmful; to `ls` and `cat` none is.
    careful: bool,
    /// The options of the row.
    known: Vec<Known>,
    /// Where the operands are.
    operands: Vec<usize>,
    /// Whether the rule names a subcommand without a row, whose options and operands are unknown.
    open: bool,
}

impl<'a> Found<'a> {
    fn of(words: &'a [Word], named: usize, minds: fn(Effect) -> bool) -> Self {
        Self { words, named, minds, careful: true, known: Vec::new(), operands: Vec::new(), open: false }
    }

    fn scan(mut self, row: &Row, from: usize) -> Option<Escape> {
        self.careful = row.operands == Operands::Unknown
            || row.more.is_some()
            || row.has_subcommands()
            || row.options.marks().any(|mark| Effect::of(mark).is_some());
        let mut reader = Reader::new(row.options, self.words, from);
        if row.options.is_empty() && !row.has_subcommands() {
            self.operands = (from..self.words.len()).collect();
            return self.more(row);
        }
        while let Some(item) = reader.next() {
            match item {
                Item::Known(known) => {
                    if let Some(escape) = self.option(&known, row) {
                        return Some(escape);
                    }
                    if let Some(module) = module(row, &known) {
                        let words = known.value.iter().chain(self.words.iter().skip(reader.at));
                        let words: Vec<Word> = words.cloned().collect();
                        let named = 1 + self.named.saturating_sub(reader.at);
                        return Found::of(&words, named, self.minds).scan(module, 1);
                    }
                    self.known.push(known);
                }
                Item::Unknown(at) if self.may_be_option(at) => return Some(Escape::unknown()),
                Item::Unknown(at) => {
                    if let Some(escape) = self.unlisted(at, row) {
                        return Some(escape);
                    }
                }
                Item::Operand(at)
                    if !reader.ended
                        && self.may_be_option(at)
                        && !self.is_read_pipe(at, row)
                        && !self.is_revision(at, row) =>
                {
                    return Some(Escape::unknown());
                }
                Item::Operand(at) if !reader.ended && self.may_revoke(at) && self.unlisted(at, row).is_some() => {
                    return self.unlisted(at, row);
                }
                Item::Operand(at) if row.has_subcommands() && self.operands.is_empty() => {
                    // A rule that names options and no subcommand means what the program does without one.
                    if self.named > from && at >= self.named {
                        return self.unlisted(at, row);
                    }
                    match self.subcommand(row, from, at) {
                        Some((_, Some(escape))) => return Some(escape),
                        Some((sub, None)) => return self.scan(sub, at + 1),
                        // A subcommand without a row may be followed by options of the program.
                        None => match self.unlisted(at, row) {
                            Some(escape) => return Some(escape),
                            None => {
                                self.operands.push(at);
                                self.open = true;
                            }
                        },
                    }
                }
                Item::Operand(at) => {
                    self.operands.push(at);
                    if self.operands.len() == row.last_operand() {
                        break;
                    }
                }
            }
        }
        self.more(row)
    }

    fn more(&self, row: &Row) -> Option<Escape> {
        let more = row.more.and_then(|more| more(self)).filter(|escape| (self.minds)(escape.effect));
        more.or_else(|| {
            let beyond = self.operands.iter().find(|at| **at >= self.named)?;
            let covered = match row.operands {
                Operands::Nothing => false,
                Operands::Script => self.named <= 1 || !self.names_options_alone(),
                _ => true,
            };
            if covered { None } else { self.unlisted(*beyond, row) }
        })
    }

    /// Handles a word that neither the row nor the rule names.
    fn unlisted(&self, at: usize, row: &Row) -> Option<Escape> {
        let word = self.words.get(at).filter(|_| at >= self.named && !row.open && !self.open)?;
        (self.minds)(Effect::Unlisted).then(|| Escape::new(&word.known, Effect::Unlisted))
    }

    /// Returns whether the rule names only the program and its options.
    fn names_options_alone(&self) -> bool {
        self.words.iter().take(self.named).skip(1).all(|word| word.known.starts_with(['-', '+']))
    }

    /// Finds the row of the subcommand at a word, and the effect of the subcommand itself if the rule does not name
    /// it.
    fn subcommand(&self, row: &Row, from: usize, at: usize) -> Option<(&'static Row, Option<Escape>)> {
        let sub = self.words.get(at)?.text()?;
        let find = |sub: &str| table::find_sub(row, self.words, from, sub);
        let row = find(sub).or_else(|| find("*"))?;
        let itself = row.itself.filter(|effect| at >= self.named && (self.minds)(*effect));
        Some((row, itself.map(|effect| Escape::new(sub, effect))))
    }

    fn option(&self, known: &Known, row: &Row) -> Option<Escape> {
        if known.at < self.named {
            return None;
        }
        // What the rule names is not revoked.
        let names_options = self.known.iter().any(|known| known.at < self.named);
        if names_options && (known.negated || self.takes_back(known)) {
            return self.unlisted(known.at, row);
        }
        let effect = if reads_pipe(known) { Some(Effect::Code) } else { known.mark.and_then(Effect::of) };
        let effect = effect.filter(|effect| (self.minds)(*effect));
        if let Some(effect) = effect.filter(|effect| *effect != Effect::Writes || !goes_nowhere(known.value.as_ref())) {
            return Some(Escape::new(&known.name, effect));
        }
        // Other versions may take no value here, and then it is an option.
        let mut reader = Reader::new(row.options, self.words, known.at + 1);
        while known.value.is_some() && reader.at == known.at + 1 {
            match reader.next() {
                Some(Item::Known(inner)) if inner.mark.and_then(Effect::of).is_some() => {
                    return self.option(&inner, row);
                }
                Some(Item::Known(_) | Item::Unknown(_)) => {}
                _ => break,
            }
        }
        // An unknown value may expand to nothing, and then the next word is the value.
        let apart = self.words.get(known.at).is_some_and(|word| word.exact);
        let unknown = known.value.as_ref().is_some_and(|value| !value.one && value.known.is_empty());
        (self.careful && (self.minds)(Effect::Unknown) && apart && unknown).then(Escape::unknown)
    }

    /// Returns whether an option of a shell may take another one back: `bash -n +n`, `zsh -n -o exec`.
    fn takes_back(&self, known: &Known) -> bool {
        let has_plus = self.words.get(known.at).is_some_and(|word| word.known.starts_with('+'));
        let named = known.value.as_ref().and_then(Word::text);
        let sets = || known.name == "-o" && !named.is_some_and(|name| USUAL_SETTINGS.contains(&name));
        self.is_shell() && (has_plus || sets())
    }

    /// Returns whether the program is a shell, whose options may begin with a plus.
    fn is_shell(&self) -> bool {
        let row = self.words.first().and_then(|word| table::find(&name::bare(&word.known)));
        row.is_some_and(|row| row.options.has_plus() && row.gives() == Some(Power::RunsCode))
    }

    /// Returns whether an unknown word may begin with a dash.
    fn may_be_option(&self, at: usize) -> bool {
        let may_be = |word: &Word| !word.exact && (word.known.is_empty() || word.known.starts_with('-'));
        self.careful && (self.minds)(Effect::Unknown) && at >= self.named && self.words.get(at).is_some_and(may_be)
    }

    /// Returns whether a word is the name of a commit where such names are expected: `git log $(git merge-base a b)..c`.
    fn is_revision(&self, at: usize, row: &Row) -> bool {
        matches!(row.operands, Operands::Revisions | Operands::Compares)
            && self.words.get(at).is_some_and(Word::is_revision)
    }

    /// Returns whether a word is a pipe that the program only reads: `diff <(CMD) <(CMD)`.
    fn is_read_pipe(&self, at: usize, row: &Row) -> bool {
        let reads = matches!(
            row.operands,
            Operands::Names | Operands::Reads | Operands::ReadsBelow | Operands::ReadsThrough | Operands::TextThenReads
        );
        reads && self.words.get(at).is_some_and(Word::names_no_file)
    }

    /// Returns whether a word may be the value of the flag before it, and revoke what the rule names: `npm publish
    /// --dry-run false`.
    fn may_revoke(&self, at: usize) -> bool {
        let names_options = self.words.iter().take(self.named).any(|word| word.known.starts_with('-'));
        let follows_option = self.words.get(at.wrapping_sub(1)).is_some_and(|before| before.known.starts_with('-'));
        let begins = |word: &Word, text: &str| !word.known.is_empty() && text.starts_with(&word.known);
        let may_be = |word: &Word, text: &str| if word.exact { word.known == text } else { begins(word, text) };
        let revokes = |word: &Word| REVOKING.iter().any(|text| may_be(word, text));
        names_options && follows_option && at >= self.named && self.words.get(at).is_some_and(revokes)
    }

    /// Returns the operands that the rule does not name.
    fn operands(&self) -> impl Iterator<Item = &Word> {
        self.operands.iter().filter(|at| **at >= self.named).filter_map(|at| self.words.get(*at))
    }

    /// Returns an escape with this effect for the first operand that the rule does not name and that has it.
    fn operand(&self, effect: Effect, has: impl FnMut(&&Word) -> bool) -> Option<Escape> {
        self.operands().find(has).map(|word| Escape::new(&word.known, effect))
    }

    /// Returns an operand, unless the rule names it.
    fn nth(&self, index: usize) -> Option<&Word> {
        self.operands.get(index).filter(|at| **at >= self.named).and_then(|at| self.words.get(*at))
    }

    /// Returns the values of options, unless the rule names them.
    fn values(&self, names: &'static [&'static str]) -> impl Iterator<Item = &Word> {
        let listed = move |known: &&Known| names.contains(&known.name.as_str()) && known.at + 1 >= self.named;
        self.known.iter().filter(listed).filter_map(|known| known.value.as_ref())
    }

    /// Returns the values of options, unless the rule names them. It names an attached one with its option.
    fn unnamed_values(&self, names: &'static [&'static str]) -> impl Iterator<Item = &Word> {
        let listed = move |known: &&Known| {
            let is_apart = self.words.get(known.at + 1) == known.value.as_ref();
            names.contains(&known.name.as_str()) && known.at + usize::from(is_apart) >= self.named
        };
        self.known.iter().filter(listed).filter_map(|known| known.value.as_ref())
    }
}

/// Returns whether an option reads settings or commands from a pipe, so that they are in the line or come from one of its
/// commands: `make -f -`, `awk -f <(CMD)`.
fn reads_pipe(known: &Known) -> bool {
    let is_pipe = |value: &Word| value.names_no_file() || is_input(&value.known);
    let is_list = LISTS.contains(&known.name.as_str());
    known.mark == Some('*') && !is_list && known.value.as_ref().is_some_and(is_pipe)
}

/// Returns whether the written data is discarded.
fn goes_nowhere(value: Option<&Word>) -> bool {
    value.and_then(Word::text).is_some_and(|file| matches!(file, "-" | "/dev/null" | "/dev/stdout" | "/dev/stderr"))
}

#[cfg(test)]
mod tests;
