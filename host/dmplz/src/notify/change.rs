//! A change of `[notify]` or of the sources of hooks in `config.toml`. Comments, order and all other keys stay as they are.
//!
//! The new text is read as `dmplz serve` would read it, and is written only if that succeeds: at once and whole.

use std::path::Path;

use dmplz_core::claude::SettingsFile;
use dmplz_gateway::notices::webhook::Key;
use dmplz_plugin::Endpoint;
use dmplz_protocol::notify::settings::{Change, ChangeNotify, NotChanged};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, Value, value};

use super::settings::{NotifySettings, is_name};
use super::versions::{HOOKS, Versions};
use crate::hooks;
use crate::settings::edit::{self, FileError};
use crate::settings::{NOTIFY, environment};

/// The longest value of a key, in bytes.
const LONGEST: usize = 4_096;

/// Changes the file, if it has what the person saw.
pub(super) fn apply(file: &Path, wanted: &ChangeNotify, versions: &Versions) -> Result<(), NotChanged> {
    edit::change(file, |text| {
        if versions.of(text) != wanted.version {
            return Err(wrong(Some("version"), "the settings file has changed meanwhile; look at it again"));
        }
        let new = changed(text, &wanted.change)?;
        let read = NotifySettings::read(file.to_owned(), &new, &environment);
        let read = read.map_err(|(error, key)| wrong(key, &error.to_string()))?;
        read.quiet().map_err(|error| wrong(Some("zone"), &error.to_string()))?;
        Ok(new)
    })
}

impl From<FileError> for NotChanged {
    fn from(error: FileError) -> Self {
        wrong(None, &format!("the settings file: {error}"))
    }
}

fn wrong(field: Option<&str>, message: &str) -> NotChanged {
    NotChanged { field: field.map(str::to_owned), message: message.to_owned() }
}

/// Returns the text of the file after a change.
fn changed(text: &str, change: &Change) -> Result<String, NotChanged> {
    let mut document: DocumentMut = text.parse().map_err(|_| FileError::Toml)?;
    if let Change::Sources { sources } = change {
        switch(document.as_table_mut(), sources)?;
        return Ok(document.to_string());
    }
    let notify = document.entry(NOTIFY).or_insert_with(|| Item::Table(implicit()));
    let notify =
        notify.as_table_mut().ok_or_else(|| wrong(None, "[notify] is no table, so change the file by hand"))?;
    match change {
        Change::Quiet { quiet, zone } => {
            set(notify, "quiet", quiet)?;
            set(notify, "zone", zone)?;
        }
        Change::Channel { name, new, r#type, values, silent, verbose } => {
            let channel = entry(notify, "channel", name, *new)?;
            if *new {
                set(channel, "type", r#type)?;
            }
            for (key, text) in values {
                check(key, text)?;
                set(channel, key, text)?;
            }
            for (key, is_set) in [("silent", *silent), ("verbose", *verbose)] {
                if is_set || channel.contains_key(key) {
                    replace(channel, key, value(is_set));
                }
            }
        }
        Change::RemoveChannel { name } => remove(notify, "channel", name)?,
        Change::Route { number, events, only, to, detail, after, skip_if, through_quiet } => {
            let routes = routes(notify)?;
            let at = match number {
                Some(number) => number.wrapping_sub(1),
                None => {
                    routes.push(Table::new());
                    routes.len() - 1
                }
            };
            let route = routes.get_mut(at).ok_or_else(|| wrong(None, "there is no route of this number"))?;
            list(route, "events", events)?;
            list(route, "only", only)?;
            list(route, "to", to)?;
            set(route, "detail", detail)?;
            set(route, "after", after)?;
            list(route, "skip_if", skip_if)?;
            set(route, "through_quiet", through_quiet)?;
        }
        Change::RemoveRoute { number } => {
            let routes = routes(notify)?;
            let at = number.wrapping_sub(1);
            if at >= routes.len() {
                return Err(wrong(None, "there is no route of this number"));
            }
            routes.remove(at);
        }
        Change::Template { name, new, title, body } => {
            let template = entry(notify, "template", name, *new)?;
            set(template, "title", title)?;
            set(template, "body", body)?;
        }
        Change::RemoveTemplate { name } => remove(notify, "template", name)?,
        // Its key is no part of [notify].
        Change::Sources { .. } => {}
    }
    Ok(document.to_string())
}

/// Switches sources of hooks, unless the environment does.
fn switch(document: &mut Table, sources: &[String]) -> Result<(), NotChanged> {
    if environment(hooks::SOURCES).is_some() {
        let message = format!("{} in the environment of dmplz serve comes before the file", hooks::SOURCES);
        return Err(wrong(Some(HOOKS), &message));
    }
    if !sources.iter().all(|name| SettingsFile::named(name).is_some()) {
        return Err(wrong(Some(HOOKS), "a source is user, project or local"));
    }
    list(document, HOOKS, sources)
}

/// Checks a value that is otherwise only looked at when `dmplz serve` starts.
fn check(key: &str, text: &str) -> Result<(), NotChanged> {
    match key {
        "url" if !text.is_empty() && Endpoint::check(text).is_err() => {
            Err(wrong(Some("url"), "the URL is no http or https URL"))
        }
        "secret" if !text.is_empty() => {
            Key::parse(text).map(drop).map_err(|error| wrong(Some("secret"), &error.to_string()))
        }
        _ => Ok(()),
    }
}

/// A table without a line of its own.
fn implicit() -> Table {
    let mut table = Table::new();
    table.set_implicit(true);
    table
}

/// Returns the table below a key, which is made if it is missing.
fn table<'t>(parent: &'t mut Table, key: &str) -> Result<&'t mut Table, NotChanged> {
    let item = parent.entry(key).or_insert_with(|| Item::Table(implicit()));
    item.as_table_mut().ok_or_else(|| wrong(None, &format!("{key} is written on one line, so change the file by hand")))
}

/// Returns the channel or template of this name, which must be there unless it is a `new` one.
fn entry<'t>(notify: &'t mut Table, what: &str, name: &str, new: bool) -> Result<&'t mut Table, NotChanged> {
    if !is_name(name) {
        return Err(wrong(Some("name"), &format!("a {what}'s name takes 1 to 32 of a-z, 0-9 and -")));
    }
    let all = table(notify, &format!("{what}s"))?;
    if new == all.contains_key(name) {
        let there_is = if new { "there is a" } else { "there is no" };
        return Err(wrong(Some("name"), &format!("{there_is} {what} of this name")));
    }
    let entry = table(all, name)?;
    entry.set_implicit(false);
    Ok(entry)
}

/// Removes the channel or template of this name.
fn remove(notify: &mut Table, what: &str, name: &str) -> Result<(), NotChanged> {
    let removed = table(notify, &format!("{what}s"))?.remove(name);
    removed.map(drop).ok_or_else(|| wrong(Some("name"), &format!("there is no {what} of this name")))
}

/// Returns the routes, which are made if they are missing.
fn routes(notify: &mut Table) -> Result<&mut ArrayOfTables, NotChanged> {
    let item = notify.entry("routes").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    item.as_array_of_tables_mut()
        .ok_or_else(|| wrong(None, "the routes are written as a list, so change the file by hand"))
}

/// Sets a text, or removes the key where it is empty.
fn set(table: &mut Table, key: &str, text: &str) -> Result<(), NotChanged> {
    put(table, key, text.len(), Some(text.trim()).filter(|text| !text.is_empty()).map(value))
}

/// Sets a list of texts, or removes the key where it is empty.
fn list(table: &mut Table, key: &str, texts: &[String]) -> Result<(), NotChanged> {
    let new = (!texts.is_empty()).then(|| value(texts.iter().map(String::as_str).collect::<Array>()));
    put(table, key, texts.iter().map(String::len).sum(), new)
}

/// Sets a value of so many bytes, or removes the key where there is none.
fn put(table: &mut Table, key: &str, bytes: usize, new: Option<Item>) -> Result<(), NotChanged> {
    if bytes > LONGEST {
        return Err(wrong(Some(key), &format!("it has more than {LONGEST} bytes")));
    }
    match new {
        Some(new) => replace(table, key, new),
        None => drop(table.remove(key)),
    }
    Ok(())
}

/// Sets a value. One that is there keeps its place and the comment behind it, and is not touched if it stays the same.
fn replace(table: &mut Table, key: &str, new: Item) {
    let (Some(Item::Value(before)), Item::Value(mut after)) = (table.get_mut(key), new.clone()) else {
        table.insert(key, new);
        return;
    };
    if content(before) != content(&after) {
        *after.decor_mut() = before.decor().clone();
        *before = after;
    }
}

/// Returns a value without the blanks and comments around its parts.
fn content(value: &Value) -> String {
    match value {
        Value::Array(array) => array.iter().map(|item| format!("{}\n", content(item))).collect(),
        Value::String(text) => text.value().clone(),
        other => other.to_string().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const FILE: &str = r#"# mine
lang = "en"

[notify.channels.phone] # the small one
type = "messenger"
messenger = 'telegram' # by the bot

# what matters
[[notify.routes]]
events = [
    "Stop", # turns
]
to = ["phone"]
"#;

    fn route(number: Option<usize>, events: &[&str], detail: &str, after: &str) -> Change {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Change::Route {
            number,
            events: texts(events),
            only: Vec::new(),
            to: texts(&["phone"]),
            detail: detail.to_owned(),
            after: after.to_owned(),
            skip_if: Vec::new(),
            through_quiet: String::new(),
        }
    }

    fn channel(name: &str, new: bool, r#type: &str, values: &[(&str, &str)], verbose: bool) -> Change {
        let values = values.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned()));
        let (name, r#type) = (name.to_owned(), r#type.to_owned());
        Change::Channel { name, new, r#type, values: values.collect::<BTreeMap<_, _>>(), silent: false, verbose }
    }

    fn apply_to(text: &str, change: Change) -> Result<String, NotChanged> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.toml");
        std::fs::write(&file, text).unwrap();
        let versions = Versions::default();
        let done = apply(&file, &ChangeNotify { version: versions.of(text), change }, &versions);
        let after = std::fs::read_to_string(&file).unwrap();
        if done.is_err() {
            assert_eq!(after, text, "what is refused leaves the file as it was");
        }
        done.map(|()| after)
    }

    #[test]
    fn a_change_keeps_comments_order_and_everything_else() {
        let text = apply_to(FILE, route(Some(1), &["Stop"], "normal", "")).unwrap();
        let text =
            apply_to(&text, channel("team", true, "discord", &[("url", "https://discord.com/x")], false)).unwrap();
        let text = apply_to(&text, channel("phone", false, "", &[], true)).unwrap();
        let Change::Channel { name, new, r#type, values, verbose, .. } = channel("phone", false, "", &[], true) else {
            panic!("a channel");
        };
        let text = apply_to(&text, Change::Channel { name, new, r#type, values, silent: true, verbose }).unwrap();
        let quiet = Change::Quiet { quiet: "22:00-07:00".into(), zone: "UTC".into() };
        let text = apply_to(&text, quiet).unwrap();
        let text = apply_to(&text, route(None, &["RequestAsked"], "minimal", "90s")).unwrap();
        insta::assert_snapshot!(text, @r#"
        # mine
        lang = "en"

        [notify]
        quiet = "22:00-07:00"
        zone = "UTC"

        [notify.channels.phone] # the small one
        type = "messenger"
        messenger = 'telegram' # by the bot
        verbose = true
        silent = true

        [notify.channels.team]
        type = "discord"
        url = "https://discord.com/x"

        # what matters
        [[notify.routes]]
        events = [
            "Stop", # turns
        ]
        to = ["phone"]
        detail = "normal"

        [[notify.routes]]
        events = ["RequestAsked"]
        to = ["phone"]
        detail = "minimal"
        after = "90s"
        "#);
    }

    #[test]
    fn an_empty_file_gets_its_first_channel_and_loses_it_again() {
        let text = apply_to("", channel("desk", true, "desktop", &[], false)).unwrap();
        insta::assert_snapshot!(text, @r#"
        [notify.channels.desk]
        type = "desktop"
        "#);
        assert_eq!(apply_to(&text, Change::RemoveChannel { name: "desk".into() }).unwrap().trim(), "");
    }

    #[test]
    fn a_template_is_added_changed_and_removed() {
        let template = |new: bool, title: &str, body: &str| Change::Template {
            name: "short".into(),
            new,
            title: title.into(),
            body: body.into(),
        };
        let text = apply_to(FILE, template(true, "{{event.title}}", "{{event.subject}}\n{{event.summary}}")).unwrap();
        assert!(text.starts_with(FILE), "{text}");
        insta::assert_snapshot!(text.strip_prefix(FILE).unwrap(), @r#"

        [notify.templates.short]
        title = "{{event.title}}"
        body = """
        {{event.subject}}
        {{event.summary}}"""
        "#);
        let named = apply_to(&text, channel("phone", false, "", &[("template", "short")], false)).unwrap();
        let kept = apply_to(&named, Change::RemoveTemplate { name: "short".into() }).unwrap_err();
        assert_eq!(kept.field.as_deref(), Some("template"));
        let changed = apply_to(&text, template(false, "", "{{event.name}}")).unwrap();
        assert!(!changed.contains("title =") && changed.contains("body = \"{{event.name}}\""), "{changed}");
        assert_eq!(apply_to(&changed, Change::RemoveTemplate { name: "short".into() }).unwrap().trim(), FILE.trim());
        for (change, field) in [
            (template(false, "", ""), "name"),
            (template(true, "{{event.tilte}}", ""), "title"),
            (template(true, "", "{{event.tilte}}"), "body"),
            (Change::Template { name: "line".into(), new: true, title: "x".into(), body: String::new() }, "name"),
            (Change::RemoveTemplate { name: "none".into() }, "name"),
        ] {
            assert_eq!(apply_to(FILE, change).unwrap_err().field.as_deref(), Some(field));
        }
    }

    #[test]
    fn sources_of_hooks_are_switched_beside_everything_else() {
        let sources =
            |names: &[&str]| Change::Sources { sources: names.iter().map(|name| (*name).to_owned()).collect() };
        let text = apply_to(FILE, sources(&["user", "project"])).unwrap();
        assert!(text.contains("lang = \"en\"\nhooks = [\"user\", \"project\"]\n"), "{text}");
        assert_eq!(apply_to(&text, sources(&[])).unwrap(), FILE);
        assert_eq!(apply_to(FILE, sources(&["managed"])).unwrap_err().field.as_deref(), Some(HOOKS));
    }

    #[test]
    fn a_wrong_value_is_named_with_its_key_and_changes_nothing() {
        let quiet = |quiet: &str, zone: &str| Change::Quiet { quiet: quiet.into(), zone: zone.into() };
        for (change, field) in [
            (quiet("22-7", ""), Some("quiet")),
            (quiet("22:00-07:00", "Mars/Base"), Some("zone")),
            (channel("Phone!", true, "desktop", &[], false), Some("name")),
            (channel("phone", true, "desktop", &[], false), Some("name")),
            (channel("fax", false, "", &[], false), Some("name")),
            (channel("fax", true, "fax", &[], false), Some("type")),
            (channel("team", true, "discord", &[("thread", "a")], false), Some("thread")),
            (channel("team", true, "discord", &[("url", "file:///etc/passwd")], false), Some("url")),
            // `dmplz serve` would refuse it when it starts.
            (channel("team", true, "discord", &[("url", "https://ada:pw@discord.com/x")], false), Some("url")),
            (channel("ops", true, "webhook", &[("secret", "hunter2")], false), Some("secret")),
            (channel("phone", false, "", &[("template", "none")], false), Some("template")),
            (channel("phone", false, "", &[("messenger", "")], false), Some("messenger")),
            (route(Some(1), &[], "minimal", ""), Some("events")),
            (route(Some(1), &["Stopp"], "minimal", ""), Some("events")),
            (route(Some(1), &["Stop"], "verbose", ""), Some("detail")),
            (route(Some(1), &["Stop"], "loud", ""), Some("detail")),
            (route(Some(1), &["Stop"], "minimal", "5m"), Some("after")),
            (route(Some(9), &["Stop"], "minimal", ""), None),
            (route(Some(0), &["Stop"], "minimal", ""), None),
            (Change::RemoveRoute { number: 2 }, None),
            (Change::RemoveChannel { name: "phone".into() }, Some("to")),
        ] {
            let refused = apply_to(FILE, change).unwrap_err();
            assert_eq!(refused.field.as_deref(), field, "{refused}");
            assert!(!refused.message.contains("hunter2") && !refused.message.is_empty());
        }
    }

    #[test]
    fn a_change_of_what_nobody_saw_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (file, versions) = (dir.path().join("config.toml"), Versions::default());
        std::fs::write(&file, FILE.replace("Stop", "StopFailure")).unwrap();
        let change = ChangeNotify { version: versions.of(FILE), change: Change::RemoveRoute { number: 1 } };
        assert_eq!(apply(&file, &change, &versions).unwrap_err().field.as_deref(), Some("version"));
        // What another table has is no reason.
        std::fs::write(&file, FILE.replace("lang = \"en\"", "lang = \"ko\"")).unwrap();
        apply(&file, &change, &versions).unwrap();
        assert!(!std::fs::read_to_string(&file).unwrap().contains("routes"));
    }
}
