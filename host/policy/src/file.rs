//! Parses a policy file.
//!
//! A file is TOML, in a superset of gemini-cli's format. It is a list of `[[rule]]`:
//!
//! | key | takes | |
//! |---|---|---|
//! | `toolName` | a name or a list | `*` stands for any run of characters; required unless `mcpName` is given |
//! | `mcpName` | a name | the tool's MCP server; `toolName` is then the server's own name of the tool |
//! | `argsPattern` | a regular expression or a list | anywhere in the whole input, as [`crate::call::args`] writes it |
//! | `commandPrefix` | words or a list | a command begins so; for the shell only |
//! | `commandRegex` | a regular expression | a command matches from its beginning; for the shell only |
//! | `paths` | a pattern or a list | gitignore's patterns, for tools with a file |
//! | `domains` | a host or a list | for tools with an address |
//! | `cwd` | a pattern or a list | the agent's working directory |
//! | `modes` | a list | none means all |
//! | `interactive` | true or false | whether somebody is at the terminal |
//! | `toolAnnotations` | a table | the MCP server's annotations include all of it |
//! | `subagent`, `agent` | a name | |
//! | `expires` | a date or a time | without an offset it is UTC; a date means its end |
//! | `decision` | `allow`, `deny`, `ask_user` | required |
//! | `priority` | 0 to 999 | required; more decides first |
//! | `allowRedirection` | true or false | or `allow_redirection` |
//! | `denyMessage` | a text | or `deny_message` |
//! | `name`, `reason` | a text | for people |
//! | `match`, `not_match` | an example or a list | a command, path or URL, or a table that is the whole input |
//!
//! and of `[[safety_checker]]`, which has the conditions of a rule, an optional `priority`, and a table `checker`.
//! dmplz runs no checkers: a call that one would check is asked ([`Rule::safety_check`]). An allow with a table
//! `safety_checker` asks.
//!
//! Everything that is wrong is a [`Problem`]. While a file has one, none of its allows applies. The rest is treated
//! as follows:
//!
//! * A syntax error invalidates the rule that contains it.
//! * An invalid allow or ask is not used. Nothing is lost: a call without a matching rule is asked.
//! * An invalid deny stays in force as long as its conditions are known. If a condition cannot be read, the rule
//!   would deny something else than was meant, so it is not used, and calls that it may be about are asked. Of a
//!   list, the readable entries stay. An unreadable `priority` counts as the highest, an unreadable `expires` as
//!   none, and an unknown key as a condition only if its name resembles one.

mod expires;
mod failure;
mod fault;
mod loading;
mod mend;
mod notes;
mod prefix;
mod section;
mod value;

use std::fmt;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

pub use self::failure::{Because, Failure};
pub use self::fault::{Fault, Takes, modes};
pub use self::loading::{Loading, Suspicion, TrustList};
use self::mend::mend;
use self::notes::Notes;
pub use self::prefix::PrefixError;
use self::section::Section;
use crate::rules::rule::{Origin, Rule};

/// The content of a policy file.
#[derive(Debug, Clone)]
pub struct File {
    /// The origin of the file.
    pub origin: Arc<Origin>,
    /// Its rules in the order of the file, followed by the safety checkers.
    pub rules: Vec<Rule>,
    /// Its problems, in the order of the file.
    pub problems: Vec<Problem>,
    /// Whether some of it could not be read.
    pub(crate) is_unread: bool,
}

/// A problem of a policy file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The origin of the file.
    pub origin: Arc<Origin>,
    /// The line, from 1; 0 if the problem concerns the whole file.
    pub line: u32,
    /// The column in characters, from 1; 0 likewise.
    pub column: u32,
    /// What is wrong, and what is expected.
    pub what: Fault,
}

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The most problems that are listed.
const MAX_PROBLEMS: usize = 100;

/// The most rules that are read from one file.
pub const MAX_RULES: usize = 20_000;

impl File {
    /// Parses a file. It never fails: what cannot be parsed is among the problems. Nothing is judged. A caller that
    /// applies the rules checks them against their examples
    /// ([`examples::checked`](crate::authoring::examples::checked)), unless it already did so for this text, in this
    /// folder, with this program.
    pub fn parse(text: &str, origin: Origin) -> Self {
        let origin = Arc::new(origin);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut notes = Notes::new(&origin, text);
        let mut rules = Vec::new();
        if text.len() > MAX_BYTES {
            notes.add(0, Fault::TooLarge(MAX_BYTES));
        } else if let Ok(table) = DeTable::parse(text) {
            read(table.get_ref(), &[], &mut notes, &mut rules);
        } else {
            for part in mend(text, &mut notes) {
                notes.begin_at(part.start);
                if let Ok(table) = DeTable::parse(&part.text) {
                    read(table.get_ref(), &part.lost, &mut notes, &mut rules);
                }
            }
        }
        rules.sort_by_key(|rule: &Rule| rule.safety_check);
        Self { origin, rules, problems: notes.finish(), is_unread: false }
    }

    /// Returns a file that could not be read.
    pub fn unreadable(origin: Origin, what: Loading) -> Self {
        let mut file = Self { origin: Arc::new(origin), rules: Vec::new(), problems: Vec::new(), is_unread: false };
        file.lose(what);
        file
    }

    /// Returns the first problem because of which a deny of this file may be missing. A file that was read in full has
    /// none, even if its allows do not count.
    pub fn lost(&self) -> Option<&Problem> {
        self.problems.iter().find(|problem| self.is_unread || problem.line > 0)
    }

    /// Adds a problem of the file as a whole: some of it could not be read, so that a deny may be missing.
    pub fn lose(&mut self, what: Loading) {
        self.is_unread = true;
        self.blame(what);
    }

    /// Adds a problem of the file as a whole, of which everything was read.
    pub fn blame(&mut self, what: Loading) {
        let what = Fault::Loading(what);
        self.problems.push(Problem { origin: Arc::clone(&self.origin), line: 0, column: 0, what });
    }

    /// Adds problems at certain places, each a line, a column and what is wrong, and keeps all problems in the order of
    /// the file.
    pub(crate) fn blame_at(&mut self, found: impl Iterator<Item = (u32, u32, Fault)>) {
        let room = MAX_PROBLEMS.saturating_sub(self.problems.len());
        let origin = Arc::clone(&self.origin);
        let found =
            found.take(room).map(|(line, column, what)| Problem { origin: Arc::clone(&origin), line, column, what });
        self.problems.extend(found);
        in_order(&mut self.problems);
    }
}

/// Returns whether a sign is in no key and no value of a file, so that it can only be in comments.
pub fn only_in_comments(text: &str, sign: char) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    DeTable::parse(text).is_ok_and(|table| !is_in_table(table.get_ref(), sign))
}

fn is_in_table(table: &DeTable<'_>, sign: char) -> bool {
    table.iter().any(|(key, value)| key.get_ref().contains(sign) || is_in(value.get_ref(), sign))
}

fn is_in(value: &DeValue<'_>, sign: char) -> bool {
    match value {
        DeValue::String(text) => text.contains(sign),
        DeValue::Array(items) => items.iter().any(|item| is_in(item.get_ref(), sign)),
        DeValue::Table(table) => is_in_table(table, sign),
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => false,
    }
}

fn in_order(problems: &mut Vec<Problem>) {
    problems.sort_by_key(|problem| (problem.line, problem.column));
    problems.dedup();
}

/// Parses a document, or a part of one from which the lines of some keys were removed.
fn read(table: &DeTable<'_>, lost: &[String], notes: &mut Notes<'_>, rules: &mut Vec<Rule>) {
    for (key, value) in table {
        let Some(section) = Section::named(key.get_ref()) else {
            notes.unknown(Fault::UnknownTable, key, &Section::NAMES);
            continue;
        };
        match value.get_ref() {
            DeValue::Array(items) => {
                for item in items {
                    if rules.len() >= MAX_RULES {
                        notes.add(item.span().start, Fault::TooManyRules(MAX_RULES));
                        break;
                    }
                    rules.extend(section.read(item, lost, notes));
                }
            }
            DeValue::Table(_) => {
                notes.add(key.span().start, Fault::SingleTable(key.get_ref().to_string()));
                rules.extend(section.read(value, lost, notes));
            }
            _ => notes.add(key.span().start, Fault::NotTables(key.get_ref().to_string())),
        }
    }
}

impl Problem {
    /// Returns the location of the problem: `file:line:column`, or `file` if it concerns the whole file.
    pub fn place(&self) -> String {
        let Self { origin, line, column, .. } = self;
        let path = origin.path.display();
        if *line == 0 { path.to_string() } else { format!("{path}:{line}:{column}") }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place(), self.what)
    }
}

impl serde::Serialize for Problem {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests;
