//! One row: everything that the policy knows of one program, or of one subcommand.

use super::escape::{Effect, Escape, Found};
use super::kinds::Given;
use super::options::Grammar;
use super::power::Power;
use super::starts::{Read, Unwrapped};

/// A program, or a subcommand of one (`git log`).
pub(crate) struct Row {
    /// The names that mean the same, with `|` between them. A name of two words is a subcommand; `git *` stands for the
    /// subcommands of `git` without a row.
    pub(crate) names: &'static str,
    /// Every option. Where there are none at all, each word after the name is an operand.
    pub(super) options: Grammar,
    /// What the operands are.
    pub(crate) operands: Operands,
    /// Tells what the operands are where the other words of a call decide it. `operands` is then the worst of what it may be.
    pub(super) kind: Option<fn(&Given<'_>) -> Operands>,
    /// What of its words it starts.
    pub(crate) starts: Starts,
    /// It only starts another command and does nothing else (`timeout`, `env`): that command is judged instead.
    pub(crate) transparent: bool,
    /// How many operands it takes before the command that it starts.
    pub(super) skip: usize,
    /// Whether `NAME=value` may come before the command that it starts.
    pub(super) assigns: bool,
    /// Whether its options may stand between and after its operands, where it starts something.
    pub(super) permutes: bool,
    /// Whether its options may stand behind the operands that it takes itself.
    pub(super) again: bool,
    /// After how many operands its options end. 0 means never. Of a starter of words they end where the command begins.
    pub(super) stops: usize,
    /// What the subcommand does, whatever its words are.
    pub(super) itself: Option<Effect>,
    /// Looks for effects that no single option or operand shows.
    pub(super) more: Option<fn(&Found<'_>) -> Option<Escape>>,
    /// What an allow of the bare name amounts to, where that does not follow from `starts`.
    pub(super) power: Option<Power>,
    /// Whether it does what the files of its folder say.
    pub(crate) folder: Folder,
    /// Whether the row lists only some of its options and operands. An allow then means the words that it names, as for a
    /// program without a row.
    pub(crate) open: bool,
}

/// What the operands of a program are. It decides which files a call reads and writes ([`super::files`]), and whether an
/// allow reaches an operand that the rule does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operands {
    /// Nothing is known of them: they may be files that are read or written.
    Unknown,
    /// There are none. A call with one does something that the row does not know.
    Nothing,
    /// Text that names no file: `echo`, `seq`.
    Text,
    /// Files and folders of which only names, sizes, dates or counts are shown: `ls`, `stat`, `wc`.
    Names,
    /// Files whose contents are shown: `cat`.
    Reads,
    /// Files and folders whose contents are shown, with everything below: `tar c`, `diff -r`.
    ReadsBelow,
    /// Text, then files whose contents are shown: `jq FILTER FILE`.
    TextThenReads,
    /// A pattern, then files and folders that are searched, with everything below: `rg PATTERN FOLDER`.
    TextThenSearches,
    /// Files that are made or changed: `touch`, `tee`.
    Writes,
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
    /// The first is a subcommand, with a row of its own.
    Sub,
}

/// What of its words a program starts.
#[derive(Clone, Copy)]
pub(crate) enum Starts {
    /// Nothing but the values of options with the mark `$`.
    Nothing,
    /// What comes after the options is a command.
    Words,
    /// A command, after `--` where there is one.
    Dashes,
    /// A command; or nothing, or options, for the user's shell.
    Shell,
    /// The words of a script.
    Joined,
    /// One word that is a script, or the words of a command.
    Either,
    /// A script, and more.
    First,
    /// What the row of the subcommand says.
    Sub,
    /// Something of another shape.
    By(fn(&Read<'_>) -> Option<Unwrapped>),
}

/// Whether a program does what the files of its folder say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folder {
    /// It does the same everywhere.
    Ignored,
    /// It reads what to run, or how, from files beside it: `git`, `npm`, `make`.
    Obeyed,
    /// Which file it runs depends on the folder, wherever that is: `python x.py`.
    Interpreted,
}

/// A row for programs that start nothing, whose operands are not known.
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
    /// The first of its names.
    pub(crate) fn name(&self) -> &'static str {
        self.names.split('|').next().unwrap_or_default()
    }

    /// What an allow of the bare name amounts to.
    pub(crate) fn gives(&self) -> Option<Power> {
        self.power.or(match self.starts {
            Starts::Words | Starts::Dashes | Starts::Shell | Starts::Joined | Starts::Either | Starts::First => {
                Some(Power::StartsOthers)
            }
            Starts::Nothing | Starts::Sub | Starts::By(_) => None,
        })
    }

    /// What the operands of a call are.
    pub(super) fn operands_of(&self, given: &Given<'_>) -> Operands {
        self.kind.map_or(self.operands, |kind| kind(given))
    }

    /// After how many operands come the words of something else. 0 means never.
    pub(super) fn last_operand(&self) -> usize {
        match self.starts {
            Starts::Nothing | Starts::Sub | Starts::By(_) => self.stops,
            _ => self.skip + 1,
        }
    }

    /// Whether its first operand is a subcommand.
    pub(super) fn has_subcommands(&self) -> bool {
        self.operands == Operands::Sub
    }

    /// What the operands are.
    pub(super) const fn operands(mut self, operands: Operands) -> Self {
        self.operands = operands;
        self
    }

    /// What the operands are depends on the other words of a call.
    pub(super) const fn kind(mut self, kind: fn(&Given<'_>) -> Operands) -> Self {
        self.kind = Some(kind);
        self
    }

    /// What it starts.
    pub(super) const fn starts(mut self, starts: Starts) -> Self {
        self.starts = starts;
        self
    }

    /// It does nothing but start another command.
    pub(super) const fn transparent(mut self) -> Self {
        self.transparent = true;
        self
    }

    /// It takes so many operands before the command that it starts.
    pub(super) const fn skip(mut self, operands: usize) -> Self {
        self.skip = operands;
        self
    }

    /// `NAME=value` may come before the command that it starts.
    pub(super) const fn assigns(mut self) -> Self {
        self.assigns = true;
        self
    }

    /// Its options may stand between and after its operands.
    pub(super) const fn permutes(mut self) -> Self {
        self.permutes = true;
        self
    }

    /// Its options may stand behind the operands that it takes itself.
    pub(super) const fn again(mut self) -> Self {
        self.again = true;
        self
    }

    /// Its options end after so many operands; the rest belong to what those are.
    pub(super) const fn stops(mut self, operands: usize) -> Self {
        self.stops = operands;
        self
    }

    /// The subcommand has this effect, whatever its words are.
    pub(super) const fn itself(mut self, effect: Effect) -> Self {
        self.itself = Some(effect);
        self
    }

    /// There is more to look for than options and operands.
    pub(super) const fn more(mut self, more: fn(&Found<'_>) -> Option<Escape>) -> Self {
        self.more = Some(more);
        self
    }

    /// What an allow of the bare name amounts to.
    pub(super) const fn power(mut self, power: Power) -> Self {
        self.power = Some(power);
        self
    }

    /// It does what the files of its folder say.
    pub(super) const fn obeys(mut self) -> Self {
        self.folder = Folder::Obeyed;
        self
    }

    /// Which file it runs depends on the folder.
    pub(super) const fn interprets(mut self) -> Self {
        self.folder = Folder::Interpreted;
        self
    }

    /// Not all of its options and operands are listed.
    pub(super) const fn open(mut self) -> Self {
        self.open = true;
        self
    }
}
