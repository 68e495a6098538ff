//! The names by which rules refer to a command word.
//!
//! | written | to a rule that allows | to a rule that denies or asks |
//! |---|---|---|
//! | `rm` | `rm` | `rm` |
//! | `/bin/rm`, `/usr/bin/rm`, `/sbin/rm`, `/usr/sbin/rm` | `rm` | `/bin/rm`, `rm` |
//! | `./rm`, `/tmp/rm`, `C:\rm.exe` | unchanged: another program | unchanged, `rm` |
//! | `RM`, `rm.exe` | unchanged | unchanged, `rm` |
//!
//! macOS and Windows find `rm` by `RM`, so only a rule that denies may equate the two.

use std::borrow::Cow;

/// The folders of the system's own commands; only root can add a command there.
const SYSTEM: [&str; 4] = ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/"];

/// The extensions that Windows adds to a command's name.
const EXTENSIONS: [&str; 4] = [".exe", ".cmd", ".bat", ".com"];

/// Programs that run what they read as commands, in the rows of `programs/table/shells`.
const SHELLS: [&str; 18] = [
    "sh", "bash", "zsh", "dash", "ksh", "ash", "rbash", "mksh", "yash", "pdksh", "fish", "nu", "xonsh", "elvish",
    "csh", "tcsh", "osh", "ysh",
];

/// Returns whether a bare name is that of a shell.
pub(crate) fn is_shell(bare: &str) -> bool {
    SHELLS.contains(&bare)
}

/// Returns the only name that a command word certainly has.
pub(crate) fn narrow(word: &str) -> &str {
    SYSTEM.iter().find_map(|folder| word.strip_prefix(folder)).filter(|name| is_bare(name)).unwrap_or(word)
}

/// Returns a command word without its folder, its case and the extension of a program.
pub(crate) fn bare(word: &str) -> Cow<'_, str> {
    let base = word.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(word);
    let folded = fold(base);
    match EXTENSIONS.iter().find_map(|extension| folded.strip_suffix(extension)) {
        Some(stem) if !stem.is_empty() => Cow::Owned(stem.to_owned()),
        _ => folded,
    }
}

/// Removes a version at the end of a name: `python3.12` is `python`, `gcc-13` is `gcc`.
pub(crate) fn unversioned(name: &str) -> &str {
    name.trim_end_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, '.' | '-'))
}

fn is_bare(name: &str) -> bool {
    !name.is_empty() && !name.contains('/')
}

/// Converts to upper and then to lower case, because that maps `ſ` to `s`, as a case-insensitive file system does.
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
