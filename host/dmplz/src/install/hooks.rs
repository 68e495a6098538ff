//! The hooks of dmplz in the text of a settings file.
//!
//! A hook belongs to dmplz if its program's file name is `dmplz` and its only argument is `hook`, in the exec form
//! (`command` and `args`) or in the shell form. Everything else in the file is neither interpreted nor changed.

use std::collections::BTreeMap;
use std::path::Path;

use jsonc_parser::ast::{Array, Object, Value};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::document::{Block, Document, Edit, Unfit, member};
use crate::notify::settings::RoutedEvent;
use crate::told::Phrase;

/// The plugin's hooks, the only definition of what is registered for which events.
const PLUGIN: &str = include_str!("../../plugin/hooks/hooks.json");
/// The event that asks, and so may take long.
pub(super) const ASKS: &str = "PermissionRequest";
/// An event that a person registers, so that the policy's denies hold even if the client would not ask. It is left
/// alone until the uninstall.
pub(super) const DENIES: &str = "PreToolUse";

/// A hook as Claude Code reads it, in the exec form: without a shell, so a path may contain anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hook {
    r#type: String,
    pub(super) command: String,
    args: Vec<String>,
    /// Seconds.
    pub(super) timeout: u64,
    /// Whether the client continues meanwhile, and leaves a SessionEnd hook running when it exits. A hook that asks
    /// is not asynchronous.
    #[serde(default, rename = "async", skip_serializing_if = "std::ops::Not::not")]
    pub(super) detached: bool,
}

/// A hook of dmplz, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) event: String,
    /// The program, without the quotes and the argument of the shell form.
    pub(super) program: String,
    /// The time-out in seconds; `None` if the client's default applies.
    pub(super) timeout: Option<u64>,
    /// The matcher, if it limits the hook to some tools.
    pub(super) only: Option<String>,
    /// Whether the client does not wait for it.
    pub(super) detached: bool,
    group: usize,
    index: usize,
}

/// The hooks to register, by event.
pub(super) type Wanted = Vec<(String, Hook)>;

#[derive(Serialize, Deserialize)]
struct Group {
    hooks: Vec<Hook>,
}

/// Returns the hooks of `program`, an absolute path, where asking may take `seconds`. `reported`
/// are the events that notices are sent about. Claude Code ignores what an asynchronous hook wants its terminal to show (2.1.330,
/// observed).
pub(super) fn wanted(program: &str, seconds: u64, reported: &[RoutedEvent]) -> Result<Wanted, serde_json::Error> {
    #[derive(Deserialize)]
    struct File {
        hooks: BTreeMap<String, Vec<Group>>,
    }
    let file: File = serde_json::from_str(PLUGIN)?;
    let mut wanted = Wanted::new();
    for (event, groups) in file.hooks {
        for hook in groups.into_iter().flat_map(|group| group.hooks) {
            let timeout = if event == ASKS { seconds } else { hook.timeout };
            let is_awaited = reported.iter().any(|routed| routed.event.name() == event && routed.is_awaited);
            let detached = hook.detached && !is_awaited;
            wanted.push((event.clone(), Hook { command: program.to_owned(), timeout, detached, ..hook }));
        }
    }
    for RoutedEvent { event, is_awaited } in reported {
        if !wanted.iter().any(|(known, _)| known == event.name()) {
            let (r#type, command, args) = ("command".to_owned(), program.to_owned(), vec!["hook".to_owned()]);
            let hook = Hook { r#type, command, args, timeout: 30, detached: !is_awaited };
            wanted.push((event.name().to_owned(), hook));
        }
    }
    Ok(wanted)
}

/// Returns the text with exactly these hooks of dmplz. A text that already has them is returned unchanged.
pub(super) fn with(text: &str, wanted: &Wanted) -> Result<String, Unfit> {
    let mut text = if text.trim().is_empty() { "{}\n".to_owned() } else { text.to_owned() };
    loop {
        let edits = next(&text, wanted)?;
        if edits.is_empty() {
            return Ok(text);
        }
        // Edits are applied from the end, so that the positions before them stay valid.
        edits.into_iter().rev().for_each(|edit| edit.apply(&mut text));
    }
}

/// Returns the text without any hook of dmplz, and without containers that held nothing else.
pub(super) fn without(text: &str) -> Result<String, Unfit> {
    if text.trim().is_empty() { Ok(text.to_owned()) } else { with(text, &Wanted::new()) }
}

/// Returns the hooks of dmplz in a text.
pub(super) fn find(text: &str) -> Result<Vec<Found>, Unfit> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let document = Document::parse(text)?;
    Ok(events(&document)?.map(ours).unwrap_or_default())
}

/// Returns the next step towards the wanted text, as edits in order; `None` if it is reached.
fn next(text: &str, wanted: &Wanted) -> Result<Vec<Edit>, Unfit> {
    let document = Document::parse(text)?;
    let Some(events) = events(&document)? else {
        let first = wanted.first().map(|(event, hook)| {
            let events = BTreeMap::from([(event, [Group { hooks: vec![hook.clone()] }])]);
            document.append(&Block::object(&document.root), Some("hooks"), &events)
        });
        return Ok(first.into_iter().collect());
    };
    let found = ours(events);
    // Of several, the one for every tool stays.
    let kept = |event: &str| found.iter().filter(|found| found.event == event).min_by_key(|found| found.only.is_some());
    let spare = |one: &&Found| {
        let stays = one.event == DENIES && !wanted.is_empty();
        !stays && (kept(&one.event) != Some(one) || !wanted.iter().any(|(event, _)| *event == one.event))
    };
    if let Some(spare) = found.iter().find(spare) {
        return Ok(remove(&document, events, spare).into_iter().collect());
    }
    for (event, hook) in wanted {
        let edits = match kept(event) {
            Some(found) => mend(&document, events, found, hook)?,
            None => vec![add(&document, events, event, hook)?],
        };
        if !edits.is_empty() {
            return Ok(edits);
        }
    }
    Ok(Vec::new())
}

fn events<'d>(document: &'d Document<'_>) -> Result<Option<&'d Object<'d>>, Unfit> {
    match member(&document.root, "hooks")?.map(|property| &property.value) {
        None => Ok(None),
        Some(Value::Object(events)) => {
            events.properties.iter().try_for_each(|event| member(events, event.name.as_str()).map(drop))?;
            Ok(Some(events))
        }
        Some(_) => Err(Unfit::no_object(Phrase::same("\"hooks\""))),
    }
}

fn ours(events: &Object<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for event in &events.properties {
        let groups = event.value.as_array().map_or(&[][..], |groups| &groups.elements);
        for (group, object) in groups.iter().enumerate() {
            let matcher = object.as_object().and_then(|group| group.get_string("matcher"));
            let only = matcher.map(|text| text.value.to_string()).filter(|text| !matches!(text.as_str(), "" | "*"));
            let hooks = object.as_object().and_then(|group| group.get_array("hooks"));
            for (index, hook) in hooks.map_or(&[][..], |hooks| &hooks.elements).iter().enumerate() {
                let Some(hook) = hook.as_object() else { continue };
                let Some(program) = program(hook) else { continue };
                let timeout = hook.get_number("timeout").and_then(|timeout| timeout.value.parse().ok());
                let event = event.name.as_str().to_owned();
                let detached = hook.get_boolean("async").is_some_and(|value| value.value);
                found.push(Found { event, program, timeout, only: only.clone(), detached, group, index });
            }
        }
    }
    found
}

/// Returns the program of a hook, if it belongs to dmplz.
fn program(hook: &Object<'_>) -> Option<String> {
    let command = hook.get_string("command")?.value.as_ref();
    let program = match hook.get_array("args") {
        Some(args) => {
            let hook = args.elements.first().and_then(Value::as_string_lit).is_some_and(|arg| arg.value == "hook");
            Some(command).filter(|_| hook && args.elements.len() == 1)
        }
        None => command.trim().strip_suffix(" hook").map(|program| program.trim_matches([' ', '"', '\''])),
    }?;
    let name = Path::new(program).file_name()?.to_str()?;
    (name.strip_suffix(".exe").unwrap_or(name) == "dmplz").then(|| program.to_owned())
}

fn add(document: &Document<'_>, events: &Object<'_>, event: &str, hook: &Hook) -> Result<Edit, Unfit> {
    let group = Group { hooks: vec![hook.clone()] };
    let Some(property) = member(events, event)? else {
        return Ok(document.append(&Block::object(events), Some(event), &[group]));
    };
    let place = || Phrase::same(&format!("\"hooks\".{event:?}"));
    let Some(groups) = property.value.as_array() else {
        return Err(Unfit::Shape { place: place(), wants: ["목록", "a list"].into() });
    };
    // An entry that Claude Code cannot read keeps it from loading the valid ones.
    let fits = |group: &Value<'_>| group.as_object().is_some_and(|group| group.get_array("hooks").is_some());
    if !groups.elements.iter().all(fits) {
        let wants = ["\"hooks\" 목록이 있는 객체의 목록", "a list of objects that have a list \"hooks\""];
        return Err(Unfit::Shape { place: place(), wants: wants.into() });
    }
    Ok(document.append(&Block::array(groups), None, &group))
}

/// Returns the edits that complete a hook of dmplz; properties that a person added stay.
fn mend(document: &Document<'_>, events: &Object<'_>, found: &Found, hook: &Hook) -> Result<Vec<Edit>, Unfit> {
    let Some(entry) = entry(events, found) else { return Ok(Vec::new()) };
    let plain = serde_json::to_value(hook).map_err(|error| Unfit::NotJson(error.to_string()))?;
    let (mut replaced, mut added) = (Vec::new(), Vec::new());
    for key in ["type", "command", "args", "timeout", "async"] {
        let wanted = plain.get(key).cloned().unwrap_or(false.into());
        match member(entry, key)? {
            None if wanted == false => {}
            None => added.push(document.append(&Block::object(entry), Some(key), &wanted)),
            Some(held) if serde_json::from_str(document.slice(&held.value)).is_ok_and(|held: Json| held == wanted) => {}
            Some(held) => replaced.push(document.replace(&held.value, &wanted)),
        }
    }
    replaced.sort_by_key(Edit::position);
    Ok(replaced.into_iter().chain(added).collect())
}

fn remove(document: &Document<'_>, events: &Object<'_>, found: &Found) -> Option<Edit> {
    let (hooks, groups) = (hooks(events, found)?, groups(events, &found.event)?);
    let index = |object: &Object<'_>, name: &str| {
        object.properties.iter().position(|property| property.name.as_str() == name).unwrap_or_default()
    };
    let (block, at) = if hooks.elements.len() > 1 {
        (Block::array(hooks), found.index)
    } else if groups.elements.len() > 1 {
        (Block::array(groups), found.group)
    } else if events.properties.len() > 1 {
        (Block::object(events), index(events, &found.event))
    } else {
        (Block::object(&document.root), index(&document.root, "hooks"))
    };
    Some(Document::remove(&block, at))
}

fn groups<'o, 't>(events: &'o Object<'t>, event: &str) -> Option<&'o Array<'t>> {
    events.properties.iter().find(|property| property.name.as_str() == event)?.value.as_array()
}

fn hooks<'o, 't>(events: &'o Object<'t>, found: &Found) -> Option<&'o Array<'t>> {
    groups(events, &found.event)?.elements.get(found.group)?.as_object()?.get_array("hooks")
}

fn entry<'o, 't>(events: &'o Object<'t>, found: &Found) -> Option<&'o Object<'t>> {
    hooks(events, found)?.elements.get(found.index)?.as_object()
}
