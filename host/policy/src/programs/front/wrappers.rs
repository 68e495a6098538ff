//! Options of a wrapper in front of the program that it starts, which a rule for both does not have to name: `uv run -q
//! pytest` is a `uv run pytest`.
//!
//! | wrapper | options | not, for instance |
//! |---|---|---|
//! | `npx` | `--no-install`, `--`; before `--` also that it asks nothing, downloads less or shows less | `npx -y x`, `-p x`, `-c x` |
//! | `npm exec`, `npm x` | that it asks nothing, downloads less or shows less, and `--` | `-p x`, `-c x`, `-w x` |
//! | `pnpm exec` | `--` | `-r`, `-c`, `--dir x` |
//! | `uv run` | that it installs less or shows less, and `--` | `--with x`, `--python x`, `--env-file x`, `--directory x` |
//! | `uv`, `poetry` before `run` | how much they show, that they ask nothing or download nothing | `--directory x`, `poetry -C x` |
//!
//! The npx of npm 6 does not know `-y` and takes the next word for its value: `npx -y eslint x` starts `x` there. Only behind
//! `--` do all versions agree on the program. Of `bundle exec` and `poetry run` no option is needed often.

use super::is_certain;
use crate::programs::options::{Grammar, Item, Known, Reader};
use crate::programs::starts;
use crate::shell::{Command, Word, name};

/// A wrapper, and its options that may be passed over.
struct Wrapper {
    /// The words with which a call begins.
    words: &'static [&'static str],
    options: Grammar,
    /// The options that may be passed over only if `--` stands behind them.
    before_dashes: Grammar,
    /// Whether the program may stand behind `--`.
    dashes: bool,
    /// The words before which the options may stand; none if before any.
    before: &'static [&'static str],
}

const NONE: Grammar = Grammar("-");
const QUIETLY: Grammar = Grammar("qsy quiet silent yes offline prefer-offline");

#[rustfmt::skip]
const WRAPPERS: &[Wrapper] = &[
    Wrapper { words: &["npx"], options: Grammar("- no-install"), before_dashes: Grammar("qy no-install quiet yes offline prefer-offline"), dashes: true, before: &[] },
    Wrapper { words: &["npm", "exec"], options: QUIETLY, before_dashes: NONE, dashes: true, before: &[] },
    Wrapper { words: &["npm", "x"], options: QUIETLY, before_dashes: NONE, dashes: true, before: &[] },
    Wrapper { words: &["pnpm", "exec"], options: NONE, before_dashes: NONE, dashes: true, before: &[] },
    Wrapper { words: &["uv", "run"], options: Grammar("qv quiet verbose frozen locked offline no-sync no-progress"), before_dashes: NONE, dashes: true, before: &[] },
    Wrapper { words: &["uv"], options: Grammar("qv quiet verbose offline no-progress"), before_dashes: NONE, dashes: false, before: &["run"] },
    Wrapper { words: &["poetry"], options: Grammar("q quiet no-interaction no-ansi"), before_dashes: NONE, dashes: false, before: &["run"] },
];

/// Returns the words of a call without such options. `None` if there are none, if another option is among them, or if what
/// is started is not certainly the same.
pub(super) fn without(words: &[Word]) -> Option<Vec<Word>> {
    let begins = |wrapper: &&Wrapper| {
        let first = words.first().and_then(Word::text).map(name::narrow);
        let rest = words.iter().skip(1).map(Word::text);
        wrapper.words.iter().map(|word| Some(*word)).eq(std::iter::once(first).chain(rest).take(wrapper.words.len()))
    };
    let wrapper = WRAPPERS.iter().find(begins)?;
    let start = wrapper.words.len();
    let passed =
        |options: Grammar| wrapper.passed(options, words).filter(|(_, behind_dashes)| wrapper.dashes || !behind_dashes);
    let behind_dashes = || passed(wrapper.before_dashes).filter(|(_, behind_dashes)| *behind_dashes);
    let (program, _) = passed(wrapper.options).or_else(behind_dashes).filter(|(program, _)| *program > start)?;
    if !wrapper.before.is_empty() && !wrapper.before.contains(&words.get(program)?.text()?) {
        return None;
    }
    // A `--` alone is left out, and one behind options stays at first: a rule may name it.
    let has_dashes = words.get(program - 1)?.text() == Some("--");
    let kept = if has_dashes && program - 1 > start { program - 1 } else { program };
    let plain: Vec<Word> = words.iter().take(start).chain(words.iter().skip(kept)).cloned().collect();
    let started =
        |words: &[Word]| starts::unwrap(&Command::of(words.to_vec())).filter(|started| started.unclear.is_none());
    let (with, without) = (started(words)?, started(&plain)?);
    (with.inner == without.inner && with.moved == without.moved).then_some(plain)
}

impl Wrapper {
    /// Returns the index of the first word behind options of a grammar, and whether it stands behind `--`. `None` if another
    /// option is among them.
    fn passed(&self, options: Grammar, words: &[Word]) -> Option<(usize, bool)> {
        let mut reader = Reader::new(options, words, self.words.len());
        loop {
            match reader.next()? {
                Item::Known(known) if is_flag(&known, words) => {}
                Item::Operand(at) => return words.get(at)?.text().map(|_| (at, reader.ended)),
                _ => return None,
            }
        }
    }
}

/// Returns whether an option is written in full and takes no value.
fn is_flag(known: &Known, words: &[Word]) -> bool {
    known.value.is_none() && is_certain(known, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a line without such options, one after the other; `$` ends a word of which only the beginning is known.
    fn plain(line: &str) -> Option<String> {
        let word = |text: &str| text.strip_suffix('$').map_or_else(|| Word::exact(text), Word::beginning);
        let words: Vec<Word> = line.split(' ').map(word).collect();
        let mut plain = without(&words)?;
        while let Some(plainer) = without(&plain) {
            plain = plainer;
        }
        Some(plain.into_iter().map(|word| word.known).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn an_option_of_a_wrapper_that_changes_nothing_is_passed_over() {
        for (line, expected) in [
            ("npx --no-install eslint src", "npx eslint src"),
            ("npx -- eslint --fix", "npx eslint --fix"),
            ("npx -y -- eslint src", "npx eslint src"),
            ("npx --yes -q --no-install -- eslint src", "npx eslint src"),
            ("/usr/bin/npx --no-install eslint", "/usr/bin/npx eslint"),
            ("npm exec -y eslint src", "npm exec eslint src"),
            ("npm exec --yes --quiet -- eslint src", "npm exec eslint src"),
            ("npm x -- eslint src", "npm x eslint src"),
            ("pnpm exec -- eslint src", "pnpm exec eslint src"),
            ("uv run -q pytest", "uv run pytest"),
            ("uv run --frozen --no-sync -- pytest -q", "uv run pytest -q"),
            ("uv --quiet run --locked pytest", "uv run pytest"),
            ("poetry --no-interaction -q run pytest", "poetry run pytest"),
        ] {
            assert_eq!(plain(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn a_rule_may_name_the_dashes_behind_options() {
        let words: Vec<Word> = "npm exec -y -- eslint src".split(' ').map(Word::exact).collect();
        let plain: Vec<String> = without(&words).unwrap().into_iter().map(|word| word.known).collect();
        assert_eq!(plain.join(" "), "npm exec -- eslint src");
    }

    #[test]
    fn an_option_of_a_wrapper_that_may_change_something_is_not_passed_over() {
        for line in [
            "npx eslint src", "npx -y eslint src", "npx --yes eslint src", "npx --no eslint x", "npx -q eslint x",
            "npx -p evil -- eslint", "npx --package=evil eslint", "npx -c eslint", "npx --no-install -c eslint",
            "npx --no-install", "npx --no-install -p x eslint", "npx --no-install=x eslint", "npx --no-inst eslint",
            "npx $ eslint", "npx --no-install $", "npx --no-install$ eslint", "npx --", "bunx --no-install eslint",
            "pnpx --no-install eslint", "./npx --no-install eslint", "npm exec -c eslint",
            "npm exec -p evil -- eslint", "npm exec -w x eslint", "npm exec --yes=false eslint",
            "npm exec --workspaces eslint", "pnpm exec -c eslint", "pnpm exec -r eslint", "uv run --with evil pytest",
            "uv run --python ./x pytest", "uv run -m pytest", "uv run --env-file x pytest",
            "uv run --directory x pytest", "uv run -q --with evil pytest", "uv run -s x", "uv run --extra x pytest",
            "uv -q pip install x", "uv --directory x run pytest", "uv -q tool run x", "poetry -C x run pytest",
            "poetry -n run pytest", "poetry -q publish", "poetry run -q pytest", "conda -q run pytest",
            "bundle exec --gemfile=x rspec", "yarn exec -- eslint",
        ] {
            assert_eq!(plain(line), None, "{line}");
        }
    }
}
