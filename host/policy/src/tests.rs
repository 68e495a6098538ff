//! The engine as a whole: policies as people write them, and what they decide.

mod around;
mod bypasses;
mod conditions;
mod covered;
mod decisions;
mod entered;
mod everyday;
mod hidden;
mod index;
mod told;
mod wrapped;

use crate::authoring::examples::checked;
use std::path::Path;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::file::File;
use crate::{Call, Decision, Origin, Policy, Roots, Tier};

pub(crate) use Decision::{Allow, AskUser, Deny};

/// Returns a policy of one file of the user's.
pub(crate) fn user(text: &str) -> Policy {
    Policy::new(vec![file(text, Tier::User, true)])
}

pub(crate) fn file(text: &str, tier: Tier, trusted: bool) -> File {
    checked(File::parse(
        text,
        Origin { tier, path: format!("{tier:?}.toml").to_lowercase().into(), root: None, trusted },
    ))
}

/// Returns the fixed places of a machine: the user `/home/me` works in `/work`.
pub(crate) fn roots() -> Roots {
    Roots {
        home: Some("/home/me".into()),
        state: Some("/home/me/.claude/dm-plz".into()),
        admin: Some("/etc/dmplz".into()),
        client: Some("/home/me/.claude".into()),
        workspaces: vec!["/work".into()],
        components: vec!["/opt/x/messenger.wasm".into()],
    }
}

/// As [`user`], but asserts that every rule loads.
pub(crate) fn sound(text: &str) -> Policy {
    let policy = user(text);
    assert_eq!(policy.problems().iter().map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new(), "{text}");
    policy
}

pub(crate) fn now() -> Timestamp {
    "2026-11-22T05:00:00Z".parse().unwrap()
}

pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other}"),
    }
}

/// Returns the decision about a call in /work, in the default mode.
pub(crate) fn call(policy: &Policy, tool: &str, input: Value) -> Decision {
    decide(policy, tool, input, |call| call)
}

pub(crate) fn decide(
    policy: &Policy,
    tool: &str,
    input: Value,
    with: impl for<'a> FnOnce(Call<'a>) -> Call<'a>,
) -> Decision {
    let input = object(input);
    let mut call = Call::new(tool, &input, now());
    call.mode = Some("default");
    call.cwd = Some(Path::new("/work"));
    call.home = Some(Path::new("/home/me"));
    let call = with(call);
    let decision = policy.check(&call).decision;
    assert_eq!(policy.explain(&call).decision, decision, "explained as it is decided: {tool} {:?}", call.input);
    decision
}

/// Checks that each line is decided as expected, and names all that are not.
#[track_caller]
pub(crate) fn each_is(expected: Decision, lines: &[&str], of: impl Fn(&str) -> Decision) {
    let wrong: Vec<String> = lines
        .iter()
        .map(|line| (line, of(line)))
        .filter(|(_, is)| *is != expected)
        .map(|(line, is)| format!("{is:?}: {line}"))
        .collect();
    assert!(wrong.is_empty(), "not {expected:?}:\n{}", wrong.join("\n"));
}

/// Returns the decision about a command.
pub(crate) fn bash(policy: &Policy, command: &str) -> Decision {
    call(policy, "Bash", json!({ "command": command }))
}
