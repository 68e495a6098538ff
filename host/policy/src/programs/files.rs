//! The files that a call reads and writes, according to its row.
//!
//! A use that the row does not describe is [`Use::Anything`]. Text that certainly is not a file is left out.

mod copied;
mod derived;
mod url;

use std::borrow::Cow;

use self::url::{local_file, name_of_clone};
use super::escape::module;
use super::given::Given;
use super::mark;
use super::operands::Operands;
use super::options::{Item, Reader};
use super::row::{Row, Starts};
use super::table;
use crate::places::Use;
use crate::shell::{Command, Part, Shape, Word, name};

/// A word that names a file, and its use.
#[derive(Debug, Clone)]
pub(crate) struct Touched<'a> {
    /// The word, or the value of an option.
    pub(crate) word: Cow<'a, Word>,
    /// The index of the word that contains it.
    pub(crate) at: usize,
    /// How the program uses it.
    pub(crate) how: Use,
    /// Whether it is the folder or file to which these are copied: in a folder they keep their names.
    pub(crate) sources: Vec<Word>,
    /// The files and folders that are there afterwards as links, or with the links in them.
    pub(crate) linked: Vec<Word>,
    /// Whether `linked` are the texts of new links.
    pub(crate) symbolic: bool,
    /// Whether it is read or written through the links below it.
    pub(crate) through: bool,
    /// Whether it is read through the links in it alone, not through those in the folders below.
    pub(crate) shallow: bool,
    /// Whether it is the folder of an archive's or a repository's files, which may be links.
    pub(crate) unpacked: bool,
    /// Whether it is a file that may be a link afterwards.
    pub(crate) relinked: bool,
    /// Whether an unknown word can only be something that the person who allows the program knows.
    pub(crate) own: bool,
}

/// Options that name the destination folder.
const TARGET: [&str; 2] = ["-t", "--target-directory"];

/// Options that name the folder of an archive's files.
const FOLDER: [&str; 3] = ["-C", "--directory", "--cd"];

/// Programs whose operands are not known, the words with which they write files that may be links, and whether they do so in
/// the folder where they run.
const UNPACKING: [(&str, &[&str], bool); 7] = [
    ("bzr", &["branch", "checkout", "export"], false),
    ("dpkg-deb", &["-x", "-X", "-R", "-e", "--extract", "--vextract", "--raw-extract", "--control"], false),
    ("dpkg-source", &["-x", "--extract"], true),
    ("hg", &["clone", "archive"], false),
    ("rar", &["x", "e"], true),
    ("svn", &["checkout", "co", "export", "switch"], false),
    ("unrar", &["x", "e"], true),
];

/// Options that name the beginning of the names of files.
const BEGINNING: [&str; 2] = ["-f", "--prefix"];

/// Options that name an archive.
const ARCHIVE: [&str; 2] = ["-f", "--file"];

/// Options that name the pattern of a search, so that every operand is a file.
const PATTERN: [&str; 6] = ["-e", "-f", "--regexp", "--file", "--expression", "--files"];

/// Returns the uses of files by a command.
pub(crate) fn touched(command: &Command) -> Vec<Touched<'_>> {
    let Some(name) = command.name() else { return command.words.iter().enumerate().map(anything).collect() };
    let row = table::find(&name::bare(name)).filter(|row| !row.open);
    let mut touched = match row {
        Some(row) => {
            let given = Given { words: &command.words, from: 1, options: Vec::new(), operands: Vec::new() };
            Call { given, doubtful: Vec::new() }.read(row)
        }
        None => command.words.iter().enumerate().skip(1).map(anything).collect(),
    };
    let unpacking = UNPACKING.iter().find(|(program, ..)| *program == name::bare(name));
    let is_action =
        |word: &Word| unpacking.is_some_and(|(_, actions, _)| !word.exact || actions.contains(&&*word.known));
    if command.words.iter().skip(1).any(is_action) {
        touched.extend(named_like(&command.words));
        touched.extend(unpacking.filter(|(.., in_here)| *in_here).map(|_| here(0, Use::WritesBelow)));
        touched.iter_mut().for_each(|touched| touched.unpacked = true);
    }
    touched
}

/// Returns the folder that is made of what the last word names, and is named like it. A folder is named like itself.
fn named_like<'a>(words: &[Word]) -> Option<Touched<'a>> {
    let name = words.last()?.text().map_or_else(|| Word::beginning(""), |text| Word::exact(name_of_clone(text)));
    Some(Touched::new(Cow::Owned(name), words.len() - 1, Use::WritesBelow))
}

fn anything((at, word): (usize, &Word)) -> Touched<'_> {
    Touched::new(Cow::Borrowed(word), at, Use::Anything)
}

/// Adds the current folder for a program that processes a folder, if no folder is named. The same holds for `rg` whose
/// standard input is neither a pipe nor a file, as in `rg x < /dev/null` and `rg x &`.
fn or_here(touched: Vec<Touched<'_>>) -> Vec<Touched<'_>> {
    if touched.is_empty() { vec![here(0, Use::ReadsBelow)] } else { touched }
}

/// Returns the use of the folder in which the command runs.
fn here<'a>(at: usize, how: Use) -> Touched<'a> {
    Touched::new(Cow::Owned(Word::exact(".")), at, how)
}

impl<'a> Touched<'a> {
    fn new(word: Cow<'a, Word>, at: usize, how: Use) -> Self {
        let (sources, linked) = Default::default();
        Self {
            word,
            at,
            how,
            sources,
            linked,
            symbolic: false,
            through: false,
            shallow: false,
            unpacked: false,
            relinked: false,
            own: false,
        }
    }

    /// Marks it as a folder that files come into, whose names are not known: they may be links, and links that are there
    /// already are written through.
    fn unpacked(self) -> Self {
        Self { unpacked: true, through: true, ..self }
    }
}

/// Returns the use of an operand of which it is not known which of several it is.
fn of_operand(kind: Operands) -> Use {
    match kind {
        Operands::Nothing | Operands::Text | Operands::Names | Operands::Revisions => Use::Names,
        Operands::Reads | Operands::TextThenReads => Use::Reads,
        Operands::ReadsBelow | Operands::ReadsThrough | Operands::TextThenSearches | Operands::Compares => {
            Use::ReadsBelow
        }
        Operands::Unknown
        | Operands::Writes
        | Operands::Splits
        | Operands::Patches
        | Operands::Compresses
        | Operands::WritesBelow
        | Operands::WritesThrough
        | Operands::TextThenWritesBelow
        | Operands::Copies
        | Operands::Moves
        | Operands::Links
        | Operands::Clones
        | Operands::Packs
        | Operands::Unpacks
        | Operands::UnpacksTo
        | Operands::Exchanges
        | Operands::Script
        | Operands::Project
        | Operands::Hosts
        | Operands::Downloads
        | Operands::Sub => Use::Anything,
    }
}

/// A call, parsed by its row.
struct Call<'a> {
    given: Given<'a>,
    /// The words that the row does not describe.
    doubtful: Vec<usize>,
}

impl<'a> Call<'a> {
    fn read(mut self, row: &'static Row) -> Vec<Touched<'a>> {
        let words = self.given.words;
        if row.options.is_empty() && !row.has_subcommands() {
            self.given.operands.extend(self.given.from..words.len());
            return self.touched(row);
        }
        let mut reader = Reader::new(row.options, words, self.given.from);
        while let Some(item) = reader.next() {
            match item {
                Item::Known(known) => {
                    if let Some(module) = module(row, &known) {
                        self.given.from = reader.at;
                        return self.read(module);
                    }
                    self.given.options.push(known);
                }
                Item::Unknown(at) => self.doubtful.push(at),
                Item::Operand(at) => {
                    if row.has_subcommands() && self.given.operands.is_empty() {
                        let sub = words.get(at).and_then(Word::text);
                        let own = sub.and_then(|sub| table::find_sub(row, words, self.given.from, sub));
                        if let Some(own) = own.filter(|own| !own.open) {
                            self.given.from = at + 1;
                            return self.read(own);
                        }
                    }
                    self.given.operands.push(at);
                    if self.given.operands.len() == row.last_operand() {
                        // The words after it are a command, which is judged itself, or more operands: a script's
                        // arguments may be files that it writes.
                        let has_script = matches!(row.operands, Operands::Script | Operands::Project);
                        if matches!(row.starts, Starts::Nothing | Starts::Sub)
                            || has_script && matches!(row.starts, Starts::By(_))
                        {
                            self.given.operands.extend(at + 1..words.len());
                        }
                        break;
                    }
                }
            }
        }
        self.touched(row)
    }

    fn touched(&self, row: &Row) -> Vec<Touched<'a>> {
        // A word that may be an option may change the meaning of all operands.
        let hidden = self
            .given
            .words
            .iter()
            .skip(self.given.from)
            .take_while(|word| word.text() != Some("--"))
            .any(may_be_option);
        let operands = if hidden { row.operands } else { row.operands_of(&self.given) };
        let mut touched: Vec<Touched<'a>> =
            self.doubtful.iter().filter_map(|at| self.operand(*at, Use::Anything)).collect();
        let entered = self.entered();
        for known in &self.given.options {
            let Some(value) = &known.value else { continue };
            // Of several `-C`, each is relative to the one before it.
            let value = entered.iter().find(|(at, _)| *at == known.at).map_or(value, |(_, folder)| folder);
            // The shell may split it into the value and more operands: `head -n $x`.
            let more = Some(of_operand(operands)).filter(|more| !value.one && *more != Use::Names);
            touched.extend(more.map(|more| Touched::new(Cow::Owned(value.clone()), known.at, more)));
            let how = match known.mark {
                None if FOLDER.contains(&known.name.as_str()) && operands != Operands::Unpacks => Use::ReadsBelow,
                Some('<') if operands == Operands::Packs && ARCHIVE.contains(&known.name.as_str()) => Use::Writes,
                Some('<') => Use::Reads,
                Some('>' | '~') => Use::Writes,
                // A command that a program is given to run is judged itself.
                Some('$' | '+' | '%' | '{' | '=' | '/') => continue,
                Some(_) => Use::Anything,
                None if TARGET.contains(&known.name.as_str()) && copies(operands) => continue,
                // It may still be a file, which matters only if it is a secret.
                None => Use::Names,
            };
            if known.mark == Some('>') && BEGINNING.contains(&known.name.as_str()) {
                touched.push(Touched::new(Cow::Owned(derived::longer(value)), known.at, Use::Writes));
            }
            // A file may stand behind a word: `-o go-template-file=FILE`, `-f=FILE`.
            let behind = value.known.match_indices('=').filter_map(|(at, _)| value.known.get(at + 1..));
            let parts = behind.filter(|part| !value.exact || !part.is_empty()).map(|part| value.with(part));
            for word in std::iter::once(value.clone()).chain(parts.filter(|_| how != Use::Anything)) {
                let read = Touched::new(Cow::Owned(word), known.at, how);
                touched.push(Touched { own: how == Use::Anything, ..read });
            }
        }
        let all = |how: Use, skip: usize| -> Vec<Touched<'a>> {
            // A word that may become several is more than its first text.
            let several = |at: &usize| self.given.words.get(*at).is_some_and(|word| !word.one);
            let operands = self.given.operands.iter().enumerate().filter(|(index, at)| *index >= skip || several(at));
            operands.filter_map(|(_, at)| self.operand(*at, how)).collect()
        };
        let more: Vec<Touched<'a>> = match operands {
            Operands::Nothing | Operands::Text => Vec::new(),
            Operands::Unknown => all(Use::Anything, 0),
            Operands::Hosts | Operands::Downloads => {
                let urls = self.given.options.iter().filter(|known| known.name == "--url");
                let urls = urls.filter_map(|known| Some((known.at, known.value.as_ref()?)));
                let named = self.given.operands.iter().filter_map(|at| Some((*at, self.given.words.get(*at)?)));
                let local = named.chain(urls).filter_map(|(at, url)| Some((at, local_file(url)?)));
                let read = local.map(|(at, file)| Touched::new(Cow::Owned(file), at, Use::Reads));
                let written = if operands == Operands::Downloads { self.downloaded() } else { Vec::new() };
                all(Use::Names, 0).into_iter().chain(read).chain(written).collect()
            }
            Operands::Names | Operands::Revisions => all(Use::Names, 0),
            Operands::Reads => all(Use::Reads, 0),
            Operands::ReadsBelow => or_here(all(Use::ReadsBelow, 0)),
            Operands::ReadsThrough => {
                let through = all(Use::ReadsBelow, 0);
                let recurses = self.given.has(&["-R", "--recurse"]);
                let through = if recurses { or_here(through) } else { through };
                let shallow = !hidden && !recurses && !self.given.has(&["-r", "--recursive"]);
                through.into_iter().map(|touched| Touched { through: true, shallow, ..touched }).collect()
            }
            Operands::Packs => all(Use::ReadsBelow, 0),
            // Git stops where the name of a commit is that of a file as well, unless it looks only for files.
            Operands::Compares => {
                let files = all(Use::ReadsBelow, 0).into_iter();
                let only_files = self.given.words.iter().any(|word| word.known.starts_with("--no-i"));
                // Outside of a repository, the name of a commit is nothing, and what is beside it is a file.
                let without = |touched: Touched<'a>| match touched.word.beside_revision() {
                    Some(word) if !only_files => Touched { word: Cow::Owned(word), ..touched },
                    _ => touched,
                };
                files.map(without).filter(|touched| touched.word.text() != Some("")).collect()
            }
            Operands::TextThenReads => all(Use::Reads, usize::from(!self.given.has(&PATTERN))),
            Operands::TextThenSearches => or_here(all(Use::ReadsBelow, usize::from(!self.given.has(&PATTERN)))),
            Operands::Writes => all(Use::Writes, 0),
            Operands::Splits => [all(Use::Writes, 0), self.parts()].concat(),
            Operands::Patches => {
                let files = all(Use::Writes, 0).into_iter().map(|touched| Touched { relinked: true, ..touched });
                files.chain(self.patched()).collect()
            }
            Operands::WritesBelow => all(Use::WritesBelow, 0),
            Operands::WritesThrough => {
                let through = all(Use::WritesBelow, 0).into_iter();
                through.map(|touched| Touched { through: true, ..touched }).collect()
            }
            Operands::Compresses => {
                // Forced, it follows the links in a folder, and replaces the files behind them.
                let given = |names: &[&str]| hidden || self.given.has(names);
                let through = given(&["-r", "--recursive"]) && given(&["-f", "--force"]);
                let files = all(Use::WritesBelow, 0).into_iter().map(|touched| Touched { through, ..touched });
                files.chain(self.uncompressed()).collect()
            }
            Operands::TextThenWritesBelow => all(Use::WritesBelow, 1),
            Operands::Copies | Operands::Moves | Operands::Links => self.copied(operands),
            Operands::Clones => {
                let made = all(Use::WritesBelow, 1).into_iter().chain(self.named_like_repository());
                all(Use::Anything, 0).into_iter().chain(made.map(Touched::unpacked)).collect()
            }
            Operands::Unpacks => self.unpacked(),
            Operands::UnpacksTo => {
                let folders = all(Use::WritesBelow, 0);
                let folders = if folders.is_empty() { vec![here(0, Use::WritesBelow)] } else { folders };
                folders.into_iter().map(Touched::unpacked).collect()
            }
            Operands::Exchanges => [all(Use::Anything, 0), self.exchanged()].concat(),
            // Allowing it permits whatever the project does with its arguments.
            Operands::Script | Operands::Project | Operands::Sub => {
                all(Use::Anything, 0).into_iter().map(|touched| Touched { own: true, ..touched }).collect()
            }
        };
        touched.extend(more);
        let follows = match hidden {
            true => row.options.marks().any(|mark| mark == mark::FOLLOWS),
            false => self.given.options.iter().any(|known| known.mark == Some(mark::FOLLOWS)),
        };
        for read in touched.iter_mut().filter(|touched| follows && touched.how == Use::ReadsBelow) {
            read.word = Cow::Owned(Word::beginning(""));
        }
        touched
    }

    fn operand(&self, at: usize, how: Use) -> Option<Touched<'a>> {
        Some(Touched::new(Cow::Borrowed(self.given.words.get(at)?), at, how))
    }
}

/// Returns whether an unknown word may turn out to be an option. A glob is a file.
fn may_be_option(word: &Word) -> bool {
    let begins = |shape: &Shape| match shape.first() {
        Some(Part::Text(text)) => text.starts_with('-'),
        // It may be nothing.
        Some(Part::Revision) => shape.get(1).is_some_and(|next| match next {
            Part::Text(text) => text.starts_with('-'),
            _ => true,
        }),
        Some(Part::Any | Part::Unquoted(_)) => true,
        // The remaining variable is a folder: the user's home, or the current folder.
        Some(Part::Variable { .. } | Part::Name | Part::Folders | Part::Files) | None => false,
    };
    match &word.shapes {
        _ if word.exact => false,
        Some(shapes) => shapes.iter().any(begins),
        None => word.known.is_empty() || word.known.starts_with('-'),
    }
}

fn copies(operands: Operands) -> bool {
    matches!(operands, Operands::Copies | Operands::Moves | Operands::Links)
}

#[cfg(test)]
mod tests;
