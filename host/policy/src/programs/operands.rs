//! The kinds of operands that programs have.

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
    /// The same, and what the links below them lead to: `diff -r`. Without `-r` only the links in the folders themselves.
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
    /// The same, and what the links below them lead to is read or changed as well: `7z a`.
    WritesThrough,
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
    /// An archive, unless an option names it, then the folder that its contents are written below: `dpkg -x`.
    UnpacksTo,
    /// Files and folders of this machine and of another (`X:/p`), then the one that they are copied to: `docker cp`.
    Exchanges,
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
