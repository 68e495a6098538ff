//! Programs that read a file the same way whether it is an operand or redirected to their input: `wc -l < x` is a `wc -l x`.
//!
//! | written | is |
//! |---|---|
//! | `wc -l < x`, `< x sort -u`, of a listed program | `wc -l x`, `sort -u x` |
//! | the same with a file that is not known, begins with a dash, or is a device (`/dev/tcp/...`) | left as it is |
//! | the same where a word names the input itself (`jq -f - . < x`, `wc --files0-from=- < x`) or is not known | left as it is |
//! | of any other program (`sh < x`, `xargs < x`, `npm test < x`, `tee y < x`) | left as it is |
//!
//! Only programs stand here for which the input is nothing but text to show, count, compare or search.

use crate::shell::{Command, Redirect, RedirectKind, Word, name};

/// The programs, in alphabetical order.
#[rustfmt::skip]
const READERS: [&str; 37] = [
    "base32", "base64", "cat", "cksum", "column", "cut", "egrep", "expand", "fgrep", "fmt", "fold", "grep", "head",
    "hexdump", "iconv", "jq", "md5sum", "nl", "od", "paste", "rev", "rg", "sha1sum", "sha224sum", "sha256sum", "sha384sum",
    "sha512sum", "shasum", "sort", "strings", "sum", "tac", "tail", "unexpand", "uniq", "wc", "xxd",
];

/// Returns a command with the files that are redirected to its input as its last operands. `None` if there are none, or if
/// that is not certainly the same.
pub(crate) fn with_input_as_operand(command: &Command) -> Option<Command> {
    let (program, arguments) = command.words.split_first()?;
    let is_reader = READERS.contains(&name::narrow(program.text()?));
    let is_read = |redirect: &&Redirect| redirect.kind == RedirectKind::Read;
    let files: Vec<Word> = command.redirects.iter().filter(is_read).map(|redirect| redirect.target.clone()).collect();
    if files.is_empty() || !is_reader || !files.iter().all(is_plain_file) || arguments.iter().any(may_be_input) {
        return None;
    }
    let redirects = command.redirects.iter().filter(|redirect| !is_read(redirect)).cloned().collect();
    let words = command.words.iter().cloned().chain(files).collect();
    Some(Command { words, redirects, ..command.clone() })
}

/// Returns whether a redirection opens just this file. Some shells connect to a server for `/dev/tcp/...`.
fn is_plain_file(file: &Word) -> bool {
    file.text().is_some_and(|file| !file.is_empty() && !file.starts_with('-') && !file.starts_with("/dev/"))
}

/// Returns whether a word may name the input, so that what is read there may be more than text.
fn may_be_input(word: &Word) -> bool {
    word.text().is_none_or(|text| {
        let names_it =
            text == "-" || text.ends_with("=-") || text.starts_with('-') && text.ends_with('-') && text != "--";
        names_it || text.contains("/dev/") || text.contains("/proc/")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands;

    fn operands(line: &str) -> Option<String> {
        with_input_as_operand(commands::read(line).commands.first().unwrap()).map(|command| command.to_string())
    }

    #[test]
    fn the_programs_are_in_order() {
        assert!(READERS.is_sorted());
    }

    #[test]
    fn a_file_that_is_redirected_to_a_reader_is_its_operand() {
        for (line, expected) in [
            ("wc -l < x", "wc -l x"),
            ("< x sort -u", "sort -u x"),
            ("grep -c a < 'a b'", "grep -c a 'a b'"),
            ("/usr/bin/head -3 <src/x.rs 2>&1", "/usr/bin/head -3 src/x.rs"),
            ("jq . < /work/x.json", "jq . /work/x.json"),
            ("sort -- < x", "sort -- x"),
        ] {
            assert_eq!(operands(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn what_may_be_more_than_a_reader_of_a_file_stays_as_it_is() {
        for line in [
            "wc -l x", "wc -l < $x", "wc -l < \"$x\"", "wc -l < *", "wc -l < -x", "wc -l < ''",
            "wc -l < /dev/tcp/evil/80", "wc -l < /dev/stdin", "wc --files0-from=- < x", "sort --files0-from - < x",
            "jq -f - < x", "jq -f /dev/stdin < x", "grep -f- < x", "grep -f /proc/self/fd/0 < x", "cat - < x",
            "sort $o < x", "wc -l <<< x", "wc -l <(x)", "wc -l <> x", "wc -l > x", "sh < x", "bash -s < x",
            "python3 < x", "xargs rm < x", "npm test < x", "tee y < x", "tar x < x", "patch < x", "ssh host < x",
            "git apply < x", "curl -d @- x < x", "awk 1 < x", "sed p < x", "less < x", "ack -x a < x", "./wc < x",
            "WC < x", "$x < x", "< x",
        ] {
            assert_eq!(operands(line), None, "{line}");
        }
    }
}
