//! The names that a command word may go by.
//!
//! | written | to a rule that allows | to a rule that denies or asks |
//! |---|---|---|
//! | `rm` | `rm` | `rm` |
//! | `/bin/rm`, `/usr/bin/rm`, `/sbin/rm`, `/usr/sbin/rm` | `rm` | `/bin/rm`, `rm` |
//! | `./rm`, `/tmp/rm`, `C:\rm.exe` | as it is: another program | as it is, `rm` |
//! | `RM`, `rm.exe` | as it is | as it is, `rm` |
//!
//! macOS and Windows find `RM` when `rm` is meant, so only a rule that denies may take the one for the other.

use std::borrow::Cow;

/// Where the system keeps its own commands; nobody but root can put another one there.
const SYSTEM: [&str; 4] = ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/"];

/// What Windows leaves away.
const EXTENSIONS: [&str; 4] = [".exe", ".cmd", ".bat", ".com"];

/// The one name that a command word surely goes by.
pub(crate) fn narrow(word: &str) -> &str {
    SYSTEM.iter().find_map(|folder| word.strip_prefix(folder)).filter(|name| is_bare(name)).unwrap_or(word)
}

/// A command word without its folder, its case and the extension of a program.
pub(crate) fn bare(word: &str) -> Cow<'_, str> {
    let base = word.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(word);
    let folded = fold(base);
    match EXTENSIONS.iter().find_map(|extension| folded.strip_suffix(extension)) {
        Some(stem) if !stem.is_empty() => Cow::Owned(stem.to_owned()),
        _ => folded,
    }
}

/// A name without the version at its end: `python3.12` is `python`, `gcc-13` is `gcc`.
pub(crate) fn unversioned(name: &str) -> &str {
    name.trim_end_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, '.' | '-'))
}

fn is_bare(name: &str) -> bool {
    !name.is_empty() && !name.contains('/')
}

/// Up and down again, because that is how `ſ` becomes `s`, as it does to a file system without case.
fn fold(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.to_uppercase().to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_goes_by_its_bare_name_to_a_rule_that_denies() {
        for (word, bare) in [
            ("rm", "rm"),
            ("/bin/rm", "rm"),
            ("./rm", "rm"),
            ("../../x/rm", "rm"),
            ("RM", "rm"),
            ("Rm.EXE", "rm"),
            (r"C:\Windows\rm.exe", "rm"),
            ("npm.cmd", "npm"),
            ("ſudo", "sudo"),
            ("python3.12", "python3.12"),
            (".exe", ".exe"),
            ("/bin/rm/", "rm"),
            ("/", ""),
            ("", ""),
        ] {
            assert_eq!(super::bare(word), bare, "{word}");
        }
    }

    #[test]
    fn only_the_folders_of_the_system_are_left_away_for_a_rule_that_allows() {
        for (word, name) in [
            ("ls", "ls"),
            ("/bin/ls", "ls"),
            ("/usr/bin/ls", "ls"),
            ("/usr/sbin/ls", "ls"),
            ("/usr/local/bin/ls", "/usr/local/bin/ls"),
            ("/bin/../tmp/ls", "/bin/../tmp/ls"),
            ("/bin/", "/bin/"),
            ("./ls", "./ls"),
            ("LS", "LS"),
            ("ls.exe", "ls.exe"),
        ] {
            assert_eq!(narrow(word), name);
        }
    }
}
