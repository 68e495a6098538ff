//! What the operands of a call are, where its other words decide it: `tar t` shows names, and `tar x` writes files.
//!
//! The row of such a program says in `operands` what is the worst of them, and has one of these functions as its `kind`.

use super::options::Known;
use super::row::Operands;

/// What decides it.
pub(super) struct Given<'a> {
    /// The options.
    pub(super) options: &'a [Known],
    /// The first word where it is an operand, else nothing. Some programs take a mode without a dash there: `tar xf`.
    pub(super) mode: &'a str,
    /// How many operands there are.
    pub(super) operands: usize,
}

impl Given<'_> {
    fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|option| names.contains(&option.name.as_str()))
    }
}

/// `chmod MODE FILE`, `chmod --reference FILE FILE`
pub(super) fn mode(given: &Given<'_>) -> Operands {
    if given.has(&["--reference"]) { Operands::WritesBelow } else { Operands::TextThenWritesBelow }
}

/// `rm FILE`, `rm -r FOLDER`
pub(super) fn rm(given: &Given<'_>) -> Operands {
    if given.has(&["-r", "-R", "--recursive"]) { Operands::WritesBelow } else { Operands::Writes }
}

/// `patch < FILE`, `patch FILE`
pub(super) fn patch(given: &Given<'_>) -> Operands {
    if given.operands == 0 { Operands::Unpacks } else { Operands::Writes }
}

/// `grep PATTERN FILE`. Only with `-r` everything below a folder is searched.
pub(super) fn grep(given: &Given<'_>) -> Operands {
    let below = given.has(&["-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories"]);
    if below { Operands::TextThenSearches } else { Operands::TextThenReads }
}

/// `sed PROGRAM FILE`, `sed -i PROGRAM FILE`, `sed -i -e PROGRAM FILE`
pub(super) fn sed(given: &Given<'_>) -> Operands {
    let writes = given.has(&["-i", "-I", "--in-place"]);
    let apart = given.has(&["-e", "--expression", "-f", "--file"]);
    match (writes, apart) {
        (true, true) => Operands::WritesBelow,
        (true, false) => Operands::TextThenWritesBelow,
        (false, _) => Operands::TextThenReads,
    }
}

/// `awk PROGRAM FILE`, `gawk --source PROGRAM FILE`
pub(super) fn awk(given: &Given<'_>) -> Operands {
    let apart = given.has(&["-e", "--source", "-f", "--file", "-E", "--exec", "-i", "--include"]);
    if apart { Operands::Reads } else { Operands::TextThenReads }
}

/// `jq FILTER FILE`. Some of its options take a second value, which is read as an operand here and may be a file.
pub(super) fn jq(given: &Given<'_>) -> Operands {
    let pairs = ["--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile", "--args", "--jsonargs"];
    let apart = given.has(&pairs) || given.has(&["-f", "--from-file"]);
    if apart { Operands::Reads } else { Operands::TextThenReads }
}

/// `yq FILTER FILE`, `yq -i FILTER FILE`, `yq -i --expression FILTER FILE`
pub(super) fn yq(given: &Given<'_>) -> Operands {
    let writes = given.has(&["-i", "--inplace", "--in-place"]);
    let apart = jq(given) == Operands::Reads || given.has(&["--expression"]);
    match (writes, apart) {
        (true, true) => Operands::WritesBelow,
        (true, false) => Operands::TextThenWritesBelow,
        (false, true) => Operands::Reads,
        (false, false) => Operands::TextThenReads,
    }
}

/// `tar -t`, `tar x`, `tar -c`
pub(super) fn tar(given: &Given<'_>) -> Operands {
    let is = |letters: &[char], names: &[&str]| given.has(names) || given.mode.contains(letters);
    match () {
        () if is(&['x'], &["-x", "--extract", "--get"]) => Operands::Unpacks,
        // The name of the archive is an operand, then.
        () if given.mode.contains(['c', 'r', 'u', 'A']) => Operands::WritesBelow,
        () if given.has(&TAR_WRITES) => Operands::Packs,
        () if is(&['t', 'd'], &["-t", "--list", "-d", "--diff", "--compare", "--test-label"]) => Operands::Reads,
        () => Operands::Unpacks,
    }
}

/// The modes of `tar` that write the archive.
pub(super) const TAR_WRITES: [&str; 10] =
    ["-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate", "--delete"];

/// `cpio -t`, `cpio -i`, `cpio -o`
pub(super) fn cpio(given: &Given<'_>) -> Operands {
    match () {
        () if given.has(&["-p", "--pass-through"]) => Operands::WritesBelow,
        () if given.has(&["-t", "--list", "-o", "--create"]) => Operands::Reads,
        () => Operands::Unpacks,
    }
}

/// `ar t ARCHIVE`, `ar x ARCHIVE`, `ar rcs ARCHIVE FILE`
pub(super) fn ar(given: &Given<'_>) -> Operands {
    match given.mode.chars().next() {
        Some('t' | 'p') => Operands::TextThenReads,
        Some('x') => Operands::Unpacks,
        _ => Operands::WritesBelow,
    }
}

/// `gzip FILE`, `gzip -c FILE`
pub(super) fn compress(given: &Given<'_>) -> Operands {
    let shows = ["-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test"];
    match (given.has(&shows), given.has(&["-r", "--recursive"])) {
        (true, false) => Operands::Reads,
        (true, true) => Operands::ReadsBelow,
        (false, _) => Operands::WritesBelow,
    }
}

/// `unzip ARCHIVE`, `unzip -l ARCHIVE`. Behind `-x` every word names what is left out, also `-p`.
pub(super) fn unzip(given: &Given<'_>) -> Operands {
    let before = given.options.iter().take_while(|option| option.name != "-x");
    let shows = |option: &Known| ["-l", "-p", "-c", "-t", "-v", "-z", "-Z"].contains(&option.name.as_str());
    if before.into_iter().any(shows) { Operands::Reads } else { Operands::Unpacks }
}
