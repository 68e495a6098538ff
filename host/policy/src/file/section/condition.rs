//! Parses the conditions of a rule.

use toml::de::{DeTable, DeValue};

use super::{Draft, Harm};
use crate::file::expires::moment;
use crate::file::fault::{Fault, Takes};
use crate::file::prefix::words;
use crate::file::value::{Item, object};
use crate::rules::decision::Reading;
use crate::rules::nearest::nearest;
use crate::rules::pattern::{Domains, Glob, Line, Paths, Pattern};
use crate::rules::rule::Arguments;
use crate::tools::{self, Kind};

/// All keys that are conditions.
pub(super) const KEYS: [&str; 14] = [
    "toolName", "mcpName", "argsPattern", "commandPrefix", "commandRegex", "paths", "domains", "cwd", "modes",
    "interactive", "toolAnnotations", "subagent", "agent", "expires",
];

/// The conditions on the arguments, in gemini-cli's order of precedence.
const ARGUMENTS: [&str; 3] = ["commandPrefix", "commandRegex", "argsPattern"];

/// The byte of a text at which it is invalid, and why.
type Wrong = (usize, Fault);

impl Draft<'_, '_> {
    /// Parses a condition. Returns false if the key is not one.
    pub(super) fn condition(&mut self, key: &str, value: &Item<'_>) -> bool {
        match key {
            "toolName" => self.rule.when.tools = self.list(key, value, |text| Ok(Glob::new(text))),
            "mcpName" => self.rule.when.server = self.glob(key, value),
            "subagent" => self.rule.when.subagent = self.glob(key, value),
            "agent" => self.rule.when.agent = self.glob(key, value),
            "commandPrefix" => {
                let prefixes =
                    self.list(key, value, |text| words(text).map_err(|(at, error)| (at, Fault::Prefix(error))));
                self.arguments(prefixes.map(Arguments::Prefixes));
            }
            "commandRegex" => {
                let text = self.notes.text(key, value);
                let pattern = self.known(text).and_then(|text| {
                    let pattern = pattern(text);
                    self.wrong_within(value, text, pattern)
                });
                self.arguments(pattern.map(Arguments::Command));
            }
            "argsPattern" => {
                let patterns = self.list(key, value, pattern);
                self.arguments(patterns.map(Arguments::Args));
            }
            "paths" => self.rule.when.paths = self.paths(key, value),
            "cwd" => self.rule.when.cwd = self.paths(key, value),
            "domains" => {
                let hosts = self.list(key, value, |text| one_domain(text).map(|()| text.to_owned()));
                self.rule.when.domains = hosts.and_then(|hosts| Domains::new(&hosts).ok());
            }
            "modes" => self.modes(key, value),
            "interactive" => {
                let flag = self.notes.flag(key, value);
                self.rule.when.interactive = self.known(flag);
            }
            "toolAnnotations" => {
                let table = value.get_ref().as_table().and_then(object);
                let table = self.notes.some(table, key, value, Takes::Table);
                self.rule.when.annotations = self.known(table);
            }
            "expires" => self.expires(key, value),
            _ => return false,
        }
        true
    }

    /// Checks the conditions together.
    pub(super) fn check_conditions(&mut self, header: usize, table: &DeTable<'_>) {
        let has = |key: &str| table.contains_key(key);
        if !has("toolName") && !has("mcpName") {
            self.wrong(Harm::Condition, header, Fault::NoTool);
        }
        let place = |key: &str| Some(table.get_key_value(key)?.0.span().start);
        let given: Vec<_> = ARGUMENTS.into_iter().filter_map(|key| Some((key, place(key)?))).collect();
        if let [(first, _), (second, at), ..] = given.as_slice() {
            self.wrong(Harm::Loose, *at, Fault::Exclusive(first, second));
        }
        if let Some((key, at)) = given.first().filter(|(key, _)| *key != "argsPattern") {
            let when = &self.rule.when;
            let shell = |tool: &Glob| tools::kind(tool.as_str()) == Kind::Shell;
            if has("mcpName") || !when.tools.as_ref().is_none_or(|tools| tools.iter().all(shell)) {
                // Names of tools count as they are written; `bash` is none, and a shell is meant.
                let meant = |tool: &Glob| tools::kind(&tools::canonical_in_any_case(tool.as_str())) == Kind::Shell;
                let slip = when.tools.iter().flatten().find(|tool| !shell(tool) && meant(tool));
                let what = match slip.filter(|_| !has("mcpName")) {
                    Some(tool) => Fault::NotBash(tool.as_str().to_owned()),
                    None => Fault::OnlyShell(key),
                };
                self.wrong(Harm::Remark, *at, what);
            }
        }
        // An MCP server's names of its tools are its own.
        if let (false, Some(tools)) = (has("mcpName"), &mut self.rule.when.tools) {
            for tool in tools {
                // A rule that denies `bash` means the only shell tool.
                *tool = Glob::new(match self.rule.decision.reading() {
                    Reading::Narrow => tools::canonical(tool.as_str()),
                    Reading::Broad => tools::canonical_in_any_case(tool.as_str()),
                });
            }
        }
    }

    /// Stores a parsed value, or notes that the rule's calls are not known.
    fn known<T>(&mut self, read: Option<T>) -> Option<T> {
        if read.is_none() {
            self.harm(Harm::Condition);
        }
        read
    }

    fn glob(&mut self, key: &str, value: &Item<'_>) -> Option<Glob> {
        let text = self.notes.text(key, value);
        self.known(text).map(Glob::new)
    }

    /// Stores a list of alternatives. If some cannot be parsed, a deny keeps the others.
    fn list<T>(&mut self, key: &str, value: &Item<'_>, read: impl Fn(&str) -> Result<T, Wrong>) -> Option<Vec<T>> {
        let entries = self.notes.texts(key, value);
        let all = entries.read.len();
        let read: Vec<T> =
            entries.read.into_iter().filter_map(|(item, text)| self.wrong_within(item, text, read(text))).collect();
        if entries.incomplete || read.len() < all {
            self.harm(Harm::Loose);
        }
        let some = (!read.is_empty()).then_some(read);
        self.known(some)
    }

    /// Adds a problem inside a text, at its position.
    fn wrong_within<T>(&mut self, item: &Item<'_>, text: &str, read: Result<T, Wrong>) -> Option<T> {
        read.map_err(|(offset, what)| {
            let place = self.notes.within(item, text, offset);
            self.notes.add(place, what);
        })
        .ok()
    }

    fn paths(&mut self, key: &str, value: &Item<'_>) -> Option<Paths> {
        let lines = self.list(key, value, |text| Line::read(text).map_err(|error| (0, Fault::Path(error))))?;
        let paths = Paths::new(lines).map_err(|error| self.notes.add(value.span().start, Fault::Path(error)));
        self.known(paths.ok())
    }

    /// Sets the condition on the arguments. Of several conditions, the first in gemini-cli's order applies.
    fn arguments(&mut self, arguments: Option<Arguments>) {
        let rank = |arguments: &Arguments| match arguments {
            Arguments::Any => 0,
            Arguments::Args(_) => 1,
            Arguments::Command(_) => 2,
            Arguments::Prefixes(_) => 3,
        };
        if let Some(arguments) = self.known(arguments)
            && rank(&arguments) > rank(&self.rule.when.arguments)
        {
            self.rule.when.arguments = arguments;
        }
    }

    fn modes(&mut self, key: &str, value: &Item<'_>) {
        if value.get_ref().as_array().is_some_and(|modes| modes.is_empty()) {
            return;
        }
        let known: Vec<&'static str> = tools::known_modes().collect();
        let modes = self.list(key, value, |text| match nearest(text, &known) {
            _ if known.contains(&text) => Ok(tools::mode(text).into_owned()),
            meant => Err((0, Fault::UnknownMode(text.to_owned(), meant))),
        });
        self.rule.when.modes = modes.unwrap_or_default();
    }

    fn expires(&mut self, key: &str, value: &Item<'_>) {
        let end = match value.get_ref() {
            DeValue::Datetime(end) => moment(&end.to_string()),
            DeValue::String(end) => moment(end),
            _ => None,
        };
        self.rule.when.expires = self.notes.some(end, key, value, Takes::Moment);
        if end.is_none() {
            // A deny without an end is still the same deny.
            self.harm(Harm::Loose);
        }
    }
}

fn pattern(text: &str) -> Result<Pattern, Wrong> {
    Pattern::new(text).map_err(|error| (error.offset, Fault::Pattern(error.what)))
}

fn one_domain(host: &str) -> Result<(), Wrong> {
    Domains::new(&[host.to_owned()]).map(drop).map_err(|error| (0, Fault::Domain(error)))
}
