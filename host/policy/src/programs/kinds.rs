//! Determines the kind of a call's operands if its other words decide it: `tar t` shows names, and `tar x` writes
//! files.
//!
//! The row of such a program has the most dangerous kind in `operands`, and one of these functions as its `kind`.

use super::given::Given;
use super::operands::Operands;
use super::options::Known;

/// Returns the kind for `diff FOLDER FOLDER` and `diff --no-dereference FOLDER FOLDER`.
pub(super) fn diff(given: &Given<'_>) -> Operands {
    if given.has(&["--no-dereference"]) { Operands::ReadsBelow } else { Operands::ReadsThrough }
}

/// Returns the kind for `chmod MODE FILE` and `chmod --reference FILE FILE`.
pub(super) fn mode(given: &Given<'_>) -> Operands {
    if given.has(&["--reference"]) { Operands::WritesBelow } else { Operands::TextThenWritesBelow }
}

/// Returns the kind for `cp FILE FILE` and `cp -l FILE FILE`, which gives a file a second name.
pub(super) fn cp(given: &Given<'_>) -> Operands {
    if given.has(&["-l", "--link", "-s", "--symbolic-link"]) { Operands::Links } else { Operands::Copies }
}

/// Returns the kind for `install FILE FILE` and `install -d FOLDER`, which sets the mode of each folder, also of one that is there.
pub(super) fn install(given: &Given<'_>) -> Operands {
    if given.has(&["-d", "--directory"]) { Operands::WritesBelow } else { Operands::Copies }
}

/// Returns the kind for `rm FILE` and `rm -r FOLDER`.
pub(super) fn rm(given: &Given<'_>) -> Operands {
    if given.has(&["-r", "-R", "--recursive"]) { Operands::WritesBelow } else { Operands::Writes }
}

/// Returns the kind for `black FOLDER` and `black --check FOLDER`, which only shows what it would change.
pub(super) fn formats(given: &Given<'_>) -> Operands {
    if given.has(&["--check", "--diff"]) { Operands::ReadsBelow } else { Operands::WritesBelow }
}

/// Returns the kind for `patch < FILE` and `patch FILE`.
pub(super) fn patch(given: &Given<'_>) -> Operands {
    if given.operands.is_empty() { Operands::Unpacks } else { Operands::Patches }
}

/// Returns the kind for `grep PATTERN FILE`. Only `-r` searches everything below a folder.
pub(super) fn grep(given: &Given<'_>) -> Operands {
    let below = given.has(&["-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories"]);
    if below { Operands::TextThenSearches } else { Operands::TextThenReads }
}

/// Returns the kind for `sed PROGRAM FILE`, `sed -i PROGRAM FILE` and `sed -i -e PROGRAM FILE`.
pub(super) fn sed(given: &Given<'_>) -> Operands {
    let writes = given.has(&["-i", "-I", "--in-place"]);
    let apart = given.has(&["-e", "--expression", "-f", "--file"]);
    match (writes, apart) {
        (true, true) => Operands::WritesBelow,
        (true, false) => Operands::TextThenWritesBelow,
        (false, _) => Operands::TextThenReads,
    }
}

/// Returns the kind for `awk PROGRAM FILE` and `gawk --source PROGRAM FILE`.
pub(super) fn awk(given: &Given<'_>) -> Operands {
    let apart = given.has(&["-e", "--source", "-f", "--file", "-E", "--exec", "-i", "--include"]);
    if apart { Operands::Reads } else { Operands::TextThenReads }
}

/// Returns the kind for `jq FILTER FILE`. Some of its options take a second value, which is parsed as an operand here
/// and may be a file.
pub(super) fn jq(given: &Given<'_>) -> Operands {
    let pairs = ["--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile", "--args", "--jsonargs"];
    let apart = given.has(&pairs) || given.has(&["-f", "--from-file"]);
    if apart { Operands::Reads } else { Operands::TextThenReads }
}

/// Returns the kind for `yq FILTER FILE`, `yq -i FILTER FILE` and `yq -i --expression FILTER FILE`.
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

/// Returns the kind for `tar -t`, `tar x` and `tar -c`.
pub(super) fn tar(given: &Given<'_>) -> Operands {
    let is = |letters: &[char], names: &[&str]| given.has(names) || given.mode().contains(letters);
    match () {
        () if is(&['x'], &["-x", "--extract", "--get"]) => Operands::Unpacks,
        // With the mode in the first word, the name of the archive is an operand.
        () if given.mode().contains(['c', 'r', 'u', 'A']) => Operands::WritesBelow,
        () if given.has(&TAR_WRITES) => Operands::Packs,
        () if is(&['t', 'd'], &["-t", "--list", "-d", "--diff", "--compare", "--test-label"]) => Operands::Reads,
        () => Operands::Unpacks,
    }
}

/// The modes of `tar` that write the archive.
pub(super) const TAR_WRITES: [&str; 10] =
    ["-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate", "--delete"];

/// Returns the kind for `cpio -t`, `cpio -i` and `cpio -o`.
pub(super) fn cpio(given: &Given<'_>) -> Operands {
    match () {
        () if given.has(&["-p", "--pass-through"]) => Operands::WritesBelow,
        () if given.has(&["-t", "--list", "-o", "--create"]) => Operands::Reads,
        () => Operands::Unpacks,
    }
}

/// Returns the kind for `ar t ARCHIVE`, `ar x ARCHIVE` and `ar rcs ARCHIVE FILE`.
pub(super) fn ar(given: &Given<'_>) -> Operands {
    match given.mode().chars().next() {
        Some('t' | 'p') => Operands::TextThenReads,
        Some('x') => Operands::Unpacks,
        _ => Operands::WritesBelow,
    }
}

/// Returns the kind for `git apply PATCH` and `git apply --check PATCH`, which only shows whether it applies.
pub(super) fn git_apply(given: &Given<'_>) -> Operands {
    let shows = given.has(&["--check", "--stat", "--numstat", "--summary"]);
    let takes_back = ["--apply", "--no-check", "--no-stat", "--no-numstat", "--no-summary", "--build-fake-ancestor"];
    if shows && !given.has(&takes_back) { Operands::Reads } else { Operands::Unpacks }
}

/// Returns the kind for `gzip FILE` and `gzip -c FILE`. What shows a folder follows the links in it.
pub(super) fn compress(given: &Given<'_>) -> Operands {
    let shows = ["-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test"];
    match (given.has(&shows), given.has(&["-r", "--recursive"])) {
        (true, false) => Operands::Reads,
        (true, true) => Operands::ReadsThrough,
        (false, _) => Operands::Compresses,
    }
}

/// Returns the kind for `zip ARCHIVE FILE` and `zip -r ARCHIVE FOLDER`, which follows the links in it.
pub(super) fn zip(given: &Given<'_>) -> Operands {
    let below = given.has(&["-r", "-R", "--recurse-paths", "--recurse-patterns"]);
    if below { Operands::WritesThrough } else { Operands::WritesBelow }
}

/// Returns the kind for `ctags FILE` and `ctags -R FOLDER`, which follows the links in it.
pub(super) fn ctags(given: &Given<'_>) -> Operands {
    if given.has(&["-R", "--recurse"]) { Operands::ReadsThrough } else { Operands::ReadsBelow }
}

/// Returns the kind for `zcat FILE` and `zcat -r FOLDER`, which follows the links in it.
pub(super) fn zcat(given: &Given<'_>) -> Operands {
    if given.has(&["-r", "--recursive"]) { Operands::ReadsThrough } else { Operands::Reads }
}

/// Returns the kind for `python -m zipfile -l ARCHIVE` and `python -m zipfile -e ARCHIVE FOLDER`.
pub(super) fn python_archive(given: &Given<'_>) -> Operands {
    match () {
        () if given.has(&["-e", "--extract"]) => Operands::UnpacksTo,
        () if given.has(&["-c", "--create"]) => Operands::WritesBelow,
        () if given.has(&["-l", "--list", "-t", "--test"]) => Operands::Reads,
        () => Operands::UnpacksTo,
    }
}

/// Returns the kind for `dpkg -s PACKAGE` and `dpkg -x ARCHIVE FOLDER`.
pub(super) fn dpkg(given: &Given<'_>) -> Operands {
    let unpacks = ["-x", "-X", "-e", "--extract", "--vextract", "--control", "--raw-extract"];
    if given.has(&unpacks) { Operands::UnpacksTo } else { Operands::Text }
}

/// Returns the kind for `unzip ARCHIVE` and `unzip -l ARCHIVE`. After `-x` every word names an excluded file, even
/// `-p`.
pub(super) fn unzip(given: &Given<'_>) -> Operands {
    // Behind the archive they are names of files: `unzip a.zip '*' -l` unpacks.
    let archive = given.operands.first().copied().unwrap_or(usize::MAX);
    let before = given.options.iter().take_while(|option| option.name != "-x" && option.at < archive);
    let shows = |option: &Known| ["-l", "-p", "-c", "-t", "-v", "-z", "-Z"].contains(&option.name.as_str());
    if before.into_iter().any(shows) { Operands::Reads } else { Operands::Unpacks }
}
