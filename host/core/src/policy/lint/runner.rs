//! Commands that run, start or fetch anything: an allow of one of them is an allow of what it is given.

use super::{Concern, Warn};
use crate::policy::rule::{Arguments, Rule};
use crate::policy::{Decision, Match};

/// What a command does with its arguments.
struct Runner {
    /// With `|` between them.
    names: &'static str,
    /// Read after "allows `x`, ".
    does: &'static str,
    hint: &'static str,
}

const RUNNERS: &[Runner] = &[
    Runner {
        names: "python|python2|python3|pypy|pypy3|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|irb|php|lua\
                |luajit|Rscript|julia|osascript|tclsh|expect|groovy|jshell|elixir|iex|swift|racket|guile\
                |sbcl|ghci|runghc|awk|gawk|mawk|nawk|emacs|vim|vi|nvim|ed|ex|gdb|lldb|sqlite3|psql|mysql",
        does: "an interpreter, with any code",
        hint: "name what it may run, as in `python -m pytest`",
    },
    Runner {
        names: "bash|sh|zsh|dash|ksh|ash|fish|csh|tcsh|nu|pwsh|powershell|cmd|busybox|toybox|source|.|eval",
        does: "a shell, with any script",
        hint: "name the script, as in `bash scripts/check.sh`, or allow the commands that it runs",
    },
    Runner {
        names: "sudo|doas|su|runuser|pkexec|xargs|parallel|ssh|watch|chroot|nsenter|unshare|systemd-run\
                |flock|at|batch|crontab|entr|script|tmux|screen|docker|podman|docker run|docker exec\
                |podman run|podman exec|docker compose run|docker compose exec|kubectl|kubectl exec\
                |kubectl run|nix-shell|nix run|nix develop|nix shell|uv run|poetry run|pdm run|hatch run\
                |pipenv run|conda run|mamba run|bundle exec|npm exec|npm x|pnpm exec|yarn exec|mise exec\
                |mise x|direnv exec|dotenv",
        does: "which starts any other command",
        hint: "name what it may start, as in `uv run pytest`",
    },
    Runner {
        names: "curl|wget|aria2c|http|https|xh|scp|sftp|rsync|rclone|ftp|lftp|tftp|nc|ncat|netcat|socat\
                |telnet",
        does: "which fetches from anywhere and sends anywhere",
        hint: "let it ask, or allow the web tool for some `domains`",
    },
    Runner {
        names: "npx|bunx|pnpx|uvx|pipx|pipx run|pnpm dlx|yarn dlx|bun x|npm init|npm create|uv tool run\
                |deno run|go run|cargo install|go install|dlx",
        does: "which downloads and runs any package",
        hint: "name the package, as in `npx prettier`",
    },
];

/// Looks at what an allow by prefix or expression lets run.
pub(super) fn look(rule: &Rule, warn: &mut Warn<'_>) {
    if rule.decision != Decision::Allow {
        return;
    }
    let mut told = |shown: &str, runner: &Runner| {
        warn(Concern::Runner, format!("it allows `{shown}`, {}", runner.does), runner.hint.to_owned());
    };
    match &rule.when.arguments {
        Arguments::Prefixes(prefixes) => {
            for words in prefixes {
                if let Some(runner) = runner_of(words) {
                    told(&words.join(" "), runner);
                }
            }
        }
        Arguments::Command(pattern) if pattern.may_start("") != Match::Yes => {
            // That it matches whatever follows.
            let open = |name: &&str| pattern.may_start(&format!("{name} ")) == Match::Yes;
            let first = |runner: &'static Runner| Some((runner, runner.names.split('|').find(open)?));
            if let Some((runner, name)) = RUNNERS.iter().find_map(first) {
                told(name, runner);
            }
        }
        _ => {}
    }
}

/// The runner that a prefix begins with, unless it goes on to say what to run.
fn runner_of(words: &[String]) -> Option<&'static Runner> {
    let (first, rest) = words.split_first().filter(|_| !only_tells(words))?;
    let line = std::iter::once(base(first)).chain(rest.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    let open = |name: &str| {
        let rest = line.strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        rest.is_some_and(|rest| rest.split_whitespace().all(|word| word.starts_with('-')))
    };
    RUNNERS.iter().find(|runner| runner.names.split('|').any(open))
}

/// `--version` and `--help` run nothing.
fn only_tells(words: &[String]) -> bool {
    let node = words.first().is_some_and(|word| base(word) == "node");
    words.iter().any(|word| matches!(word.as_str(), "--version" | "--help" | "-V") || (node && word == "-v"))
}

/// The name without its folder and its version: `/usr/bin/python3.12` is `python`.
fn base(word: &str) -> &str {
    let name = word.rsplit('/').next().unwrap_or(word);
    let bare = name.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    if bare == "python" || bare == "pypy" { bare } else { name }
}
