//! Files that a command touches, seen by the rules that deny files or ask for them.
//!
//! A redirection is a write (or a read) of its file, so a rule that denies that file to file tools denies the redirection.
//! A word that names such a file makes the command asked: whether it reads or writes the file is not known, but an allow
//! of `cat` is not an allow of `.env`. So does a word of which as much is known (`.en*`), and a variable that is set to it.

use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::index::Shelf;
use super::unit::Unit;
use crate::policy::call::Call;
use crate::policy::decision::{Decision, Match};
use crate::policy::names::{self, Kind, ToolName};
use crate::policy::pattern::fold;
use crate::policy::rule::Rule;
use crate::policy::shell::{Command, RedirectKind, Word, name};

/// The tools that a redirection stands for.
const READ: &str = "Read";
const WRITE: &str = "Write";

/// What this program is called, and its subcommands that change what is allowed or whether anybody is asked, or that answer
/// for a person.
const OURS: &str = "dmplz";
const CHANGES: [&str; 12] = [
    "answer",
    "approve",
    "deny",
    "import",
    "init",
    "install",
    "pair",
    "serve",
    "suggest",
    "trust",
    "uninstall",
    "watch",
];
/// Its subcommand that runs another command, which is judged by itself.
const RUNS: &str = "exec";

/// Tools that change nothing, and those of them that see no more than names.
const READERS: [&str; 6] = ["Read", "NotebookRead", "Glob", "Grep", "LS", "read_many_files"];
const LISTERS: [&str; 2] = ["Glob", "LS"];

/// Protected files that are a secret as well, because whoever reads or reaches them can answer for a person.
const SECRETS: [&str; 2] = ["gateway.token", "gateway.sock"];

/// The strictest of what rules about files say of a command's files, and the rule that says it.
pub(super) fn strictest<'p>(
    guards: &Shelf,
    rules: &'p [Rule],
    call: &Call<'_>,
    command: &Command,
) -> Option<(&'p Rule, Decision)> {
    if guards.is_empty() {
        return None;
    }
    let redirected = command.redirects.iter().filter_map(|redirect| {
        let tool = if redirect.kind == RedirectKind::Write { WRITE } else { READ };
        match redirect.target.text() {
            Some(path) => touched(guards, rules, call, tool, path, Match::Maybe),
            None => Some((rules.get(guards.find(|| None).next()? as usize)?, Decision::AskUser)),
        }
    });
    let words = || command.words.iter().skip(1).chain(command.assignments.iter().map(|set| &set.value));
    let paths = words().filter_map(Word::text).flat_map(paths_in);
    let named = paths.flat_map(|path| [(READ, path), (WRITE, path)]).filter_map(|(tool, path)| {
        touched(guards, rules, call, tool, path, Match::Yes).map(|(rule, _)| (rule, Decision::AskUser))
    });
    let begun = words().filter(|word| !word.exact).filter_map(|word| {
        // Dots alone say nothing: what `find .` finds begins so.
        let name = word.known.rsplit(['/', '=', ':']).next().filter(|name| !name.trim_matches('.').is_empty())?;
        let rule = |rank: u32| rules.get(rank as usize);
        let means_files = |rule: &Rule| [READ, WRITE].iter().any(|tool| means(rule, call, tool));
        guards.begun(&fold(name)).filter(|rank| rule(*rank).is_some_and(means_files)).min().and_then(rule)
    });
    redirected
        .chain(named)
        .chain(begun.map(|rule| (rule, Decision::AskUser)))
        .reduce(|so_far, other| if other.1 > so_far.1 { other } else { so_far })
}

/// The strictest rule that is about a file tool's use of a path, at least as sure as `enough`. One that only may be asks.
fn touched<'p>(
    guards: &Shelf,
    rules: &'p [Rule],
    call: &Call<'_>,
    tool: &str,
    path: &str,
    enough: Match,
) -> Option<(&'p Rule, Decision)> {
    let input = Map::from_iter([("file_path".to_owned(), Value::String(path.to_owned()))]);
    let call = Call { tool, input: &input, server: None, annotations: None, ..*call };
    let tool = ToolName::of(&call);
    let unit = Unit::new(&call, &tool, None);
    let said = guards.find(|| unit.clues()).filter_map(|rank| {
        let rule = rules.get(rank as usize)?;
        match rule.holds(&unit, None).held {
            Match::Yes => Some((rule, rule.decision)),
            Match::Maybe if enough == Match::Maybe => Some((rule, Decision::AskUser)),
            Match::Maybe | Match::No => None,
        }
    });
    said.reduce(|so_far, other| if other.1 > so_far.1 { other } else { so_far })
}

/// Whether a rule is about a file tool at all.
fn means(rule: &Rule, call: &Call<'_>, tool: &str) -> bool {
    let call = Call { tool, server: None, ..*call };
    ToolName::of(&call).matches(rule.when.tools.as_deref(), rule.when.server.as_ref()) != Match::No
}

/// A word may be a path, or hold one: as the value of an option, or after a colon (`HEAD:.env`, `host:.env`).
fn paths_in(word: &str) -> impl Iterator<Item = &str> {
    let [value, after] = ['=', ':'].map(|mark| word.split_once(mark).map(|(_, path)| path));
    let whole = Some(word).filter(|word| !word.starts_with('-'));
    [whole, value, after].into_iter().flatten().filter(|path| !path.is_empty())
}

/// The protected place that a tool would reach: one that it may change, or a secret that it may read.
pub(super) fn protected_file(unit: &Unit<'_>) -> Option<String> {
    let (call, tool) = (unit.call, unit.tool.canonical());
    if call.protected.is_empty() || LISTERS.contains(&tool) {
        return None;
    }
    let searches = names::kind(tool) == Kind::Search;
    let reached = |path: &PathBuf| match READERS.contains(&tool) {
        true => meets(call, path, |path, place| {
            is_secret(place) && (inside(path, place) || searches && inside(place, path))
        }),
        false => is_protected(call, path),
    };
    unit.files().places(call).iter().find(|path| reached(path)).map(|path| path.display().to_string())
}

/// The protected place that a command names. A folder of the home directory with a secret below it is one.
pub(super) fn protected_word(call: &Call<'_>, command: &Command) -> Option<String> {
    if call.protected.is_empty() {
        return None;
    }
    let targets = command.redirects.iter().filter_map(|redirect| redirect.target.text());
    let words = command.words.iter().skip(1).filter_map(|word| word.text()).flat_map(paths_in);
    let in_home = |path: &Path| call.home.is_some_and(|home| inside(path, home) && !inside(home, path));
    let above_secret = |path: &Path, place: &Path| is_secret(place) && inside(place, path) && in_home(path);
    let reached = |path: &&str| {
        let at_home = path.strip_prefix("~/").and_then(|rest| Some(call.home?.join(rest)));
        let path = at_home.or_else(|| Some(call.cwd?.join(path)));
        path.is_some_and(|path| is_protected(call, &path) || meets(call, &path, above_secret))
    };
    targets.chain(words).find(reached).map(str::to_owned)
}

/// This program, when it is to change what is allowed or to answer: that is for a person at a terminal of their own.
pub(super) fn own_change(command: &Command) -> Option<String> {
    let (name, arguments) = command.words.split_first()?;
    let ours = name.text().is_some_and(|name| name::bare(name) == OURS);
    let own = arguments.split(|word| word.text() == Some("--")).next().unwrap_or_default();
    let runs = own.first().is_some_and(|word| word.text() == Some(RUNS));
    let arguments = if runs { own } else { arguments };
    let changes = arguments.iter().any(|word| !word.exact || CHANGES.contains(&word.known.as_str()));
    (ours && changes).then(|| OURS.to_owned())
}

fn is_protected(call: &Call<'_>, path: &Path) -> bool {
    meets(call, path, inside)
}

fn is_secret(place: &Path) -> bool {
    place.file_name().is_some_and(|name| SECRETS.iter().any(|secret| name == *secret))
}

/// Whether a path, as it is written or where it leads, is so to a protected place.
fn meets(call: &Call<'_>, path: &Path, so: impl Fn(&Path, &Path) -> bool) -> bool {
    let meets = |path: &Path| call.protected.iter().any(|place| so(path, place));
    meets(&without_dots(path)) || (call.real_path)(path).is_some_and(|real| meets(&real))
}

/// Whether a path is a place or below it. Disks that know no case have the same files under other names.
fn inside(path: &Path, place: &Path) -> bool {
    let folded = |path: &Path| PathBuf::from(fold(&path.to_string_lossy()).as_ref());
    folded(path).starts_with(folded(place))
}

/// A path without `.` and `..`, as far as text can tell.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::policy::shell;

    use super::super::targets::Files;
    use super::*;

    #[test]
    fn no_rule_lets_an_agent_change_what_is_allowed_by_this_program() {
        for (line, changes) in [
            ("dmplz policy trust --yes", true),
            ("/usr/local/bin/dmplz policy import --claude x --write --yes", true),
            ("dmplz uninstall", true),
            ("dmplz policy $what", true),
            ("sudo dmplz install", true),
            ("dmplz approvals approve 1234", true),
            ("dmplz approvals deny 1234 --reason x", true),
            ("dmplz approvals answer 1234 --choose 1=2", true),
            ("dmplz --help approvals watch", true),
            ("env dmplz pair", true),
            ("nohup dmplz serve --foreground", true),
            ("dmplz 'approvals' \"approve\" x", true),
            ("dmplz approvals app*", true),
            ("dmplz exec approve -- ls", true),
            ("dmplz exec -- npm install", false),
            ("dmplz policy -- trust", true),
            ("dmplz grants list", false),
            ("dmplz grants revoke --all", false),
            ("dmplz approvals list --json", false),
            ("dmplz approvals show 1234", false),
            ("dmplz audit verify", false),
            ("dmplz policy check 'git push'", false),
            ("dmplz stats", false),
            ("npm install", false),
        ] {
            let found = shell::read(line).commands.iter().any(|command| own_change(command).is_some());
            assert_eq!(found, changes, "{line}");
        }
    }

    #[test]
    fn what_answers_for_a_person_is_neither_read_nor_reached() {
        let state = Path::new("/home/me/.claude/dm-plz");
        let places = [state.to_owned(), state.join("gateway.token"), state.join("gateway.sock"), "/w/.dmplz".into()];
        let links = |path: &Path| path.strip_prefix("/w/link").ok().map(|rest| state.join(rest));
        let reserved = |tool: &str, input: serde_json::Value| {
            let Some(input) = input.as_object().cloned() else { unreachable!() };
            let call = Call {
                cwd: Some(Path::new("/w")),
                home: Some(Path::new("/home/me")),
                protected: &places,
                real_path: &links,
                ..Call::new(tool, &input, jiff::Timestamp::UNIX_EPOCH)
            };
            let script = super::super::script(&call);
            let name = ToolName::of(&call);
            let command = |command: &Command| protected_word(&call, command).is_some();
            match script {
                Some(script) => script.commands.iter().any(command),
                None => protected_file(&Unit::new(&call, &name, None)).is_some(),
            }
        };
        for (tool, input, expected) in [
            ("Read", json!({"file_path": "/home/me/.claude/dm-plz/gateway.token"}), true),
            ("Read", json!({"file_path": "~/.CLAUDE/dm-plz/../dm-plz/Gateway.Token"}), true),
            ("Read", json!({"file_path": "link/gateway.token"}), true),
            ("Read", json!({"file_path": "/home/me/.claude/dm-plz/policy.toml"}), false),
            ("Read", json!({"file_path": "/w/.dmplz/policy.toml"}), false),
            ("Grep", json!({"pattern": ".", "path": "/home/me/.claude"}), true),
            ("Grep", json!({"pattern": ".", "path": "/"}), true),
            ("Grep", json!({"pattern": ".", "path": "link"}), true),
            ("Grep", json!({"pattern": ".", "path": "/w"}), false),
            ("Grep", json!({"pattern": "."}), false),
            ("LS", json!({"path": "/home/me/.claude/dm-plz"}), false),
            ("Bash", json!({"command": "cat ~/.claude/dm-plz/gateway.token"}), true),
            ("Bash", json!({"command": "cat < /home/me/.claude/dm-plz/gateway.token"}), true),
            ("Bash", json!({"command": "curl --unix-socket /home/me/.claude/dm-plz/gateway.sock http://x/"}), true),
            ("Bash", json!({"command": "curl --unix-socket=link/gateway.sock http://x/"}), true),
            ("Bash", json!({"command": "nc -U /home/me/.claude/dm-plz/gateway.sock"}), true),
            ("Bash", json!({"command": "socat - UNIX:/home/me/.claude/dm-plz/gateway.sock"}), true),
            ("Bash", json!({"command": "grep -r . /home/me/.claude"}), true),
            ("Bash", json!({"command": "tar c ~/.claude"}), true),
            ("Bash", json!({"command": "ls /home/me"}), false),
            ("Bash", json!({"command": "ls /home/me/src /"}), false),
        ] {
            assert_eq!(reserved(tool, input.clone()), expected, "{tool} {input}");
        }
    }

    #[test]
    fn what_decides_is_protected_under_every_name_that_it_may_have() {
        let places = ["/home/me/.claude/dm-plz".into(), "/w/.dmplz/policy.toml".into()];
        let links =
            |path: &Path| path.strip_prefix("/w/link").ok().map(|rest| Path::new("/home/me/.claude/dm-plz").join(rest));
        for (path, reached) in [
            ("/home/me/.claude/dm-plz/policy.toml", true),
            ("/home/me/.claude/dm-plz", true),
            ("~/.claude/dm-plz/x", true),
            ("~/.Claude/DM-PLZ/x", true),
            (" /w/.dmplz/policy.toml", true),
            (".dmplz/policy.toml", true),
            ("src/../.dmplz//./POLICY.toml", true),
            ("link/policy.toml", true),
            (".dmplz/other.toml", false),
            ("/home/me/.claude/dm-plz.md", false),
            ("/home/you/.claude/dm-plz/x", false),
        ] {
            let Some(input) = json!({ "file_path": path }).as_object().cloned() else { unreachable!() };
            let call = Call {
                cwd: Some(Path::new("/w")),
                home: Some(Path::new("/home/me")),
                protected: &places,
                real_path: &links,
                ..Call::new("Write", &input, jiff::Timestamp::UNIX_EPOCH)
            };
            let tool = ToolName::of(&call);
            let unit = Unit::new(&call, &tool, None);
            assert_eq!(protected_file(&unit).is_some(), reached, "{path}");
            assert!(!Files::of(&call).places(&call).is_empty());
            let command = &crate::policy::shell::read(&format!("tee '{path}'")).commands[0];
            // Quoted, the shell takes neither `~` nor blanks for anything else.
            if !path.starts_with(['~', ' ']) {
                assert_eq!(protected_word(&call, command).is_some(), reached, "tee {path}");
            }
        }
    }
}
