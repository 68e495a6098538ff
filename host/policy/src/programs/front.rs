//! Options in front of a subcommand or target that a rule does not have to name: `git --no-pager log` is a `git log`.
//!
//! | program | options | not, for instance |
//! |---|---|---|
//! | `git` | that change how it shows something, and `-C` with a folder of the workspace | `-c core.pager=x`, `--git-dir`, `-C ../x` |
//! | `cargo` | how much it shows, that it downloads nothing, and `-C` likewise | `--config` |
//! | `mvn` | how much it shows, and that it downloads nothing | `-D` |
//! | `curl` | how much it shows, and which form of the answer it accepts | `-o`, `-X`, `-H 'Authorization: x'` |
//! | `docker compose` | a file below the folder, a project and profiles, where the subcommand only shows something | `--env-file`, `--project-directory` |
//! | `kubectl` | the namespace, where the subcommand only shows something | `--kubeconfig`, `--context` |
//! | `go` | `-C` likewise | |
//! | `make` | how many jobs it starts, how much it shows, and `-C` likewise | `-f`, `-e` |
//! | `npm` | how much it shows; where the subcommand runs a script of the project, `--prefix` and `-C` likewise | `-w` |
//! | `pnpm`, `yarn` | how much it shows | `-C`, `--cwd` |
//!
//! The folder may also stand behind the subcommand (`make test -C sub`, `npm test --prefix web`, `go test -C sub`): the call is
//! judged as behind a `cd` there. Of several folders each is relative to the one before it for git and make, and the other
//! programs are asked.
//!
//! Options of wrappers in front of the program that they start are in [`wrappers`].
//!
//! Only what is listed here is passed over: behind the subcommand the table lists more options, but the versions of a program
//! do not agree on which of them take a value, and a value taken for the subcommand would be another action.

mod wrappers;

use super::mark;
use super::operands::Operands;
use super::options::{Grammar, Item, Known, Reader};
use super::row::{Row, Starts};
use super::table;
use crate::shell::{Word, name};

/// The options of a program that may be passed over.
struct Front {
    /// The name of the program's row.
    program: &'static str,
    options: Grammar,
    /// Whether they may stand behind the subcommand as well, whose row says what they do there.
    anywhere: bool,
    /// The subcommands before which they may stand; none if before any.
    before: &'static [&'static str],
}

/// The programs that take several folders, each relative to the one before it.
const STEPS: [&str; 2] = ["git", "make"];

/// The programs whose folder may stand behind the subcommand, among its options. That of `go` is the first of them.
const BEHIND: [&str; 3] = ["go", "make", "npm"];

/// The subcommands of `docker compose` that only show something.
const SHOWING: &[&str] =
    &["config", "events", "images", "logs", "ls", "port", "ps", "stats", "top", "version", "volumes"];

/// The setting of git with which nothing is paged. What it starts is judged as a command of its own.
const UNPAGED: &str = "core.pager=cat";

/// Settings of git that only change how it shows something, in lower case, and their values.
const LOOKS: [&str; 2] = ["color.ui", "core.quotepath"];
const SWITCHES: [&str; 7] = ["true", "false", "on", "off", "always", "never", "auto"];

/// Headers that say which form of an answer is accepted, in lower case.
const ACCEPTING: [&str; 3] = ["accept", "accept-language", "x-github-api-version"];

#[rustfmt::skip]
const FRONT: &[Front] = &[
    Front { program: "git", options: Grammar("PC:@c:= no-pager no-optional-locks no-advice no-lazy-fetch literal-pathspecs"), anywhere: false, before: &[] },
    Front { program: "kubectl", options: Grammar("n: namespace:"), anywhere: true, before: &[] },
    Front { program: "make", options: Grammar("C:@j?ks directory:@ jobs? keep-going silent quiet no-print-directory output-sync?"), anywhere: true, before: &[] },
    Front { program: "npm", options: Grammar("C:@s prefix:@ silent"), anywhere: true, before: &[] },
    Front { program: "pnpm", options: Grammar("s silent"), anywhere: true, before: &[] },
    Front { program: "yarn", options: Grammar("- silent"), anywhere: true, before: &[] },
    Front { program: "cargo", options: Grammar("C:@qv quiet verbose frozen locked offline"), anywhere: false, before: &[] },
    Front { program: "go", options: Grammar("- -C:@"), anywhere: false, before: &[] },
    Front { program: "mvn", options: Grammar("Beoq -ntp batch-mode errors offline quiet no-transfer-progress"), anywhere: false, before: &[] },
    Front { program: "curl", options: Grammar("fH:/iILsS fail fail-with-body compressed header:/ include head location silent show-error"), anywhere: false, before: &[] },
    Front { program: "docker compose", options: Grammar("f:<p: file:< project-name: profile: ansi: progress:"), anywhere: false, before: SHOWING },
];

/// Returns the words of a call without such options. `None` if there are none, or if another option is among them.
/// `is_here` tells whether the program may work in a folder; of several `-C`, each is relative to the one before it.
pub(crate) fn without_front(words: &[Word], is_here: impl FnMut(&str) -> bool) -> Option<Vec<Word>> {
    without_options(words, is_here).or_else(|| wrappers::without(words))
}

fn without_options(words: &[Word], mut is_here: impl FnMut(&str) -> bool) -> Option<Vec<Word>> {
    let row = table::find(&name::bare(words.first()?.text()?))?;
    let is_compose = row.name() == "docker" && words.get(1)?.text() == Some("compose");
    let (row, from) = if is_compose { (table::find("docker compose")?, 2) } else { (row, 1) };
    let front = FRONT.iter().find(|front| front.program == row.name())?;
    let mut reader = Reader::new(front.options, words, from);
    let mut folders = Vec::new();
    let first = loop {
        match reader.next()? {
            Item::Known(known) if is_certain(&known, words) && may_pass(&known, &mut is_here) => {
                folders.extend((known.mark == Some(mark::MOVES)).then_some(known.at));
            }
            Item::Operand(at) if !reader.ended => break at,
            _ => return None,
        }
    };
    let sub = words.get(first)?.text()?;
    if !front.before.is_empty() && !front.before.contains(&sub) {
        return None;
    }
    let own = if row.has_subcommands() { table::find_sub(row, words, 1, sub) } else { Some(row) };
    if front.anywhere {
        let mut reader = Reader::new(own?.options, words, 1);
        while reader.at < first {
            let Item::Known(known) = reader.next()? else { return None };
            if known.mark.is_some() && !folders.contains(&known.at) {
                return None;
            }
        }
    }
    let behind = own.map_or_else(Vec::new, |own| front.folders_behind(own, words, first));
    for (at, _) in &behind {
        match Reader::new(front.options, words, *at).next()? {
            Item::Known(known) if is_certain(&known, words) && may_pass(&known, &mut is_here) => folders.push(*at),
            _ => return None,
        }
    }
    // What a subcommand starts besides the project's own scripts would run elsewhere than it is judged.
    let runs_project = |row: &Row| row.operands == Operands::Project && matches!(row.starts, Starts::Nothing);
    let is_one_folder = STEPS.contains(&front.program) || folders.len() <= 1;
    let is_moved_as_whole = folders.is_empty() || !front.anywhere || own.is_some_and(runs_project);
    if first == from && behind.is_empty() || !is_one_folder || !is_moved_as_whole {
        return None;
    }
    let is_folder = |at: usize| behind.iter().any(|(from, end)| (*from..*end).contains(&at));
    let rest = words.iter().enumerate().skip(first).filter(|(at, _)| !is_folder(*at)).map(|(_, word)| word);
    Some(words.iter().take(from).chain(rest).cloned().collect())
}

impl Front {
    /// Returns where the options behind a subcommand that name its folder begin and end. What follows a word that the row
    /// does not list, or that is not certain, is left as it is.
    fn folders_behind(&self, own: &Row, words: &[Word], sub: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        if !BEHIND.contains(&self.program) {
            return found;
        }
        let mut reader = Reader::new(own.options, words, sub + 1);
        loop {
            let at = reader.at;
            let is_exact = words.get(at).is_some_and(|word| word.exact);
            match reader.next() {
                Some(Item::Known(known)) if is_exact && known.at == at && self.moves(words, at, reader.at) => {
                    found.push((at, reader.at));
                }
                Some(Item::Known(Known { mark: None, .. })) if is_exact && self.program != "go" => {}
                Some(Item::Operand(_)) if is_exact && !reader.ended && self.program != "go" => {}
                _ => return found,
            }
        }
    }

    /// Returns whether the words from one index to another are an option that names the folder, and nothing else.
    fn moves(&self, words: &[Word], at: usize, end: usize) -> bool {
        let mut reader = Reader::new(self.options, words, at);
        let moves = |item: Item| match item {
            Item::Known(known) => {
                let is_alone = words.get(at).is_some_and(|word| word.known.starts_with(&known.name));
                known.mark == Some(mark::MOVES) && is_alone
            }
            Item::Unknown(_) | Item::Operand(_) => false,
        };
        reader.next().is_some_and(moves) && reader.at == end
    }
}

/// Returns whether an option is written in full, and its value is known and no option.
fn is_certain(known: &Known, words: &[Word]) -> bool {
    let Some(word) = words.get(known.at).filter(|word| word.exact) else { return false };
    let in_full = !word.known.starts_with("--") || word.known.split('=').next() == Some(known.name.as_str());
    let is_plain = |value: &Word| value.text().is_some_and(|text| !text.is_empty() && !text.starts_with('-'));
    in_full && !known.negated && known.value.as_ref().is_none_or(is_plain)
}

/// Returns whether an option changes nothing that matters.
fn may_pass(known: &Known, is_here: impl FnMut(&str) -> bool) -> bool {
    let value = known.value.as_ref().and_then(Word::text);
    match known.mark {
        None => true,
        Some(mark::MOVES) => value.is_some_and(is_here),
        Some(mark::SETTING) => value.is_some_and(|setting| {
            let (name, value) = setting.split_once('=').unwrap_or_default();
            let is_look = LOOKS.contains(&name.to_ascii_lowercase().as_str()) && SWITCHES.contains(&value);
            is_look || setting == UNPAGED
        }),
        Some(mark::PARSED) => value.is_some_and(|header| {
            let (name, value) = header.split_once(':').unwrap_or_default();
            ACCEPTING.contains(&name.to_ascii_lowercase().as_str()) && !value.contains(char::is_control)
        }),
        // A file of another folder, or of another machine: `oci://x`.
        Some('<') => value.is_some_and(|file| {
            !file.starts_with(['/', '~']) && !file.contains(':') && file.split('/').all(|name| name != "..")
        }),
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a line without such options. The command runs in `/work`; `$` ends a word of which only the beginning is known.
    fn without(line: &str) -> Option<String> {
        let word = |text: &str| text.strip_suffix('$').map_or_else(|| Word::exact(text), Word::beginning);
        let words: Vec<Word> = line.split(' ').map(word).collect();
        let shown = |words: Vec<Word>| words.into_iter().map(|word| word.known).collect::<Vec<_>>().join(" ");
        without_front(&words, |path| path == "/work").map(shown)
    }

    #[test]
    fn an_option_in_front_that_changes_nothing_is_passed_over() {
        for (line, expected) in [
            ("git --no-pager log --oneline", "git log --oneline"),
            ("git -P --no-optional-locks status", "git status"),
            ("git -C /work status", "git status"),
            ("git -C /work --no-pager -C /work diff", "git diff"),
            ("/usr/bin/git --no-pager log", "/usr/bin/git log"),
            ("kubectl -n x get pods", "kubectl get pods"),
            ("kubectl -nx get pods", "kubectl get pods"),
            ("kubectl --namespace=x get pods", "kubectl get pods"),
            ("kubectl --namespace x logs pod", "kubectl logs pod"),
            ("make -j4 test", "make test"),
            ("make -j -k test", "make test"),
            ("make -ksj8 test", "make test"),
            ("make --jobs=4 --silent test", "make test"),
            ("npm --silent test", "npm test"),
            ("npm -s run lint", "npm run lint"),
            ("pnpm -s exec eslint", "pnpm exec eslint"),
            ("git -c color.ui=never -c core.quotePath=off status", "git status"),
            ("cargo -q --locked test", "cargo test"),
            ("mvn -q -B -ntp test", "mvn test"),
            ("curl -sSfL https://x/y", "curl https://x/y"),
            ("curl -s -H Accept:application/json https://x/y", "curl https://x/y"),
            ("docker compose -f x.yml ps", "docker compose ps"),
            ("docker compose -f a/x.yml --file=b.yml -p name --profile dev logs api", "docker compose logs api"),
            ("docker-compose -f x.yml ps", "docker-compose ps"),
            ("make -C /work test", "make test"),
            ("make -C /work -C /work -j4 test x", "make test x"),
            ("make --directory=/work test", "make test"),
            ("make test -C /work", "make test"),
            ("make -C /work test -C /work -k", "make test -k"),
            ("npm --prefix /work test", "npm test"),
            ("npm -s -C /work run lint", "npm run lint"),
            ("npm test --prefix=/work", "npm test"),
            ("npm run lint --if-present --prefix /work -- x", "npm run lint --if-present -- x"),
            ("go -C /work test ./...", "go test ./..."),
            ("go -C=/work vet", "go vet"),
            ("go test -C /work -race ./...", "go test -race ./..."),
            ("cargo -C /work -q test", "cargo test"),
        ] {
            assert_eq!(without(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn an_option_in_front_that_may_change_something_is_not_passed_over() {
        for line in [
            "git log",
            "git --no-pager",
            "git -c core.pager=x log",
            "git --no-pager -c core.pager=x log",
            "git -c core.pager=x --no-pager log",
            "git -C /elsewhere status",
            "git -C /work -C .. status",
            "git -C /work/sub status",
            "git -C $ status",
            "git -C /work$ status",
            "git --git-dir=/work status",
            "git --work-tree=/work status",
            "git --exec-path=/work status",
            "git --paginate log",
            "git -p log",
            "git --bare log",
            "git --no-pag log",
            "git --no-pager=x log",
            "git --no-pager -- log",
            "git $ log",
            "git --no-pager$ log",
            "kubectl get pods",
            "kubectl --kubeconfig=x get pods",
            "kubectl -n x --kubeconfig=x get pods",
            "kubectl --context x get pods",
            "kubectl -s https://x get pods",
            "kubectl -n x delete pod y",
            "kubectl -n x exec pod -- ls",
            "kubectl -n x my-plugin",
            "kubectl -n $ get pods",
            "kubectl -n -f get pods",
            "kubectl -n",
            "kubectl --names x get pods",
            "make -f x test",
            "make -C x test",
            "make -e test",
            "make -I x test",
            "make --eval=x test",
            "make -j$ test",
            "make -C x$ test",
            "make -C",
            "make -C /work",
            "make test -C x",
            "make test -kC /work",
            "make test -- -C /work",
            "make test $ -C /work",
            "make test -f x -C /work",
            "npm --prefix web test",
            "npm -C web test",
            "npm --prefix /work --prefix /work test",
            "npm --prefix /work test --prefix /work",
            "npm --prefix /work exec x",
            "npm --prefix /work install",
            "npm --prefix /work publish",
            "npm --prefix /work -g test",
            "npm --pref /work test",
            "npm test --prefix web",
            "npm test --prefix",
            "npm test -- --prefix /work",
            "npm install --prefix /work",
            "npm exec --prefix /work x",
            "npm exec x --prefix /work",
            "go -C x test",
            "go -C /work -C /work test",
            "go test ./... -C /work",
            "go test -race -C /work",
            "go test -args -C /work",
            "cargo -C /work -C /work test",
            "cargo test -C /work",
            "git status -C /work",
            "pnpm -C /work test",
            "yarn --cwd /work test",
            "npm -w web test",
            "npm --script-shell=x test",
            "npm --loglevel silent test",
            "npm --sil test",
            "docker --context x ps",
            "git -c color.ui=x log",
            "git -c color.pager=less log",
            "git -c color.ui log",
            "git -c color.ui=never$ log",
            "git -c core.fsmonitor=true status",
            "cargo -Zunstable test",
            "cargo --config x test",
            "cargo -C x test",
            "cargo +x test",
            "mvn -q -Dx=y test",
            "mvn -f x test",
            "curl -o x https://x/y",
            "curl -sX DELETE https://x/y",
            "curl -sK x https://x/y",
            "curl -H @x https://x/y",
            "curl -H Accept:$ https://x/y",
            "curl -H Authorization:x https://x/y",
            "curl -H X-HTTP-Method-Override:DELETE https://x/y",
            "curl -x http://evil https://x/y",
            "docker compose -f /tmp/x.yml ps",
            "docker compose -f ../x.yml ps",
            "docker compose -f a/../../x.yml ps",
            "docker compose -f ~/x.yml ps",
            "docker compose -f oci://evil.example/x ps",
            "docker compose -f - ps",
            "docker compose -f x$ ps",
            "docker compose -f x.yml up",
            "docker compose -f x.yml run api",
            "docker compose -f x.yml exec api id",
            "docker compose -p name down",
            "docker compose --env-file x ps",
            "docker compose --project-directory x ps",
            "docker --context x compose -f x.yml ps",
            "docker compose",
            "docker compose ps",
            "ls -l x",
            "tool --x y",
        ] {
            assert_eq!(without(line), None, "{line}");
        }
    }
}
