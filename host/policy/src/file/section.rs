//! Parses a `[[rule]]` or a `[[safety_checker]]`.

mod condition;

use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::fault::{Fault, Takes};
use super::notes::Notes;
use super::value::{Item, integer, object};
use crate::rules::decision::Decision;
use crate::rules::nearest::nearest;
use crate::rules::rule::{Example, ExampleInput, Rule, When};

/// The kinds of sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Rule,
    SafetyChecker,
}

const HIGHEST: u16 = 999;

/// What is wrong with a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Harm {
    None,
    /// A key without which it matches the same calls.
    Remark,
    /// A key without which it may match more calls, or has too high a precedence.
    Loose,
    /// A key without which it is not known what it matches.
    Condition,
}

impl Section {
    pub(super) const NAMES: [&str; 2] = ["rule", "safety_checker"];

    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "rule" => Some(Self::Rule),
            "safety_checker" => Some(Self::SafetyChecker),
            _ => None,
        }
    }

    /// Parses a section of this kind. `lost` are its keys on lines that could not be parsed. `None` if it must not be
    /// used.
    pub(super) fn read(self, item: &Item<'_>, lost: &[String], notes: &mut Notes<'_>) -> Option<Rule> {
        let DeValue::Table(table) = item.get_ref() else {
            notes.add(item.span().start, Fault::NotATable);
            return None;
        };
        let decision = match self {
            Self::Rule => decision(item, table, lost, notes),
            Self::SafetyChecker => Some(Decision::AskUser),
        };
        let mut draft = Draft::new(self, decision.unwrap_or(Decision::AskUser), item, notes);
        for key in lost {
            draft.harm(harm_of_lost(key));
        }
        for (key, value) in table {
            draft.read(key, value);
        }
        draft.check_whole(item, table, lost);
        decision.and_then(|_| draft.finish())
    }
}

/// A rule that is being parsed.
struct Draft<'n, 't> {
    section: Section,
    notes: &'n mut Notes<'t>,
    harm: Harm,
    rule: Rule,
}

/// The keys that are not conditions.
const REMARKS: [&str; 8] =
    ["allowRedirection", "allow_redirection", "denyMessage", "deny_message", "name", "reason", "match", "not_match"];

impl<'n, 't> Draft<'n, 't> {
    fn new(section: Section, decision: Decision, item: &Item<'_>, notes: &'n mut Notes<'t>) -> Self {
        let rule = Rule {
            origin: Arc::clone(notes.origin()),
            line: notes.place(item.span().start).0,
            decision,
            priority: HIGHEST,
            safety_check: section == Section::SafetyChecker,
            when: When::default(),
            allow_redirection: false,
            deny_message: None,
            name: None,
            reason: None,
            examples: Vec::new(),
        };
        Self { section, notes, harm: Harm::None, rule }
    }

    fn harm(&mut self, harm: Harm) {
        self.harm = self.harm.max(harm);
    }

    /// Adds a problem.
    fn wrong(&mut self, harm: Harm, offset: usize, what: Fault) {
        self.notes.add(offset, what);
        self.harm(harm);
    }

    fn read(&mut self, key: &Spanned<DeString<'_>>, value: &Item<'_>) {
        let name: &str = key.get_ref();
        if self.condition(name, value) {
            return;
        }
        match (self.section, name) {
            (_, "priority") => self.priority(value),
            (_, "name") => self.remark(name, value, |rule| &mut rule.name),
            (_, "reason") => self.remark(name, value, |rule| &mut rule.reason),
            (Section::SafetyChecker, "checker") => self.checker(value),
            (Section::Rule, "safety_checker") => self.checked(),
            (Section::Rule, "decision") => {}
            (Section::Rule, "allowRedirection" | "allow_redirection") => match self.notes.flag(name, value) {
                Some(flag) => self.rule.allow_redirection = flag,
                None => self.harm(Harm::Remark),
            },
            (Section::Rule, "denyMessage" | "deny_message") => self.remark(name, value, |rule| &mut rule.deny_message),
            (Section::Rule, "match" | "not_match") => self.examples(name, value),
            _ => self.unknown(key),
        }
    }

    /// Reads a text for people into a field of the rule.
    fn remark(&mut self, key: &str, value: &Item<'_>, field: fn(&mut Rule) -> &mut Option<String>) {
        match self.notes.text(key, value) {
            Some(text) => *field(&mut self.rule) = Some(text.to_owned()),
            None => self.harm(Harm::Remark),
        }
    }

    fn priority(&mut self, value: &Item<'_>) {
        let number = integer(value.get_ref());
        let priority = match self.section {
            Section::Rule => number.and_then(|number| u16::try_from(number).ok()).filter(|number| *number <= HIGHEST),
            // It decides nothing: a call that a checker is for is asked in any case.
            Section::SafetyChecker => number.map(|_| HIGHEST),
        };
        match priority {
            Some(priority) => self.rule.priority = priority,
            None => {
                self.wrong(Harm::Loose, value.span().start, Fault::Value("priority".to_owned(), Takes::Priority));
            }
        }
    }

    /// Makes a rule with a safety checker ask instead of allow, because the checker is not run here. gemini-cli's own
    /// files have checkers inside rules, which its loader ignores.
    fn checked(&mut self) {
        if self.rule.decision == Decision::Allow {
            self.rule.decision = Decision::AskUser;
            self.rule.reason = Some("its safety checker is not run here, so what it allows is asked".to_owned());
        }
    }

    fn checker(&mut self, value: &Item<'_>) {
        let table = value.get_ref().as_table();
        let field = |name| table.and_then(|table| table.get(name)).and_then(|value| value.get_ref().as_str());
        match (field("type"), field("name")) {
            (Some("in-process" | "external"), Some(name)) => {
                self.rule.reason =
                    Some(format!("the safety checker `{name}` is not run here, so what it is for is asked"));
            }
            _ => self.wrong(Harm::Remark, value.span().start, Fault::Value("checker".to_owned(), Takes::Checker)),
        }
    }

    /// Parses `match` or `not_match`.
    fn examples(&mut self, key: &str, value: &Item<'_>) {
        let entries = self.notes.entries(key, value, Takes::Examples, |value| match value {
            DeValue::String(text) => Some(ExampleInput::Text(text.to_string())),
            DeValue::Table(table) => object(table).map(ExampleInput::Input),
            _ => None,
        });
        if entries.incomplete {
            self.harm(Harm::Remark);
        }
        let read = entries.read.into_iter().map(|(item, input)| {
            let (line, column) = self.notes.place(item.span().start);
            Example { line, column, should_match: key == "match", input }
        });
        self.rule.examples.extend(read);
        self.rule.examples.sort_by_key(|example| !example.should_match);
    }

    fn unknown(&mut self, key: &Spanned<DeString<'_>>) {
        let others = ["decision", "priority"];
        let known: Vec<&'static str> = condition::KEYS.into_iter().chain(REMARKS).chain(others).collect();
        self.notes.unknown(Fault::UnknownKey, key, &known);
        let meant = nearest(key.get_ref(), &known);
        let condition = meant.is_some_and(|meant| condition::KEYS.contains(&meant));
        self.harm(if condition { Harm::Condition } else { Harm::Loose });
    }

    /// Checks the keys together.
    fn check_whole(&mut self, item: &Item<'_>, table: &DeTable<'_>, lost: &[String]) {
        let header = item.span().start;
        let missing = |key: &str| !table.contains_key(key) && !lost.iter().any(|lost| lost == key);
        self.check_conditions(header, table);
        for (one, other) in [("allowRedirection", "allow_redirection"), ("denyMessage", "deny_message")] {
            if let (true, Some((key, _))) = (table.contains_key(one), table.get_key_value(other)) {
                self.wrong(Harm::Remark, key.span().start, Fault::BothSpellings(other, one));
            }
        }
        match self.section {
            Section::Rule if missing("priority") => {
                self.wrong(Harm::Loose, header, Fault::NoPriority);
            }
            Section::SafetyChecker if missing("checker") => {
                self.wrong(Harm::Remark, header, Fault::NoChecker);
            }
            _ => {}
        }
    }

    /// Returns the rule, if it may be used in spite of its problems.
    fn finish(self) -> Option<Rule> {
        let bearable = match self.rule.decision {
            Decision::Allow => Harm::None,
            // A rule that asks about too much would hide the denies below it.
            Decision::AskUser if !self.rule.safety_check => Harm::Remark,
            Decision::AskUser | Decision::Deny => Harm::Loose,
        };
        (self.harm <= bearable).then_some(self.rule)
    }
}

fn decision(item: &Item<'_>, table: &DeTable<'_>, lost: &[String], notes: &mut Notes<'_>) -> Option<Decision> {
    let Some(value) = table.get("decision") else {
        if !lost.iter().any(|key| key == "decision") {
            notes.add(item.span().start, Fault::NoDecision);
        }
        return None;
    };
    match value.get_ref().as_str() {
        Some("allow") => Some(Decision::Allow),
        Some("deny") => Some(Decision::Deny),
        Some("ask_user") => Some(Decision::AskUser),
        _ => {
            notes.add(value.span().start, Fault::Value("decision".to_owned(), Takes::Decision));
            None
        }
    }
}

fn harm_of_lost(key: &str) -> Harm {
    match key {
        "priority" => Harm::Loose,
        key if REMARKS.contains(&key) => Harm::Remark,
        _ => Harm::Condition,
    }
}
