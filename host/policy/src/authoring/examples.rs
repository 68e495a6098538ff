//! Checks a rule against its own examples.
//!
//! A rule is judged alone: without any other rule, in the mode and at the server that it names, trusted, and not
//! expired.
//!
//! | | `match` | `not_match` |
//! |---|---|---|
//! | allow | the whole example is allowed | it is not allowed |
//! | deny | it is denied | it is not denied |
//! | ask | a part of it is asked because of the rule | no part of it is |
//!
//! A text is a command, a path or a URL, depending on the subject of the rule; a table is a whole input. Paths are
//! resolved in the folder of the policy, or in [`FOLDER`] with the home directory [`HOME`].

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::call::Call;
use crate::file::{Because, Failure, Fault, File};
use crate::judge::Policy;
use crate::rules::decision::Decision;
use crate::rules::rule::{Arguments, Example, ExampleInput, Origin, Rule, When};
use crate::tools::{self, Kind};
use crate::why::Why;

/// The agent's working directory in examples of a policy that belongs to no folder.
pub const FOLDER: &str = "/home/me/project";

/// The home directory in examples.
pub const HOME: &str = "/home/me";

/// Returns the file with its failing examples added to its problems. The caller is the code that loads a policy: while
/// a file has a problem, none of its allows has an effect.
pub fn checked(mut file: File) -> File {
    let failures: Vec<_> = file.rules.iter().flat_map(failures).collect();
    file.blame_at(failures.into_iter().map(|failure| (failure.line, failure.column, Fault::Example(failure))));
    file
}

/// Returns the examples of a rule that fail.
pub fn failures(rule: &Rule) -> Vec<Failure> {
    if rule.examples.is_empty() {
        return Vec::new();
    }
    let policy = alone(rule);
    rule.examples.iter().filter_map(|example| failure(rule, &policy, example)).collect()
}

/// Returns a policy of this rule only, without the conditions that every example fulfils.
fn alone(rule: &Rule) -> Policy {
    let origin = Arc::new(Origin { trusted: true, ..Origin::clone(&rule.origin) });
    let mut rule = Rule { origin: Arc::clone(&origin), ..rule.clone() };
    let When { tools, server, arguments, paths, domains, modes, .. } = rule.when;
    rule.when = When { tools, server, arguments, paths, domains, modes, ..When::default() };
    Policy::new(vec![File { origin, rules: vec![rule], problems: Vec::new(), is_unread: false }])
}

fn failure(rule: &Rule, policy: &Policy, example: &Example) -> Option<Failure> {
    let fails = |because: Option<Because>| Failure {
        line: example.line,
        column: example.column,
        example: match &example.input {
            ExampleInput::Text(text) => text.clone(),
            ExampleInput::Input(input) => Value::Object(input.clone()).to_string(),
        },
        should_match: example.should_match,
        because,
    };
    let Some((tool, input)) = call(rule, &example.input) else {
        return Some(fails(Some(Because::Uncertain)));
    };
    let server = rule.when.server.as_ref().map(|server| server.as_str().replace('*', "server"));
    let folder = rule.origin.root.as_deref().unwrap_or(Path::new(FOLDER));
    let call = Call {
        server: server.as_deref(),
        mode: rule.when.modes.first().map(String::as_str),
        cwd: Some(folder),
        home: Some(Path::new(HOME)),
        ..Call::new(&tool, &input, Timestamp::UNIX_EPOCH)
    };
    let judgement = policy.check(&call);
    let holds = match rule.decision {
        Decision::Allow | Decision::Deny => judgement.decision == rule.decision,
        // The decision names one of the parts that are asked, and that part may have no rule.
        Decision::AskUser => policy.explain(&call).units.iter().any(|unit| unit.rule.is_some()),
    };
    let because = match judgement.why {
        Why::Rule | Why::NoRule => None,
        why => Some(Because::Judged(why)),
    };
    (holds != example.should_match).then(|| fails(because))
}

/// Returns the tool and the input of an example. `None` if a text may have several meanings.
fn call(rule: &Rule, input: &ExampleInput) -> Option<(String, Map<String, Value>)> {
    let tool = rule.when.tools.iter().flatten().map(|tool| tool.as_str()).find(|tool| *tool != "*");
    let text = match input {
        ExampleInput::Input(input) => {
            let is_shell = tool.is_none() && rule.when.server.is_none() && input.contains_key("command");
            let tool = tool.unwrap_or(if is_shell { "Bash" } else { "tool" });
            return Some((tool.replace('*', "x"), input.clone()));
        }
        ExampleInput::Text(text) => text,
    };
    let kind = match (tool, &rule.when) {
        (Some(tool), _) => tools::kind(tool),
        (None, When { arguments: Arguments::Prefixes(_) | Arguments::Command(_), .. }) => Kind::Shell,
        (None, When { paths: Some(_), .. }) => Kind::File,
        (None, When { domains: Some(_), .. }) => Kind::Web,
        _ => return None,
    };
    let (usual, key) = match kind {
        Kind::Shell => ("Bash", "command"),
        Kind::File if tool.is_some_and(|tool| tool.starts_with("Notebook")) => ("NotebookEdit", "notebook_path"),
        Kind::File => ("Read", "file_path"),
        Kind::Search => ("Grep", "path"),
        Kind::Web => ("WebFetch", "url"),
        Kind::Question | Kind::Other => return None,
    };
    let input = Map::from_iter([(key.to_owned(), Value::String(text.clone()))]);
    Some((tool.unwrap_or(usual).to_owned(), input))
}

#[cfg(test)]
mod tests;
