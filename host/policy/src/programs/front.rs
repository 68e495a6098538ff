//! Options in front of a subcommand or target that a rule does not have to name: `git --no-pager log` is a `git log`.
//!
//! | program | options | not, for instance |
//! |---|---|---|
//! | `git` | that change how it shows something, and `-C` with a folder of the workspace | `-c core.pager=x`, `--git-dir`, `-C ../x` |
//! | `cargo`, `mvn` | how much it shows, and that it downloads nothing | `--config`, `-D` |
//! | `curl` | how much it shows, and which form of the answer it accepts | `-o`, `-X`, `-H 'Authorization: x'` |
//! | `docker compose` | a file below the folder, a project and profiles, where the subcommand only shows something | `--env-file`, `--project-directory` |
//! | `kubectl` | the namespace, where the subcommand only shows something | `--kubeconfig`, `--context` |
//! | `make` | how many jobs it starts, and how much it shows | `-f`, `-C`, `-e` |
//! | `npm`, `pnpm`, `yarn` | how much it shows | `--prefix`, `-w` |
//!
//! Only what is listed here is passed over: behind the subcommand the table lists more options, but the versions of a program
//! do not agree on which of them take a value, and a value taken for the subcommand would be another action.

use super::mark;
use super::options::{Grammar, Item, Known, Reader};
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
    Front { program: "make", options: Grammar("j?ks jobs? keep-going silent quiet no-print-directory output-sync?"), anywhere: true, before: &[] },
    Front { program: "npm", options: Grammar("s silent"), anywhere: true, before: &[] },
    Front { program: "pnpm", options: Grammar("- silent"), anywhere: true, before: &[] },
    Front { program: "yarn", options: Grammar("- silent"), anywhere: true, before: &[] },
    Front { program: "cargo", options: Grammar("qv quiet verbose frozen locked offline"), anywhere: false, before: &[] },
    Front { program: "mvn", options: Grammar("Beoq -ntp batch-mode errors offline quiet no-transfer-progress"), anywhere: false, before: &[] },
    Front { program: "curl", options: Grammar("fH:/iILsS fail fail-with-body compressed header:/ include head location silent show-error"), anywhere: false, before: &[] },
    Front { program: "docker compose", options: Grammar("f:<p: file:< project-name: profile: ansi: progress:"), anywhere: false, before: SHOWING },
];

/// Returns the words of a call without such options. `None` if there are none, or if another option is among them.
/// `is_here` tells whether the program may work in a folder; of several `-C`, each is relative to the one before it.
pub(crate) fn without_front(words: &[Word], mut is_here: impl FnMut(&str) -> bool) -> Option<Vec<Word>> {
    let row = table::find(&name::bare(words.first()?.text()?))?;
    let is_compose = row.name() == "docker" && words.get(1)?.text() == Some("compose");
    let (row, from) = if is_compose { (table::find("docker compose")?, 2) } else { (row, 1) };
    let front = FRONT.iter().find(|front| front.program == row.name())?;
    let mut reader = Reader::new(front.options, words, from);
    let first = loop {
        match reader.next()? {
            Item::Known(known) if is_certain(&known, words) && may_pass(&known, &mut is_here) => {}
            Item::Operand(at) if !reader.ended && at > from => break at,
            _ => return None,
        }
    };
    if !front.before.is_empty() && !front.before.contains(&words.get(first)?.text()?) {
        return None;
    }
    if front.anywhere {
        let sub = words.get(first)?.text()?;
        let row = if row.has_subcommands() { table::find_sub(row, words, 1, sub)? } else { row };
        let mut reader = Reader::new(row.options, words, 1);
        while reader.at < first {
            let Item::Known(Known { mark: None, .. }) = reader.next()? else { return None };
        }
    }
    Some(words.iter().take(from).chain(words.iter().skip(first)).cloned().collect())
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
            ("git -c color.ui=never -c core.quotePath=off status", "git status"),
            ("cargo -q --locked test", "cargo test"),
            ("mvn -q -B -ntp test", "mvn test"),
            ("curl -sSfL https://x/y", "curl https://x/y"),
            ("curl -s -H Accept:application/json https://x/y", "curl https://x/y"),
            ("docker compose -f x.yml ps", "docker compose ps"),
            ("docker compose -f a/x.yml --file=b.yml -p name --profile dev logs api", "docker compose logs api"),
            ("docker-compose -f x.yml ps", "docker-compose ps"),
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
            "npm --prefix web test",
            "npm -C web test",
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
