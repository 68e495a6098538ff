//! A row of the table: everything that the policy knows about one program or one subcommand.

use super::escape::{Effect, Escape, Found};
use super::files::Call;
use super::options::Grammar;
use super::power::Power;
use super::starts::{Read, Unwrapped};

/// A program, or a subcommand of one (`git log`).
pub(crate) struct Row {
    /// The names with the same meaning, separated by `|`. A name of two words is a subcommand; `git *` stands for the
    /// subcommands of `git` without a row.
    pub(crate) names: &'static str,
    /// All its options. If there are none, each word after the name is an operand.
    pub(super) options: Grammar,
    /// The kind of its operands.
    pub(crate) operands: Operands,
    /// Returns the kind of the operands if the other words of a call decide it. `operands` is then the most dangerous
    /// kind.
    pub(super) kind: Option<fn(&Call<'_>) -> Operands>,
    /// The words that it starts as a command.
    pub(crate) starts: Starts,
    /// Whether it only starts another command (`timeout`, `env`): that command is judged instead.
    pub(crate) transparent: bool,
    /// The number of operands before the command that it starts.
    pub(super) skip: usize,
    /// Whether `NAME=value` may precede the command that it starts.
    pub(super) assigns: bool,
    /// For a program that starts others: whether its options may stand between and after its operands.
    pub(super) permutes: bool,
    /// Whether its options may stand behind its own operands.
    pub(super) again: bool,
    /// The number of operands after which its options end; 0 means never. If it starts a command, they end where that
    /// begins.
    pub(super) stops: usize,
    /// The effect of the subcommand, whatever its words are.
    pub(super) itself: Option<Effect>,
    /// Finds effects that no single option or operand shows.
    pub(super) more: Option<fn(&Found<'_>) -> Option<Escape>>,
    /// What an allow of the bare name permits, if that does not follow from `starts`.
    pub(super) power: Option<Power>,
    /// Whether it does what the files of its folder say.
    pub(crate) folder: Folder,
    /// Whether the row lists only some of its options and operands. An allow then covers only the words that it
    /// names, as for a program without a row.
    pub(crate) open: bool,
}

/// The kind of a program's operands. It decides which files a call reads and writes ([`super::files`]), and whether
/// an allow covers an operand that the rule does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operands {
    /// Unknown: they may be files that are read or written.
    Unknown,
    /// None. A call with an operand does something that the row does not describe.
    Nothing,
    /// Text that names no file: `echo`, `seq`.
    Text,
    /// Files and folders of which only names, sizes, dates or counts are shown: `ls`, `stat`, `wc`.
    Names,
    /// Files whose contents are shown: `cat`.
    Reads,
    /// Files and folders whose contents are shown, with everything below: `tar c`.
    ReadsBelow,
    /// The same, and what the links below them lead to: `diff -r`.
    ReadsThrough,
    /// Text, then files whose contents are shown: `jq FILTER FILE`.
    TextThenReads,
    /// A pattern, then files and folders that are searched, with everything below: `rg PATTERN FOLDER`.
    TextThenSearches,
    /// Files that are made or changed: `touch`, `tee`.
    Writes,
    /// A file, and the beginning of the names of its parts: `split`.
    Splits,
    /// A file that is changed, and the file with its changes: `patch`.
    Patches,
    /// Files that are replaced by others of a similar name: `gzip`, `gunzip`.
    Compresses,
    /// Files and folders that are changed with everything below: `rm`, `chmod -R`.
    WritesBelow,
    /// Text, then files and folders that are changed with everything below: `chmod MODE FILE`.
    TextThenWritesBelow,
    /// Sources, then the file or folder that they are copied to: `cp`.
    Copies,
    /// Sources that disappear, then the file or folder that they are moved to: `mv`.
    Moves,
    /// Files that are to go by another name as well, then that name: `ln`.
    Links,
    /// A repository, then the folder that is made of it, which is otherwise named like it: `git clone`.
    Clones,
    /// Files and folders that are put into the archive that an option names, with everything below: `tar -c`.
    Packs,
    /// An archive, whose contents are written below the folder: `unzip`, `tar x`.
    Unpacks,
    /// Files and folders whose contents are compared, if any are named: `git diff`, also outside of a repository.
    Compares,
    /// Revisions and paths of the repository: `git log`.
    Revisions,
    /// The first is a program or script that is run, the rest are its arguments: `python x.py`.
    Script,
    /// What the project defines, and arguments for it: `npm test`, `make TARGET`.
    Project,
    /// Hosts and URLs, which are reached.
    Hosts,
    /// URLs of files that are written to the folder, by the names with which the URLs end: `wget`.
    Downloads,
    /// The first is a subcommand, with a row of its own.
    Sub,
}

/// The words that a program starts as a command.
#[derive(Clone, Copy)]
pub(crate) enum Starts {
    /// Only the values of options with the mark `$`.
    Nothing,
    /// The words after the options are a command.
    Words,
    /// A command, which may follow `--`.
    Dashes,
    /// A command; or nothing, or options, for the user's shell.
    Shell,
    /// The words of a script.
    Joined,
    /// One word that is a script, or the words of a command.
    Either,
    /// A script, and other words.
    First,
    /// As the row of the subcommand says.
    Sub,
    /// Words of another form, which a function reads.
    By(fn(&Read<'_>) -> Option<Unwrapped>),
}

/// Whether a program does what the files of its folder say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folder {
    /// No: it does the same in every folder.
    Ignored,
    /// It reads what to run, or how, from files beside it: `git`, `npm`, `make`.
    Obeyed,
    /// The folder decides which file it runs: `python x.py`.
    Interpreted,
}

/// Returns a row for a program that starts nothing, and whose operands are unknown.
pub(super) const fn program(names: &'static str, options: &'static str) -> Row {
    Row {
        names,
        options: Grammar(options),
        operands: Operands::Unknown,
        kind: None,
        starts: Starts::Nothing,
        transparent: false,
        skip: 0,
        assigns: false,
        permutes: false,
        again: false,
        stops: 0,
        itself: None,
        more: None,
        power: None,
        folder: Folder::Ignored,
        open: false,
    }
}

impl Row {
    /// Returns the first of its names.
    pub(crate) fn name(&self) -> &'static str {
        self.names.split('|').next().unwrap_or_default()
    }

    /// Returns what an allow of the bare name permits.
    pub(crate) fn gives(&self) -> Option<Power> {
        self.power.or(match self.starts {
            Starts::Words | Starts::Dashes | Starts::Shell | Starts::Joined | Starts::Either | Starts::First => {
                Some(Power::StartsOthers)
            }
            Starts::Nothing | Starts::Sub | Starts::By(_) => None,
        })
    }

    /// Returns the kind of the operands of a call.
    pub(super) fn operands_of(&self, given: &Call<'_>) -> Operands {
        self.kind.map_or(self.operands, |kind| kind(given))
    }

    /// Returns the number of operands after which another program's words begin. 0 means never.
    pub(super) fn last_operand(&self) -> usize {
        match self.starts {
            Starts::Nothing | Starts::Sub | Starts::By(_) => self.stops,
            _ => self.skip + 1,
        }
    }

    /// Returns whether its first operand is a subcommand.
    pub(super) fn has_subcommands(&self) -> bool {
        self.operands == Operands::Sub
    }

    // Each of these sets the field of its name, or marks the row with it.

    pub(super) const fn operands(mut self, operands: Operands) -> Self {
        self.operands = operands;
        self
    }

    pub(super) const fn kind(mut self, kind: fn(&Call<'_>) -> Operands) -> Self {
        self.kind = Some(kind);
        self
    }

    pub(super) const fn starts(mut self, starts: Starts) -> Self {
        self.starts = starts;
        self
    }

    pub(super) const fn transparent(mut self) -> Self {
        self.transparent = true;
        self
    }

    pub(super) const fn skip(mut self, operands: usize) -> Self {
        self.skip = operands;
        self
    }

    pub(super) const fn assigns(mut self) -> Self {
        self.assigns = true;
        self
    }

    pub(super) const fn permutes(mut self) -> Self {
        self.permutes = true;
        self
    }

    pub(super) const fn again(mut self) -> Self {
        self.again = true;
        self
    }

    pub(super) const fn stops(mut self, operands: usize) -> Self {
        self.stops = operands;
        self
    }

    pub(super) const fn itself(mut self, effect: Effect) -> Self {
        self.itself = Some(effect);
        self
    }

    pub(super) const fn more(mut self, more: fn(&Found<'_>) -> Option<Escape>) -> Self {
        self.more = Some(more);
        self
    }

    pub(super) const fn power(mut self, power: Power) -> Self {
        self.power = Some(power);
        self
    }

    pub(super) const fn obeys(mut self) -> Self {
        self.folder = Folder::Obeyed;
        self
    }

    pub(super) const fn interprets(mut self) -> Self {
        self.folder = Folder::Interpreted;
        self
    }

    pub(super) const fn open(mut self) -> Self {
        self.open = true;
        self
    }
}
