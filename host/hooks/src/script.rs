//! The programs and files that a command names: whether they can be started, and which belong to the project.
//!
//! A command line is read by its words, not by the grammar of a shell: this finds what people usually write, and stays silent
//! about what only a shell can know, such as a variable.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::environment::filled;
use crate::problem::Problem;
use crate::settings::Command;

/// Programs that read a script.
const INTERPRETERS: &[&str] = &[
    "bash", "bun", "dash", "deno", "fish", "node", "npx", "perl", "php", "python", "python3", "ruby", "sh", "tsx",
    "uv", "zsh",
];
/// Options with which an interpreter reads no script.
const WITHOUT_SCRIPT: &[&str] = &["-c", "-e", "-m", "-p", "--eval", "--print"];
/// How the files of scripts end.
const SCRIPTS: &[&str] = &[".bash", ".cjs", ".js", ".mjs", ".php", ".pl", ".py", ".rb", ".sh", ".ts", ".zsh"];
/// Words of the shell itself.
const BUILTINS: &[&str] = &[
    "!", ".", ":", "[", "[[", "builtin", "case", "cd", "command", "echo", "eval", "exec", "exit", "export", "false",
    "for", "if", "printf", "read", "set", "source", "test", "time", "trap", "true", "type", "ulimit", "umask", "unset",
    "until", "wait", "while", "{", "(",
];

/// What is looked up on the disk.
pub trait Disk {
    /// Returns what there is at an absolute path; `None` if there is no file.
    fn file(&self, path: &Path) -> Option<File>;
    /// Returns whether a folder of PATH has an executable of that name.
    fn is_on_path(&self, name: &str) -> bool;
}

/// What is known of a file on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File {
    /// It may be executed.
    pub is_executable: bool,
    /// It is text that does not begin with `#!`.
    pub is_bare_text: bool,
}

/// What paths in a command refer to.
#[derive(Debug, Clone, Copy)]
pub struct Roots<'a> {
    /// The project's folder, in which hooks run.
    pub project: &'a Path,
    /// The user's home directory.
    pub home: Option<&'a Path>,
}

/// Returns what keeps a command from being started.
pub fn check(command: &Command, roots: Roots<'_>, disk: &dyn Disk) -> Vec<Problem> {
    let words = match &command.args {
        Some(args) => std::iter::once(&command.line).chain(args).map(|word| filled(word, roots.project)).collect(),
        None => first_command(&command.line),
    };
    let with_shell = command.args.is_none();
    let Some((program, arguments)) = words.split_first() else { return Vec::new() };
    let Some(program) = roots.expand(program).filter(|program| !with_shell || !BUILTINS.contains(&program.as_str()))
    else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    if program.contains('/') {
        problems.extend(executable(&program, roots, disk, with_shell));
    } else if !disk.is_on_path(&program) {
        problems.push(Problem::NotOnPath { name: program.clone() });
    }
    let name = program.rsplit('/').next().unwrap_or_default();
    if INTERPRETERS.contains(&name)
        && !arguments.iter().any(|word| WITHOUT_SCRIPT.contains(&word.as_str()))
        && let Some(script) = arguments.iter().find(|word| SCRIPTS.iter().any(|end| word.ends_with(end)))
        && let Some(script) = roots.expand(script)
    {
        problems.extend(relative(&script));
        if disk.file(&roots.project.join(&script)).is_none() {
            problems.push(Problem::NotFound { path: script });
        }
    }
    problems
}

/// Returns the paths below the project that a command names, whether there are files or not.
pub fn project_files(command: &Command, roots: Roots<'_>) -> BTreeSet<PathBuf> {
    let line = std::iter::once(&command.line).chain(command.args.iter().flatten());
    let mut words: Vec<String> = Vec::new();
    for text in line {
        words.extend(shell_words::split(text).unwrap_or_default());
        words.extend(text.split(|c: char| c.is_whitespace() || "\"'`;|&<>()=,".contains(c)).map(str::to_owned));
    }
    let paths =
        words.iter().filter(|word| !word.is_empty() && !word.starts_with('-')).filter_map(|word| roots.expand(word));
    let below = paths.filter_map(|path| {
        let path = normal(&roots.project.join(path));
        let rest = path.strip_prefix(roots.project).ok()?;
        (!rest.as_os_str().is_empty()).then(|| rest.to_owned())
    });
    below.collect()
}

fn executable(program: &str, roots: Roots<'_>, disk: &dyn Disk, with_shell: bool) -> Vec<Problem> {
    let mut problems: Vec<Problem> = relative(program).into_iter().collect();
    let path = || program.to_owned();
    match disk.file(&roots.project.join(program)) {
        None => problems.push(Problem::NotFound { path: path() }),
        Some(file) if !file.is_executable => problems.push(Problem::NotExecutable { path: path() }),
        Some(file) if file.is_bare_text && !with_shell => problems.push(Problem::NoInterpreter { path: path() }),
        Some(_) => {}
    }
    problems
}

fn relative(path: &str) -> Option<Problem> {
    let plain = path.strip_prefix("./").unwrap_or(path);
    (!path.starts_with('/')).then(|| Problem::RelativePath { path: plain.to_owned() })
}

/// Returns the words of the first simple command of a line, without the variables that it sets.
fn first_command(line: &str) -> Vec<String> {
    let Ok(words) = shell_words::split(line) else { return Vec::new() };
    let is_end = |word: &String| matches!(word.as_str(), "&&" | "||" | "|" | ";" | "&") || word.starts_with(['>', '<']);
    let is_set = |word: &String| {
        word.split_once('=')
            .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    };
    let mut words: Vec<String> = words.into_iter().skip_while(is_set).take_while(|word| !is_end(word)).collect();
    if let Some(last) = words.last_mut() {
        // `cd x; y`: the separator sticks to the word before.
        *last = last.trim_end_matches(';').to_owned();
    }
    words
}

impl Roots<'_> {
    /// Returns a word with the folders filled in; `None` if only a shell knows what it becomes.
    fn expand(&self, word: &str) -> Option<String> {
        let home = self.home.map(|home| home.to_string_lossy().into_owned());
        let mut word = filled(word, self.project).replace("$CLAUDE_PROJECT_DIR", &self.project.to_string_lossy());
        if let Some(home) = home {
            word = word.replace("${HOME}", &home).replace("$HOME", &home);
            if let Some(rest) = word.strip_prefix("~/") {
                word = format!("{home}/{rest}");
            }
        }
        (!word.is_empty() && !word.contains(['$', '`', '*', '?', '(', '\n', '\0'])).then_some(word)
    }
}

/// Returns a path without `.` and `..`, by its text alone.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    struct FakeDisk;

    impl Disk for FakeDisk {
        fn file(&self, path: &Path) -> Option<File> {
            let path = path.to_str()?;
            path.starts_with("/p/.claude/hooks/").then_some(())?;
            let name = path.rsplit('/').next()?;
            (!name.starts_with("missing"))
                .then(|| File { is_executable: !name.starts_with("plain"), is_bare_text: name.starts_with("bare") })
        }

        fn is_on_path(&self, name: &str) -> bool {
            matches!(name, "python3" | "jq" | "npx" | "bash" | "node" | "uv")
        }
    }

    fn command(line: &str, args: Option<&[&str]>) -> Command {
        let args = args.map(|args| args.iter().map(|arg| (*arg).to_owned()).collect());
        Command { line: line.to_owned(), args, shell: "sh" }
    }

    fn roots() -> Roots<'static> {
        Roots { project: Path::new("/p"), home: None }
    }

    fn found(line: &str, args: Option<&[&str]>) -> String {
        let problems = check(&command(line, args), roots(), &FakeDisk);
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn what_cannot_be_started_is_said_before_it_is_run() {
        for (line, problem) in [
            ("\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/check.sh", ""),
            ("${CLAUDE_PROJECT_DIR}/.claude/hooks/check.sh --fast", ""),
            ("$CLAUDE_PROJECT_DIR/.claude/hooks/missing.sh", "/p/.claude/hooks/missing.sh does not exist"),
            (
                "$CLAUDE_PROJECT_DIR/.claude/hooks/plain.sh",
                "/p/.claude/hooks/plain.sh is not executable; run `chmod +x` on it",
            ),
            ("python3 $CLAUDE_PROJECT_DIR/.claude/hooks/plain.py", ""),
            ("uv run $CLAUDE_PROJECT_DIR/.claude/hooks/missing.py", "/p/.claude/hooks/missing.py does not exist"),
            (
                "bash .claude/hooks/check.sh",
                ".claude/hooks/check.sh is relative: it is found only while the session works in the project's folder; \
                 write \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/check.sh",
            ),
            ("nosuch --flag", "no program nosuch is found in PATH"),
            ("LEVEL=1 jq -r .tool_name", ""),
            ("jq -r '.x' | nosuch", ""),
            ("echo hi >> /tmp/log", ""),
            ("if [ -f x ]; then y; fi", ""),
            ("$UNKNOWN/x.sh", ""),
            ("python3 -c 'import x.py'", ""),
            ("it's broken", ""),
        ] {
            assert_eq!(found(line, None), problem, "{line}");
        }
    }

    #[test]
    fn without_a_shell_a_script_has_to_say_what_reads_it() {
        let path = "${CLAUDE_PROJECT_DIR}/.claude/hooks/bare.sh";
        assert!(found(path, Some(&[])).contains("does not begin with #!"));
        assert_eq!(found(path, None), "");
        assert_eq!(
            found("node", Some(&["${CLAUDE_PROJECT_DIR}/.claude/hooks/missing.js"])),
            "/p/.claude/hooks/missing.js does not exist"
        );
    }

    #[test]
    fn the_files_of_the_project_are_found_however_they_are_written() {
        for (line, files) in [
            ("\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/a.sh", vec![".claude/hooks/a.sh"]),
            ("cd /x && ./scripts/b.sh", vec!["scripts/b.sh"]),
            ("bash -c 'source ./lib/c.sh; d'", vec!["lib/c.sh"]),
            ("python3 /p/tools/e.py --out=/tmp/x", vec!["tools/e.py"]),
            ("/p/../p/f.sh", vec!["f.sh"]),
            ("/usr/bin/notify-send hi", vec![]),
        ] {
            let found = project_files(&command(line, None), roots());
            for file in files {
                assert!(found.contains(Path::new(file)), "{line}: {found:?}");
            }
            assert!(found.iter().all(|path| path.is_relative()));
        }
    }
}
