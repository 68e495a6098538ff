//! What the operands of a call are, where its other words decide it: `tar t` shows names, and `tar x` writes files.
//!
//! The row of such a program says in `operands` what is the worst of them, and has one of these functions as its `kind`.

use super::options::{Grammar, Item, Reader};
use super::row::Operands;
use crate::policy::shell::Word;

/// What decides it.
pub(super) struct Given<'a> {
    /// The names of the options: `-k`, `--kill-after`.
    options: Vec<String>,
    /// The first word where it is an operand. Some programs take a mode without a dash there: `tar xf`, `ar rcs`.
    mode: &'a str,
}

impl<'a> Given<'a> {
    /// What the words from an index on are to a program.
    pub(super) fn of(grammar: Grammar, words: &'a [Word], from: usize) -> Self {
        let mut given = Self { options: Vec::new(), mode: "" };
        let mut reader = Reader::new(grammar, words, from);
        while let Some(item) = reader.next() {
            match item {
                Item::Known(known) => given.options.push(known.name),
                Item::Operand(at) if at == from => given.mode = words.get(at).map_or("", |word| &word.known),
                Item::Operand(_) | Item::Unknown(_) => {}
            }
        }
        given
    }

    fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|option| names.contains(&option.as_str()))
    }
}

/// `chmod MODE FILE`, `chmod --reference FILE FILE`
pub(super) fn mode(given: &Given<'_>) -> Operands {
    if given.has(&["--reference"]) { Operands::WritesBelow } else { Operands::TextThenWritesBelow }
}

/// `grep PATTERN FILE`, `grep -e PATTERN FILE`
pub(super) fn pattern(given: &Given<'_>) -> Operands {
    let apart = ["-e", "--regexp", "-f", "--file", "--files", "--match", "--type-list", "--filename-pattern"];
    if given.has(&apart) { Operands::ReadsBelow } else { Operands::TextThenSearches }
}

/// `ag PATTERN FOLDER`, `ag -g PATTERN FOLDER`. Options of `ack` that are none of `grep`.
pub(super) fn ack(given: &Given<'_>) -> Operands {
    // `-g` takes the pattern itself in `ag`, and the first operand in `ack`.
    if given.has(&["-f", "-g"]) { Operands::ReadsBelow } else { pattern(given) }
}

/// `sed PROGRAM FILE`, `sed -e PROGRAM FILE`, `sed -i PROGRAM FILE`
pub(super) fn program(given: &Given<'_>) -> Operands {
    let apart = given.has(&["-e", "--expression", "-f", "--file"]);
    let writes = given.has(&["-i", "-I", "--in-place"]);
    match (writes, apart) {
        (true, true) => Operands::WritesBelow,
        (true, false) => Operands::TextThenWritesBelow,
        (false, true) => Operands::Reads,
        (false, false) => Operands::TextThenReads,
    }
}

/// `awk PROGRAM FILE`, `awk -f FILE FILE`
pub(super) fn awk(given: &Given<'_>) -> Operands {
    let apart = given.has(&["-e", "--source", "-f", "--file", "-E", "--exec", "-i", "--include"]);
    if apart { Operands::Reads } else { Operands::TextThenReads }
}

/// `jq FILTER FILE`. Some of its options take a second value, which is read as an operand here and may be a file.
pub(super) fn filter(given: &Given<'_>) -> Operands {
    let apart =
        ["-f", "--from-file", "--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile", "--args", "--jsonargs"];
    if given.has(&apart) { Operands::Reads } else { Operands::TextThenReads }
}

/// `yq FILTER FILE`, `yq -i FILTER FILE`
pub(super) fn yq(given: &Given<'_>) -> Operands {
    match (given.has(&["-i", "--inplace", "--in-place"]), given.has(&["--from-file", "--expression"])) {
        (true, true) => Operands::WritesBelow,
        (true, false) => Operands::TextThenWritesBelow,
        (false, true) => Operands::Reads,
        (false, false) => filter(given),
    }
}

/// `tar -t`, `tar x`, `tar -c`
pub(super) fn tar(given: &Given<'_>) -> Operands {
    let is = |letter: char, names: &[&str]| given.has(names) || given.mode.contains(letter);
    if is('x', &["-x", "--extract", "--get"]) {
        Operands::Unpacks
    } else if is('c', &["-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate"])
        || given.mode.contains(['r', 'u', 'A'])
    {
        Operands::ReadsBelow
    } else if is('t', &["-t", "--list", "-d", "--diff", "--compare", "--test-label"]) {
        Operands::Reads
    } else {
        Operands::Unpacks
    }
}

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
    if given.has(&shows) { Operands::Reads } else { Operands::WritesBelow }
}

/// `unzip ARCHIVE`, `unzip -l ARCHIVE`
pub(super) fn unzip(given: &Given<'_>) -> Operands {
    if given.has(&["-l", "-p", "-c", "-t", "-v", "-z", "-Z"]) { Operands::Reads } else { Operands::Unpacks }
}
