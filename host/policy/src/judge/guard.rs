//! Applies the rules that deny or ask about files to the files that a command touches.
//!
//! A redirection is a write (or a read) of its file, so a rule that denies the file to file tools denies the
//! redirection. A word that names such a file makes the command asked: it is not known whether the command reads or
//! writes the file, but an allow of `cat` is not an allow of `.env`. The same holds for a partly known word (`.en*`)
//! that may name it (`spelled`), and for a variable that is set to it. A folder whose files a command
//! uses is such a word too: `rg x secrets` is asked where `secrets/**` is denied, and `ls secrets` is not; and so is where a link
//! leads through which a folder is read or written (`zcat -r`, `cp -r a/. b`).
//!
//! After a `cd` a relative word is judged as written and in each folder where the command may run. Where such a folder is not known,
//! a file of it may be any file, so that a rule about a path with a folder asks about every relative one. A rule about a name alone
//! (`**/.env`) is found by the name there.

mod spelled;

use std::path::Path;

use serde_json::{Map, Value};

use super::Policy;
use super::condition::anchors;
use super::protection::{SEPARATORS, links};
use super::unit::Unit;
use crate::call::Call;
use crate::call::paths::{self, Source};
use crate::call::targets;
use crate::call::tool_name::ToolName;
use crate::places::{Spot, Use};
use crate::programs::{self, Touched};
use crate::rules::decision::{Decision, Match};
use crate::rules::pattern::fold;
use crate::rules::rule::Rule;
use crate::shell::{Command, Part, RedirectKind, Word, name};

/// The file tools that a redirection corresponds to.
const READ: &str = "Read";
const WRITE: &str = "Write";

/// The name of this program, and its subcommands that no rule allows: those that change what is allowed, whether
/// anybody is asked, or which provider is used; that answer for a person; that start or control a session; that ask a server which the
/// environment may name; and that copy or change the gateway's database, because a copy contains open requests unmasked.
const OURS: &str = "dmplz";
const CHANGES: &[&str] = &[
    "add", "answer", "approve", "backup", "deny", "dev", "import", "init", "install", "invite", "keeper", "mode",
    "model", "pair", "prune", "remove", "restore", "resume", "run", "search", "send", "serve", "setup", "suggest",
    "trust", "try", "uninstall", "update", "watch",
];
/// The beginning of a reference to a registry, which is asked with the logins of the user.
const REGISTRY: &str = "oci://";
/// The subcommand that runs another command, which is judged by itself.
const RUNS: &str = "exec";

impl Policy {
    /// Returns the strictest decision of rules about files on a command's files, and its rule.
    pub(super) fn guarded(&self, call: &Call<'_>, command: &Command) -> Option<(&Rule, Decision)> {
        let guards = &self.index.guards;
        if guards.is_empty() {
            return None;
        }
        let begun = words(command).filter(|word| !word.exact).filter_map(|word| {
            // A word of dots alone says nothing: every path that `find .` prints begins with one.
            let name = word.known.rsplit(|sign: char| sign == '/' || SEPARATORS.contains(&sign)).next();
            let name = name.filter(|name| !name.trim_matches('.').is_empty())?;
            guards
                .begun(&fold(name))
                .filter(|rank| self.ranked(*rank).is_some_and(|rule| means_files(rule, call)))
                .min()
        });
        let begun = begun.filter_map(|rank| Some((self.ranked(rank)?, Decision::AskUser)));
        let touched = programs::touched(command);
        let here = self.guarded_in(None, call, command, &touched);
        let entered = self.guarded_where_it_runs(call, command, &touched);
        let reached = self.reached(call, command, &touched).map(|rule| (rule, Decision::AskUser));
        let linked = self.linked(call, command, &touched);
        let targets = command.redirects.iter().map(|redirect| &redirect.target);
        let mut named = words(command).chain(targets);
        let remembered = named.find(|word| is_remembered(word)).and_then(|_| self.first_with_folder(call));
        here.into_iter()
            .chain(entered)
            .chain(begun)
            .chain(reached)
            .chain(linked)
            .chain(remembered)
            .max_by_key(|(_, decision)| *decision)
    }

    /// Returns the rule about a file in a folder that a command uses with everything below, such as `mv config c` where
    /// `config/prod.json` is denied, or about a file that a glob may match, as `cat conf*/prod.json`.
    fn reached(&self, call: &Call<'_>, command: &Command, touched: &[Touched<'_>]) -> Option<&Rule> {
        let mut rules = self.index.guards.with_folder().filter_map(|rank| self.ranked(rank)).peekable();
        rules.peek()?;
        let source = Source::of(call, command);
        let is_used = |rule: &Rule| touched.iter().any(|touched| may_reach(touched, rule, &source, call));
        rules.find(|rule| means_files(rule, call) && is_used(rule))
    }

    /// Decides on what is behind the links that a command reads or writes through.
    fn linked(&self, call: &Call<'_>, command: &Command, touched: &[Touched<'_>]) -> Option<(&Rule, Decision)> {
        let mut through = touched.iter().filter(|touched| touched.through).peekable();
        through.peek()?;
        let source = Source::of(call, command);
        through.find_map(|touched| match links::targets(touched, call, &source) {
            None => self.first_with_folder(call),
            Some(targets) => targets.iter().find_map(|target| {
                let path = target.to_string_lossy();
                let below = format!("{path}/{}", spelled::UNKNOWN);
                [&*path, &below]
                    .into_iter()
                    .find_map(|path| self.named(call, path))
                    .map(|rule| (rule, Decision::AskUser))
            }),
        })
    }

    /// Decides on the files of a command in each folder that the line enters.
    fn guarded_where_it_runs(
        &self,
        call: &Call<'_>,
        command: &Command,
        touched: &[Touched<'_>],
    ) -> Option<(&Rule, Decision)> {
        if !command.moved && targets::command_folder(call).is_none() {
            return None;
        }
        let source = Source::of(call, command);
        let is_certain = source.is_known() && source.paths().count() == 1;
        let known = source.paths().filter_map(|folder| self.guarded_in(Some(folder), call, command, touched));
        let known = known.map(|(rule, decision)| (rule, if is_certain { decision } else { Decision::AskUser }));
        let unknown = || (!source.is_known()).then(|| self.guarded_anywhere(call, command, touched)).flatten();
        known.max_by_key(|(_, decision)| *decision).or_else(unknown)
    }

    /// Decides on the files of a command in a folder, or as they are written.
    fn guarded_in(
        &self,
        folder: Option<&Path>,
        call: &Call<'_>,
        command: &Command,
        touched: &[Touched<'_>],
    ) -> Option<(&Rule, Decision)> {
        let guards = &self.index.guards;
        let here = Call { cwd: folder.or(call.cwd), ..*call };
        let located = |path: &str| match folder {
            // The home directory is the same everywhere.
            Some(folder) if !path.starts_with('~') => folder.join(path).to_string_lossy().into_owned(),
            _ => path.to_owned(),
        };
        let redirected = command.redirects.iter().filter_map(|redirect| {
            let tool = if redirect.kind == RedirectKind::Write { WRITE } else { READ };
            match redirect.target.text() {
                Some(path) => self.touched(call, tool, &located(path), Match::Maybe),
                None => Some((self.ranked(guards.find(|| None).next()?)?, Decision::AskUser)),
            }
        });
        let named = |path: &str| self.named(call, &located(path));
        let texts = words(command).filter_map(Word::text).flat_map(paths_in).filter_map(named);
        let used = touched.iter().filter(|touched| touched.how != Use::Names && !touched.own);
        let in_folders = used.filter_map(|touched| named(&format!("{}/{}", touched.word.text()?, spelled::UNKNOWN)));
        let shapes = words(command).filter_map(|word| word.shapes.as_deref()).flatten();
        let spelled = shapes.filter_map(|shape| {
            let paths = spelled::paths(shape, &here, guards.names());
            paths.iter().flat_map(|path| paths_in(path)).find_map(named)
        });
        let asked = texts.chain(in_folders).chain(spelled).map(|rule| (rule, Decision::AskUser));
        redirected.chain(asked).max_by_key(|(_, decision)| *decision)
    }

    /// Returns the first rule about a path with a folder, if a command uses a file of the folder where it runs, which is not known.
    fn guarded_anywhere(
        &self,
        call: &Call<'_>,
        command: &Command,
        touched: &[Touched<'_>],
    ) -> Option<(&Rule, Decision)> {
        let is_fixed = |word: &Word| word.known.starts_with(['/', '~']) || word.text() == Some("-");
        let redirected = command.redirects.iter().any(|redirect| !is_fixed(&redirect.target));
        if !redirected && touched.iter().all(|touched| touched.own || is_fixed(&touched.word)) {
            return None;
        }
        self.first_with_folder(call)
    }

    /// Returns the first rule about a path with a folder, which a file of a folder that is not known may be.
    fn first_with_folder(&self, call: &Call<'_>) -> Option<(&Rule, Decision)> {
        let mut rules = self.index.guards.with_folder().filter_map(|rank| self.ranked(rank));
        Some((rules.find(|rule| means_files(rule, call))?, Decision::AskUser))
    }

    fn ranked(&self, rank: u32) -> Option<&Rule> {
        self.rules.get(rank as usize)
    }

    /// Returns the rule about reading or writing a path.
    fn named(&self, call: &Call<'_>, path: &str) -> Option<&Rule> {
        [READ, WRITE].into_iter().find_map(|tool| self.touched(call, tool, path, Match::Yes)).map(|(rule, _)| rule)
    }

    /// Returns the strictest rule about a file tool's use of a path that matches at least as surely as `enough`. One
    /// that only may match asks.
    fn touched(&self, call: &Call<'_>, tool: &str, path: &str, enough: Match) -> Option<(&Rule, Decision)> {
        let input = Map::from_iter([("file_path".to_owned(), Value::String(path.to_owned()))]);
        let call = Call { tool, input: &input, ..*call };
        let tool = ToolName::of(&call);
        let unit = Unit::new(&call, &tool, None);
        let said = self.index.guards.find(|| unit.keys()).filter_map(|rank| {
            let rule = self.ranked(rank)?;
            match rule.holds(&unit, None).held {
                Match::Yes => Some((rule, rule.decision)),
                Match::Maybe if enough == Match::Maybe => Some((rule, Decision::AskUser)),
                Match::Maybe | Match::No => None,
            }
        });
        said.max_by_key(|(_, decision)| *decision)
    }
}

/// Returns the words of a command that may name files, besides its redirections.
fn words(command: &Command) -> impl Iterator<Item = &Word> {
    command.words.iter().skip(1).chain(command.assignments.iter().map(|set| &set.value))
}

/// Returns whether a word begins with a folder that only the shell knows: `~+/x`, `~-/x`, `~you/x`.
fn is_remembered(word: &Word) -> bool {
    let begins = word.shapes.iter().flat_map(|shapes| shapes.iter()).filter_map(|shape| match shape.first() {
        Some(Part::Text(text)) => Some(text.as_str()),
        _ => None,
    });
    std::iter::once(word.known.as_str()).chain(begins).any(|text| behind_tilde(text).is_some())
}

/// Returns the path in a folder that only the shell knows.
fn behind_tilde(path: &str) -> Option<&str> {
    let rest = path.strip_prefix('~').filter(|rest| !rest.is_empty() && !rest.starts_with('/'))?;
    Some(rest.split_once('/').map_or("", |(_, path)| path))
}

/// Returns whether a command may use a file that a pattern with a folder means, although no word is its path.
fn may_reach(touched: &Touched<'_>, rule: &Rule, source: &Source<'_>, call: &Call<'_>) -> bool {
    let Some(patterns) = &rule.when.paths else { return false };
    let at = anchors(rule, call);
    // In a folder, the copies have the names of the originals.
    let names: Vec<Spot> =
        touched.sources.iter().flat_map(|from| paths::of_word(from, source)).map(|from| from.name()).collect();
    let mut into = if names.is_empty() { Vec::new() } else { paths::of_word(&touched.word, source) };
    into.retain(|folder| !folder.begins_anywhere());
    let mut copies = into.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
    let is_tree = touched.how == Use::WritesBelow;
    let is_meant = |copy: Spot| {
        let is_in = |path: &Path| copy.may_be_below(path) || is_tree && copy.may_be_or_hold(path);
        patterns.fixed(&at).any(|(path, below)| is_in(&path) || !below && copy.may_be_at(&path))
    };
    if copies.any(is_meant) {
        return true;
    }
    let is_below = matches!(touched.how, Use::ReadsBelow | Use::WritesBelow);
    let copies = touched.how == Use::WritesBelow || !touched.linked.is_empty();
    let copied = touched.sources.iter().filter(|_| copies).map(|word| (word, true));
    // The whole workspace is searched more often than anything else, and no name of a folder is written then.
    let is_workspace = |word: &Word, folder: &Path| {
        let path = word.text().and_then(|text| paths::located(text, folder, call));
        path.zip(call.cwd).is_some_and(|(path, cwd)| Spot::of(&path).begins(&Spot::of(cwd)))
    };
    let mut words = copied.chain((!touched.own).then_some((&*touched.word, false)));
    words.any(|(word, is_copied)| match word.text() {
        Some(text) => source.paths().any(|folder| {
            let counts = is_copied || is_below && !is_workspace(word, folder);
            counts && patterns.may_be_below(text, &at, Some(folder))
        }),
        None if touched.how == Use::Names => false,
        None => {
            let spots = paths::of_word(word, source);
            let spots: Vec<&Spot> = spots.iter().filter(|spot| !spot.begins_anywhere()).collect();
            patterns.fixed(&at).any(|(path, below)| {
                let in_it = |spot: &Spot| spot.may_be_below(&path) || !below && spot.may_be_at(&path);
                spots.iter().any(|spot| in_it(spot) || (is_copied || is_below) && spot.may_be_or_hold(&path))
            })
        }
    })
}

/// Returns whether a rule is about the tools that read or write files.
fn means_files(rule: &Rule, call: &Call<'_>) -> bool {
    let (tools, server) = (rule.when.tools.as_deref(), rule.when.server.as_ref());
    [READ, WRITE].into_iter().any(|tool| ToolName::of(&Call { tool, ..*call }).matches(tools, server) != Match::No)
}

/// Returns the paths that a word may contain: the word itself, the value of an option, what follows a colon (`HEAD:.env`,
/// `host:.env`) or an `@`, each text between two separators, and what follows a folder that only the shell knows (`~+/.env`).
fn paths_in(word: &str) -> impl Iterator<Item = &str> {
    let [value, after, at] = ['=', ':', '@'].map(|mark| word.split_once(mark).map(|(_, path)| path));
    let whole = Some(word).filter(|word| !word.starts_with('-'));
    let texts = word.split(SEPARATORS).filter(move |text| text.len() < word.len());
    let paths = [whole, value, after, at].into_iter().flatten().chain(texts);
    paths.flat_map(|path| [Some(path), behind_tilde(path)]).flatten().filter(|path| !path.is_empty())
}

/// Returns whether a command is this program changing rules or answering: that needs a person at their own terminal.
pub(super) fn own_change(command: &Command) -> Option<String> {
    let (name, arguments) = command.words.split_first()?;
    let ours = name.text().is_some_and(|name| name::bare(name) == OURS);
    let own = arguments.split(|word| word.text() == Some("--")).next().unwrap_or_default();
    let runs = own.first().is_some_and(|word| word.text() == Some(RUNS));
    let arguments = if runs { own } else { arguments };
    let is_change = |word: &str| CHANGES.contains(&word) || word.starts_with(REGISTRY);
    let changes = arguments.iter().any(|word| !word.exact || is_change(&word.known));
    (ours && changes).then(|| OURS.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::commands;

    use super::*;

    #[test]
    fn no_rule_lets_an_agent_change_what_is_allowed_by_this_program() {
        for (line, changes) in [
            ("dmplz policy trust --yes", true),
            ("dmplz service install", true),
            ("dmplz service uninstall --force", true),
            ("dmplz service status --json", false),
            ("dmplz sessions mode 3f0c accept-edits", true),
            ("dmplz sessions resume 3f0c", true),
            ("dmplz sessions list", false),
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
            ("dmplz setup --yes --messenger telegram", true),
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
            ("dmplz store check --json", false),
            ("dmplz store backup /tmp/x", true),
            ("dmplz store restore /tmp/x", true),
            ("DMPLZ_HISTORY_DAYS=1 dmplz store prune", true),
            ("dmplz provider add --yes /tmp/x.wasm", true),
            ("dmplz provider update --yes --more /tmp/x.wasm", true),
            ("dmplz provider remove acme", true),
            ("dmplz provider try /tmp/x.wasm", true),
            ("dmplz provider test /tmp/x.wasm --json", false),
            ("dmplz provider new acme", false),
            ("dmplz provider inspect /tmp/x.wasm", false),
            ("dmplz provider inspect oci://evil.example/secret:1", true),
            ("dmplz provider search chat", true),
            ("dmplz provider dev . --once", true),
            ("dmplz provider verify --json", false),
            ("dmplz policy check 'git push'", false),
            ("dmplz stats", false),
            ("dmplz keeper client 1 rm -rf x", true),
            ("dmplz run -- 'do it'", true),
            ("dmplz sessions send 1234 yes", true),
            ("dmplz sessions list", false),
            ("npm install", false),
        ] {
            let found = commands::read(line).commands.iter().any(|command| own_change(command).is_some());
            assert_eq!(found, changes, "{line}");
        }
    }
}
