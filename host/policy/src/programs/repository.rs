//! Finds settings of a git repository that name programs.
//!
//! `git status` starts the program in `core.fsmonitor`, `git diff` that of a diff driver. A cloned repository has no
//! such settings; one that was unpacked from an archive, or that an agent created, may have them. So an allow of git
//! covers only a repository whose settings name no program.
//!
//! The caller reads the files ([`Call::repository`](crate::Call::repository)) and this module parses them. The parser
//! is written here because it must fail closed if it cannot parse a line, and must cost nothing when a hook starts.

use crate::programs::names_program;

/// The settings of the repository that git would use in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repository {
    /// There is no repository, or its settings name no program.
    Plain,
    /// Git may start a program because of this setting or file.
    Starts(String),
}

/// Settings that are not programs but lead to other settings or files.
const LEADS: [&str; 3] = ["include.path", "core.worktree", "core.attributesfile"];

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
    first(config, |name| name == "core.hookspath" || (name != "core.worktree" && leads(name)))
}

fn first(config: &str, leads: impl Fn(&str) -> bool) -> Option<String> {
    let Some(settings) = settings(config) else { return Some("its settings cannot be read".to_owned()) };
    settings.into_iter().find(|(name, value)| leads(name) || names_program(name, value)).map(|(name, _)| name)
}

/// Returns the folder of the hooks according to a `config` file.
pub fn hooks_path(config: &str) -> Option<String> {
    settings(config)?.into_iter().rev().find(|(name, _)| name == "core.hookspath").map(|(_, value)| value)
}

fn leads(name: &str) -> bool {
    LEADS.contains(&name) || name.starts_with("includeif.") || name.starts_with("protocol.")
}

/// Parses the settings of a file in git's format (git-config(1), "Syntax"). `None` if a line cannot be parsed.
fn settings(config: &str) -> Option<Vec<Setting>> {
    let mut section = String::new();
    let mut settings = Vec::new();
    let mut lines = config.lines();
    while let Some(line) = lines.next() {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let end = section_end(rest)?;
            section = section_name(rest.get(..end)?)?;
            line = rest.get(end + 1..)?.trim();
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let mut whole = line.to_owned();
        while ends_open(&whole) {
            whole.pop();
            whole.push_str(lines.next()?);
        }
        let (name, value) = whole.split_once('=').unwrap_or((&whole, "true"));
        let name = name.trim().to_ascii_lowercase();
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if section.is_empty() || name.is_empty() || !plain {
            return None;
        }
        settings.push((format!("{section}.{name}"), unquoted(value)?));
    }
    Some(settings)
}

/// Returns whether a line continues in the next one: it ends with an odd number of backslashes.
fn ends_open(line: &str) -> bool {
    line.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Returns the position of the bracket that closes a section's name. The quoted part may contain another one.
fn section_end(text: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    text.char_indices().find_map(|(at, sign)| {
        match sign {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return Some(at),
            _ => {}
        }
        None
    })
}

/// Returns the name of a section: `core`, or `remote.origin` for `remote "origin"`.
fn section_name(text: &str) -> Option<String> {
    let (name, sub) = match text.split_once('"') {
        Some((name, rest)) => (name.trim(), Some(rest.strip_suffix('"')?)),
        None => (text.trim(), None),
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    if name.is_empty() || !name.bytes().all(plain) {
        return None;
    }
    let name = name.to_ascii_lowercase();
    Some(sub.map_or_else(|| name.clone(), |sub| format!("{name}.{sub}")))
}

/// Returns a value without its quotes and comment.
fn unquoted(value: &str) -> Option<String> {
    let (mut text, mut quoted) = (String::new(), false);
    let mut signs = value.trim().chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => quoted = !quoted,
            '\\' => match signs.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'b' => drop(text.pop()),
                sign @ ('"' | '\\') => text.push(sign),
                _ => return None,
            },
            '#' | ';' if !quoted => break,
            sign => text.push(sign),
        }
    }
    (!quoted).then(|| text.trim_end().to_owned())
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
        for harmless in
            ["[core]\nfsmonitor = true", "[core]\nfsmonitor", "[alias]\nco = checkout", "[color]\nui = auto"]
        {
            assert_eq!(program_in(harmless), None, "{harmless}");
        }
    }

    #[test]
    fn a_setting_that_names_a_program_is_found_however_it_is_written() {
        for (config, expected) in [
            ("[core]\nfsmonitor = ./x", "core.fsmonitor"),
            ("[core] fsmonitor=./x", "core.fsmonitor"),
            ("[CORE]\nFSMonitor = \"./x\" # y", "core.fsmonitor"),
            ("[core]\nfsmon\\\nitor = x", "core.fsmonitor"),
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
            ("fsmonitor = x", "its settings cannot be read"),
            ("[core\nfsmonitor = x", "its settings cannot be read"),
            ("[core]\nx = \"open", "its settings cannot be read"),
            ("[core]\n\u{feff}fsmonitor = x", "its settings cannot be read"),
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
    }
}
