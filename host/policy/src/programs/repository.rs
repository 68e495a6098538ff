//! Finds settings of a git repository that name programs.
//!
//! `git status` starts the program in `core.fsmonitor`, `git diff` that of a diff driver. A cloned repository has no
//! such settings; one that was unpacked from an archive, or that an agent created, may have them. So an allow of git
//! covers only a repository whose settings name no program.
//!
//! The caller reads the files ([`Call::repository`](crate::Call::repository)) and this module parses them. The parser
//! is written here because it must fail closed if it cannot parse a line, and must cost nothing when a hook starts.

use std::path::PathBuf;
use std::str::Chars;

use crate::programs::names_program;

/// The settings of the repository that git would use in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repository {
    /// There is no repository, or its settings name no program.
    Plain,
    /// Its settings name no program, but they say that hooks are in these folders, none of which reading commands run.
    Hooks(Vec<PathBuf>),
    /// Git may start a program because of this setting or file.
    Starts(String),
}

/// Settings that are not programs but lead to other settings or files.
const LEADS: [&str; 4] = ["include.path", "core.worktree", "core.attributesfile", "init.templatedir"];

/// The setting for the folder of the hooks.
const HOOKS: &str = "core.hookspath";

/// The name of a setting, in lower case except for the middle part, and its value.
type Setting = (String, String);

/// Returns the first setting of a `config` file that names a program or includes more settings. For a file that cannot
/// be parsed it returns a text that says so.
pub fn program_in(config: &str) -> Option<String> {
    first(config, leads)
}

/// As [`program_in`], for the `config` of a submodule. It always has a setting for the place of its files; because that
/// place is not looked at, hooks there count as a program.
pub fn program_in_submodule(config: &str) -> Option<String> {
    first(config, |name, value| name == HOOKS || (name != "core.worktree" && leads(name, value)))
}

/// Returns the folder of the hooks according to a `config` file.
pub fn hooks_path(config: &str) -> Option<String> {
    settings(config)?.into_iter().rev().find(|(name, _)| name == HOOKS).map(|(_, value)| value)
}

fn first(config: &str, leads: impl Fn(&str, &str) -> bool) -> Option<String> {
    let Some(settings) = settings(config) else { return Some("its settings cannot be read".to_owned()) };
    settings.into_iter().find(|(name, value)| leads(name, value) || names_program(name, value)).map(|(name, _)| name)
}

fn leads(name: &str, value: &str) -> bool {
    // Git expands some beginnings of a path, and its versions do not agree on blanks that are no spaces.
    let is_plain = || !value.is_empty() && !value.starts_with(['~', '%', ':']) && !value.contains(['\t', '\r']);
    LEADS.contains(&name)
        || name.starts_with("includeif.")
        || name.starts_with("protocol.")
        || (name == HOOKS && !is_plain())
}

/// Parses the settings of a file in git's format, character by character as git does: git-config(1), "Syntax". `None`
/// if git cannot parse it, or may parse it otherwise.
fn settings(config: &str) -> Option<Vec<Setting>> {
    // To git a name ends at a zero byte.
    if config.contains('\0') {
        return None;
    }
    let config = config.replace("\r\n", "\n");
    let mut signs = config.chars();
    let (mut section, mut settings) = (String::new(), Vec::new());
    while let Some(sign) = signs.next() {
        match sign {
            ' ' | '\t' | '\r' | '\n' => {}
            '#' | ';' => skip_line(&mut signs),
            '[' => section = section_name(&mut signs)?,
            _ if sign.is_ascii_alphabetic() && !section.is_empty() => {
                let (name, value) = setting(sign, &mut signs)?;
                settings.push((format!("{section}.{name}"), value));
            }
            _ => return None,
        }
    }
    Some(settings)
}

/// Returns the next character. The file ends as a line does.
fn next(signs: &mut Chars<'_>) -> char {
    signs.next().unwrap_or('\n')
}

fn skip_line(signs: &mut Chars<'_>) {
    while next(signs) != '\n' {}
}

/// Parses the name of a section behind its bracket: `core`, or `remote.origin` for `remote "origin"`.
fn section_name(signs: &mut Chars<'_>) -> Option<String> {
    let mut name = String::new();
    let mut sign = next(signs);
    while is_of_name(sign) || sign == '.' {
        name.push(sign.to_ascii_lowercase());
        sign = next(signs);
    }
    if name.is_empty() || sign == ']' {
        return (!name.is_empty()).then_some(name);
    }
    let is_blank = |sign: char| matches!(sign, ' ' | '\t' | '\r');
    if !is_blank(sign) {
        return None;
    }
    while is_blank(sign) {
        sign = next(signs);
    }
    if sign != '"' {
        return None;
    }
    name.push('.');
    loop {
        match next(signs) {
            '"' => break,
            '\n' => return None,
            '\\' => match next(signs) {
                '\n' => return None,
                sign => name.push(sign),
            },
            sign => name.push(sign),
        }
    }
    (next(signs) == ']').then_some(name)
}

/// Parses a setting behind the first character of its name.
fn setting(first: char, signs: &mut Chars<'_>) -> Option<Setting> {
    let mut name = first.to_ascii_lowercase().to_string();
    let mut sign = next(signs);
    while is_of_name(sign) {
        name.push(sign.to_ascii_lowercase());
        sign = next(signs);
    }
    while matches!(sign, ' ' | '\t') {
        sign = next(signs);
    }
    match sign {
        '=' => Some((name, value(signs)?)),
        '\n' => Some((name, "true".to_owned())),
        _ => None,
    }
}

/// Parses a value, which ends at a comment or with the line. A backslash continues it in the next line, but not in a
/// comment.
fn value(signs: &mut Chars<'_>) -> Option<String> {
    let (mut text, mut blanks, mut quoted) = (String::new(), String::new(), false);
    loop {
        let sign = next(signs);
        match sign {
            '\n' => return (!quoted).then_some(text),
            '#' | ';' if !quoted => {
                skip_line(signs);
                return Some(text);
            }
            ' ' | '\t' | '\r' if !quoted => {
                if !text.is_empty() {
                    blanks.push(sign);
                }
                continue;
            }
            _ => text.push_str(&std::mem::take(&mut blanks)),
        }
        match sign {
            '"' => quoted = !quoted,
            '\\' => match next(signs) {
                '\n' => {}
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'b' => text.push('\u{8}'),
                sign @ ('"' | '\\') => text.push(sign),
                _ => return None,
            },
            _ => text.push(sign),
        }
    }
}

fn is_of_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLONED: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n\
        [remote \"origin\"]\n\turl = https://example.com/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\
        [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = Ann ; me\n\
        [submodule \"a\"]\n\turl = ../a\n\tactive = true\n\
        [filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n";

    #[test]
    fn the_settings_of_a_clone_name_no_program() {
        assert_eq!(program_in(CLONED), None);
        assert_eq!(program_in(""), None);
        for harmless in [
            "[core]\nfsmonitor = true",
            "[core]\nfsmonitor",
            "[alias]\nco = checkout",
            "[color]\nui = auto",
            "[core]\nhooksPath = .husky/_",
            "[core]\nhooksPath = /dev/null",
            "[core]\nbare = false \\\nfsmonitor = x",
            "[core]\n# fsmonitor = x",
            "[filter \"lfs\"]\nsmudge = git-lfs smudge --skip -- %f\nprocess = git-lfs filter-process --skip",
        ] {
            assert_eq!(program_in(harmless), None, "{harmless}");
        }
    }

    #[test]
    fn a_setting_that_names_a_program_is_found_however_it_is_written() {
        for (config, expected) in [
            ("[core]\nfsmonitor = ./x", "core.fsmonitor"),
            ("[core] fsmonitor=./x", "core.fsmonitor"),
            ("[CORE]\nFSMonitor = \"./x\" # y", "core.fsmonitor"),
            ("[core]\nfsmon\\\nitor = x", "its settings cannot be read"),
            ("[core]\nbare = false # x \\\nfsmonitor = ./x", "core.fsmonitor"),
            ("[core]\nbare = false ;\\\nfsmonitor = ./x", "core.fsmonitor"),
            ("[core]\n# x \\\nfsmonitor = ./x", "core.fsmonitor"),
            ("[core]\nbare = a \\\n b # \\\n fsmonitor = ./x", "core.fsmonitor"),
            ("[core]\nfsmonitor = \\\n./x", "core.fsmonitor"),
            ("[core]\nfsmonitor = true\\b", "core.fsmonitor"),
            ("[core]\nfsmonitor = x\\b", "core.fsmonitor"),
            ("[core]\n\tx = 1\r\n\tfsmonitor = ./x\r\n", "core.fsmonitor"),
            ("[color] ui = a\n[x] [core] fsmonitor = ./x", "core.fsmonitor"),
            ("[core \"fsmonitor\0\"]\nz = ./x", "its settings cannot be read"),
            ("[core]\nhooksPath = ~/x", "core.hookspath"),
            ("[core]\nhooksPath = %(prefix)/x", "core.hookspath"),
            ("[core]\nhooksPath = :(optional)x", "core.hookspath"),
            ("[core]\nhooksPath =", "core.hookspath"),
            ("[core]\nhooksPath = a\tb", "core.hookspath"),
            ("[filter \"lfs\"]\nclean = git-lfs clean -- %f\\ntouch x", "filter.lfs.clean"),
            ("[filter \"lfs\"]\nclean = git-lfs clean -- %f > x", "filter.lfs.clean"),
            ("[filter \"lfs\"]\nprocess = git-lfs clean -- %f", "filter.lfs.process"),
            ("[filter \"lfs\"]\nsmudge = git-lfs x", "filter.lfs.smudge"),
            ("[filter \"LFS\"]\nclean = git-lfs clean -- %f", "filter.LFS.clean"),
            ("[core]\npager = x", "core.pager"),
            ("[diff]\nexternal = x", "diff.external"),
            ("[diff \"a]b\"]\ntextconv = x", "diff.a]b.textconv"),
            ("[diff \"x\"]\ncommand = x", "diff.x.command"),
            ("[filter \"x\"]\nclean = x", "filter.x.clean"),
            ("[core]\nsshCommand = x", "core.sshcommand"),
            ("[alias]\nx = !y", "alias.x"),
            ("[include]\npath = x", "include.path"),
            ("[includeIf \"gitdir:/\"]\npath = x", "includeif.gitdir:/.path"),
            ("[submodule \"a\"]\nupdate = !x", "submodule.a.update"),
            ("[protocol \"ext\"]\nallow = always", "protocol.ext.allow"),
            ("[gpg]\nprogram = x", "gpg.program"),
            ("[credential]\nhelper = !x", "credential.helper"),
            ("[remote \"o\"]\nuploadpack = x", "remote.o.uploadpack"),
            ("[core.x]\npager = y", "core.x.pager"),
            ("[core]\nworktree = /x", "core.worktree"),
            ("[init]\ntemplateDir = x", "init.templatedir"),
            ("fsmonitor = x", "its settings cannot be read"),
            ("[core\nfsmonitor = x", "its settings cannot be read"),
            ("[core]\nx = \"open", "its settings cannot be read"),
            ("[core]\n\u{feff}fsmonitor = x", "its settings cannot be read"),
            ("[core]\nx ; y", "its settings cannot be read"),
            ("[core]\nx = \\y", "its settings cannot be read"),
            ("[core]\n-x = y", "its settings cannot be read"),
            ("[core \"x\" ]\nx = y", "its settings cannot be read"),
            ("[core\"x\"]\nx = y", "its settings cannot be read"),
            ("[]\nx = y", "its settings cannot be read"),
            ("[x \"\\\"]\nfsmonitor = y\"]\nz = 1", "its settings cannot be read"),
        ] {
            assert_eq!(program_in(config).as_deref(), Some(expected), "{config}");
        }
    }

    #[test]
    fn a_submodule_may_name_the_place_of_its_files_and_nothing_else() {
        for (config, expected) in [
            ("[core]\n\tworktree = ../../a", None),
            ("[core]\n\tworktree = ../../a\n\tfsmonitor = ./x", Some("core.fsmonitor")),
            ("[core]\n\tworktree = ../../a\n[include]\n\tpath = x", Some("include.path")),
            ("[core]\n\tworktree = ../../a\n\thooksPath = h", Some("core.hookspath")),
            ("[core]\n\tworktree = \"../../a", Some("its settings cannot be read")),
        ] {
            assert_eq!(program_in_submodule(config).as_deref(), expected, "{config}");
        }
    }

    #[test]
    fn the_last_path_of_hooks_counts() {
        assert_eq!(hooks_path("[core]\nhooksPath = a\nhookspath = .husky/_").as_deref(), Some(".husky/_"));
        assert_eq!(hooks_path(CLONED), None);
        assert_eq!(hooks_path("[core]\nhooksPath = \" a \"\\\n b  # c").as_deref(), Some(" a  b"));
    }
}
