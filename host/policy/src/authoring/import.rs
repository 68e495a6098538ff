//! Imports Claude Code's own permission rules: `permissions` of its `settings.json`.
//!
//! Claude Code evaluates its lists in a fixed order (deny, ask, allow) and does not look for the most specific rule, so
//! each list is imported with a priority of its own: 300, 200 and 100. An entry is imported according to
//! code.claude.com/docs/en/permissions:
//!
//! | entry | rule |
//! |---|---|
//! | `Tool` | `toolName` |
//! | `Bash(npm run *)`, `Bash(npm run:*)` | `commandPrefix = "npm run"` |
//! | `Bash(ls*)`, `Bash(git * main)`, `Bash(npm test)` | `commandRegex`: without a word boundary; `*` is any text; exactly that |
//! | `Read(x)`, `Edit(x)` | `paths`, for all tools that read, or that write |
//! | `/x` in it | `//folder/x`: below the project, or below the folder of the settings |
//! | `WebFetch(domain:x)` | `domains` |
//! | `mcp__s`, `mcp__s__*`, `mcp__s__t` | `toolName` |
//! | `Agent(x)`, `Skill(x)`, `Tool(param:value)` | `argsPattern` |
//!
//! Where that is not possible, the import is tighter, never looser, and notes it in a comment and in [`Import::notes`]:
//!
//! * An allow that cannot be expressed is left out. A deny or an ask that cannot be expressed makes the whole tool
//!   asked.
//! * An allow of a project's settings applies only below that project; its denies and asks apply everywhere.
//! * An allow of a tool by its name alone covers only that tool; a deny of `Read` or `Edit` covers all tools that read
//!   or write.
//! * Claude Code recognises fewer wrappers than the judge, so a command that another one starts is asked, by one rule
//!   of priority 50.
//! * Other settings (`defaultMode`, `additionalDirectories`) allow nothing here.

mod command;
mod draft;
mod entry;
mod files;
mod note;
mod others;

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use self::draft::Draft;
use self::entry::Entry;
pub use self::note::{Cited, Note, Unread, Unsupported, Warning};
use crate::authoring::examples;
use crate::authoring::write::{RuleText, below, comment};
use crate::file::{Fault, File};
use crate::known::LOOKED_PAST;
use crate::programs;
use crate::rules::decision::Decision;
use crate::rules::rule::{Arguments, Origin, Rule, Tier};

/// The settings of Claude Code that are imported.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The absolute path of the imported file.
    pub file: &'a Path,
    /// The user's home directory.
    pub home: Option<&'a Path>,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The imported rules as the text of a policy file.
    pub toml: String,
    /// Notes for a person: entries that were left out or made tighter, and rules that allow more than they seem to.
    pub notes: Vec<Note>,
}

/// The lists in order of precedence, with the priority of their rules.
const LISTS: [(&str, Decision, u16); 3] =
    [("deny", Decision::Deny, 300), ("ask", Decision::AskUser, 200), ("allow", Decision::Allow, 100)];

/// The priority of the rule that asks for wrappers; it is below the rules that allow such a wrapper itself.
const WRAPPERS: u16 = 50;

/// Imports the permissions of `settings`.
pub fn claude(settings: &Value, source: &Source<'_>) -> Import {
    let mut import = Import { toml: String::new(), notes: Vec::new() };
    import.header(source);
    match settings.get("permissions") {
        _ if !settings.is_object() => import.unreadable(Unread::Settings, source),
        None => import.note(Note::NoPermissions),
        Some(Value::Object(permissions)) => {
            for (list, decision, priority) in LISTS {
                match permissions.get(list) {
                    None => {}
                    Some(Value::Array(entries)) => {
                        let mut seen = HashSet::new();
                        for text in entries.iter().filter(|text| seen.insert(*text)) {
                            import.entry(text, list, decision, priority, source);
                        }
                    }
                    Some(_) if decision == Decision::Allow => import.note(Note::AllowIsNoList),
                    Some(_) => import.unreadable(Unread::List(list), source),
                }
            }
            import.wrappers(source);
            import.besides(permissions);
        }
        Some(_) => import.unreadable(Unread::Permissions, source),
    }
    import
}

impl Import {
    fn header(&mut self, source: &Source<'_>) {
        let file = source.file.display();
        self.toml.push_str(&comment(&format!(
            "From Claude Code's settings, {file}.\n\
             It asks its lists in this order: deny (here priority 300), ask (200), allow (100)."
        )));
        if let Some(project) = source.project() {
            let what = format!("The allows hold below {} only; denies and asks hold everywhere.", project.display());
            self.toml.push_str(&comment(&what));
        }
    }

    fn entry(&mut self, text: &Value, list: &'static str, decision: Decision, priority: u16, source: &Source<'_>) {
        let Some(entry) = text.as_str().and_then(|text| Entry::read(text, decision)) else {
            return match decision {
                Decision::Allow => self.note(Note::NoRule(text.to_string())),
                _ => self.unreadable(Unread::Entry(list, text.to_string()), source),
            };
        };
        let cited = Cited { list, entry: entry.text.to_owned() };
        let (entry, misspelt) = entry.with_known_tool();
        match drafts(&entry, source) {
            Ok(drafts) => {
                for draft in drafts {
                    let warnings = misspelt.iter().chain(&draft.warnings);
                    let warnings: Vec<_> =
                        warnings.cloned().map(|warning| Note::Warning(cited.clone(), warning)).collect();
                    let reason = format!("Claude Code's {list} {} ({})", entry.text, source.file.display());
                    let rule =
                        warnings.iter().fold(draft.rule.clone(), |rule, warning| rule.comment(&warning.to_string()));
                    let rule =
                        rule.texts("cwd", &source.cwd(decision)).decides(decision, priority).text("reason", &reason);
                    self.rule(&rule.texts("match", &draft.matching).texts("not_match", &draft.not_matching));
                    self.notes.extend(warnings);
                }
            }
            Err(why) if why.is_moot() || decision == Decision::Allow => self.note(Note::LeftOut(cited, why)),
            Err(why) => self.ask_all(entry.tool, Unread::Unsupported(cited, why), source),
        }
    }

    /// Adds a rule that asks for wrappers. The judge decides `env npm test` by the command that it starts; Claude Code
    /// asks for it, even if `npm test` is allowed.
    fn wrappers(&mut self, source: &Source<'_>) {
        let rules = parse(&self.toml).rules;
        let all = |rule: &Rule| matches!(rule.when.arguments, Arguments::Any);
        let mut allows = rules.iter().filter(|rule| rule.decision == Decision::Allow && is_of_shell(rule)).map(all);
        // A rule that allows every command allows these as well.
        if allows.next().is_none_or(|all| all) || allows.any(|all| all) {
            return;
        }
        let names: Vec<&str> = programs::transparent().filter(|name| !LOOKED_PAST.contains(name)).collect();
        let what = "Claude Code asks for a command that one of these starts, even where it allows that command.\n\
                    Without this rule what they start decides.";
        let reason = format!("Claude Code does not look past these ({})", source.file.display());
        let rule = RuleText::default().comment(what).text("toolName", "Bash").texts("commandPrefix", &names);
        self.rule(&rule.decides(Decision::AskUser, WRAPPERS).text("reason", &reason));
    }

    /// Asks for every call, because an entry that may deny cannot be read.
    fn unreadable(&mut self, why: Unread, source: &Source<'_>) {
        self.ask_all("*", why, source);
    }

    fn ask_all(&mut self, tool: &str, why: Unread, source: &Source<'_>) {
        let note = Note::Asked { why, tool: (tool != "*").then(|| tool.to_owned()) };
        let what = note.to_string();
        let reason = format!("{what} ({})", source.file.display());
        let rule = RuleText::default().comment(&what).text("toolName", tool);
        self.rule(&rule.decides(Decision::AskUser, 200).text("reason", &reason));
        self.notes.push(note);
    }

    fn rule(&mut self, rule: &RuleText) {
        self.toml.push_str(&format!("\n{rule}"));
    }

    /// Notes an entry that is not a rule.
    fn note(&mut self, note: Note) {
        self.toml.push_str(&format!("\n{}", comment(&note.to_string())));
        self.notes.push(note);
    }

    /// Notes the other settings, which have no effect here.
    fn besides(&mut self, permissions: &serde_json::Map<String, Value>) {
        if let Some(mode) = permissions.get("defaultMode") {
            self.note(Note::DefaultMode(mode.to_string()));
        }
        if let Some(folders) = permissions.get("additionalDirectories") {
            self.note(Note::AdditionalDirectories(folders.to_string()));
        }
    }
}

/// Returns the rules of an entry, each of which loads.
fn drafts(entry: &Entry<'_>, source: &Source<'_>) -> Result<Vec<Draft>, Unsupported> {
    let drafts = match entry.tool {
        "Bash" => command::drafts(entry),
        "Read" | "Grep" | "Glob" | "LS" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => {
            files::drafts(entry, source)
        }
        _ => others::drafts(entry),
    }?;
    drafts.into_iter().map(|draft| checked(draft, entry.decision)).collect()
}

/// Returns a rule that loads, without its examples if the engine holds an allow of them back.
fn checked(draft: Draft, decision: Decision) -> Result<Draft, Unsupported> {
    if problem(&draft, decision).is_none() {
        return Ok(draft);
    }
    let bare = Draft { matching: Vec::new(), not_matching: Vec::new(), ..draft };
    problem(&bare, decision).map_or(Ok(bare), |fault| Err(Unsupported::Rule(Box::new(fault))))
}

/// Returns the problem that the rule would have when its file is loaded.
fn problem(draft: &Draft, decision: Decision) -> Option<Fault> {
    let rule = draft.rule.clone().decides(decision, 0);
    let rule = rule.texts("match", &draft.matching).texts("not_match", &draft.not_matching);
    parse(&rule.to_string()).problems.into_iter().next().map(|problem| problem.what)
}

fn parse(toml: &str) -> File {
    examples::checked(File::parse(
        toml,
        Origin { tier: Tier::User, path: "imported".into(), root: None, trusted: true },
    ))
}

fn is_of_shell(rule: &Rule) -> bool {
    rule.when.tools.iter().flatten().any(|tool| tool.as_str() == "Bash")
}

impl<'a> Source<'a> {
    /// Returns the folder that `/x` is relative to: the project of project settings, otherwise the folder of the file.
    fn anchor(&self) -> Option<&'a Path> {
        self.project().or(self.file.parent())
    }

    /// Returns the project that the settings belong to. Settings in the home directory are the user's own and belong to
    /// none.
    fn project(&self) -> Option<&'a Path> {
        let folder = self.file.parent().filter(|folder| folder.file_name().is_some_and(|name| name == ".claude"))?;
        folder.parent().filter(|project| Some(*project) != self.home)
    }

    /// Returns the folders to which a rule is restricted: allows to the project.
    fn cwd(&self, decision: Decision) -> Vec<String> {
        let folder = self.project().filter(|_| decision == Decision::Allow);
        folder.map(|folder| below(folder, "/**")).into_iter().collect()
    }
}

#[cfg(test)]
mod tests;
