//! One row for each wrapper.
//!
//! The names of a row are `|` between those that mean the same; a name of several words is a subcommand, found through the
//! row of its first ([`Rest::Sub`]). The options are a line of [`super::super::options`], with the marks of [`mark`].

mod guarded;
mod tools;
mod transparent;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::name;
use super::super::options::Grammar;
use super::Unwrapped;
use super::read::Read;

/// A wrapper.
pub(super) struct Row {
    pub(super) names: &'static str,
    /// Whether it does nothing of its own.
    pub(super) aside: bool,
    /// Its options. Where there are none at all, everything after its name is the rest.
    pub(super) options: Grammar,
    /// How many operands it takes before the command.
    pub(super) skip: usize,
    /// Whether `NAME=value` may come before the command.
    pub(super) assigns: bool,
    /// Whether its options may stand between and after its operands.
    pub(super) permutes: bool,
    /// Whether its options may stand behind the operands that it takes itself.
    pub(super) again: bool,
    /// What comes after that.
    pub(super) rest: Rest,
}

/// What comes after the options.
#[derive(Clone, Copy)]
pub(super) enum Rest {
    /// A command.
    Words,
    /// A command, after `--` where there is one.
    Dashes,
    /// A command; or nothing, or options, for the user's shell.
    Shell,
    /// The words of a script.
    Joined,
    /// One word that is a script, or the words of a command.
    Either,
    /// A script, and more.
    First,
    /// A subcommand, with a row of its own.
    Sub,
    /// Nothing that is started: only the options matter, wherever they stand, and those that are not listed do not.
    Nothing,
    /// Something of another shape.
    By(fn(&Read<'_>) -> Option<Unwrapped>),
}

/// What the marks of the options mean.
pub(super) mod mark {
    /// `!` With it nothing is started.
    pub(in super::super) const IDLE: char = '!';
    /// `$` Its value is a script.
    pub(in super::super) const SCRIPT: char = '$';
    /// `%` Its value is split into words as a shell would, and the rest follows.
    pub(in super::super) const SPLIT: char = '%';
    /// `&` The first operand is a script; of `runuser -u`, a command.
    pub(in super::super) const FIRST: char = '&';
    /// `<` The script comes from the standard input.
    pub(in super::super) const INPUT: char = '<';
    /// `@` What is started runs in another folder.
    pub(in super::super) const MOVES: char = '@';
    /// `>` It writes a file: the wrapper does not stand aside.
    pub(in super::super) const ACTS: char = '>';
    /// `*` It reads more commands from elsewhere.
    pub(in super::super) const UNCLEAR: char = '*';
    /// `+` Its value is the command, and the rest are its arguments.
    pub(in super::super) const ENTRY: char = '+';
    /// `=` Its value is `name=value`, and some names are commands.
    pub(in super::super) const SETTING: char = '=';
    /// `{` Its value stands for something in the words of the command.
    pub(in super::super) const PLACEHOLDER: char = '{';
}

/// The row of a name. `python3.12` is `python`, and `docker exec` is a name.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    static BY_NAME: LazyLock<HashMap<&str, &Row>> =
        LazyLock::new(|| rows().flat_map(|row| row.names.split('|').map(move |name| (name, row))).collect());
    BY_NAME.get(name).or_else(|| BY_NAME.get(name::unversioned(name))).copied()
}

/// Every row.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    transparent::ROWS.iter().chain(guarded::ROWS).chain(tools::ROWS)
}

impl Row {
    /// The first of its names.
    pub(super) fn name(&self) -> &'static str {
        self.names.split('|').next().unwrap_or_default()
    }

    const fn skip(mut self, words: usize) -> Self {
        self.skip = words;
        self
    }

    const fn again(mut self) -> Self {
        self.again = true;
        self
    }

    const fn permutes(mut self) -> Self {
        self.permutes = true;
        self
    }

    const fn assigns(mut self) -> Self {
        self.assigns = true;
        self
    }
}

/// A wrapper that does nothing of its own.
const fn aside(names: &'static str, options: &'static str, rest: Rest) -> Row {
    Row { names, aside: true, options: Grammar(options), skip: 0, assigns: false, permutes: false, again: false, rest }
}

/// A wrapper that a rule must allow itself.
const fn guarded(names: &'static str, options: &'static str, rest: Rest) -> Row {
    Row { names, aside: false, options: Grammar(options), skip: 0, assigns: false, permutes: false, again: false, rest }
}
