//! The settings of notices as the page sees and changes them, from `config.toml` as it is now.
//!
//! `dmplz serve` goes on with what it read when it started. A change that it has not read yet is said to be so.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use dmplz_core::claude::occurrence;
use dmplz_core::notify::template::Path;
use dmplz_core::notify::{EventKind, Template};
use dmplz_core::text::Lang;
use dmplz_gateway::PageSettings;
use dmplz_hooks::input::{Defaults, Input};
use dmplz_protocol::notify::settings::{
    ChangeNotify, HookChanges, HookList, ListHooks, NotChanged, NotifyStatus, Preview, PreviewNotice, ShowHookChanges,
    TrustHooks,
};
use dmplz_state::found;
use dmplz_state::store::ChannelRow;

use super::settings::NotifySettings;
use super::versions::Versions;
use super::{change, dry_run, list, send};
use crate::settings::{config_file, environment};
use crate::{hooks, plain_file, time, trouble};

/// The settings file of a running gateway.
pub(crate) struct Page {
    file: PathBuf,
    lang: Lang,
    /// The messengers that the gateway serves.
    messengers: Vec<String>,
    versions: Versions,
    /// What the file had when the gateway read it.
    read: String,
    /// Held while the file is changed.
    changing: Mutex<()>,
}

impl Page {
    /// Takes the file as the gateway reads it now. `messengers` are those that the gateway serves.
    pub(crate) fn open(state_dir: &std::path::Path, lang: Lang, messengers: Vec<String>) -> Self {
        let (file, versions) = (config_file(state_dir), Versions::default());
        let read = versions.of_notices(&plain_file::text(&file).unwrap_or_default());
        Self { file, lang, messengers, versions, read, changing: Mutex::default() }
    }

    /// Returns the file's text and what it has of notices, or why that cannot be used.
    fn load(&self) -> (String, Result<NotifySettings, String>) {
        let text = match found(plain_file::text(&self.file)) {
            Ok(text) => text.unwrap_or_default(),
            Err(error) => return (String::new(), Err(error.to_string())),
        };
        let notify = NotifySettings::read(self.file.clone(), &text, &environment);
        let notify = notify.map_err(|(error, _)| error).and_then(|notify| notify.quiet().map(|_| notify));
        (text, notify.map_err(|error| error.to_string()))
    }
}

impl PageSettings for Page {
    fn status(&self, states: Vec<ChannelRow>) -> NotifyStatus {
        let (text, notify) = self.load();
        let (sources, is_environment) = trouble::report(hooks::sources()).unwrap_or_default();
        let status = NotifyStatus {
            file: self.file.display().to_string(),
            stale: self.versions.of_notices(&text) != self.read,
            version: self.versions.of(&text),
            events: EventKind::ROUTABLE.to_vec(),
            messengers: self.messengers.clone(),
            paths: Path::ALL.map(|(_, name)| name.to_owned()).to_vec(),
            sources,
            sources_from: is_environment.then(|| hooks::SOURCES.to_owned()),
            ..NotifyStatus::default()
        };
        let notify = match notify {
            Ok(notify) => notify,
            Err(error) => return NotifyStatus { error: Some(error), ..status },
        };
        let presets = Template::PRESETS.iter().map(|preset| (*preset).to_owned());
        NotifyStatus {
            channels: list::channels(&notify, states),
            routes: list::routes(&notify),
            quiet: notify.quiet.map(|quiet| quiet.to_string()),
            zone: notify.zone.clone(),
            templates: presets.chain(notify.templates.iter().map(|texts| texts.name.clone())).collect(),
            own_templates: notify.templates.clone(),
            ..status
        }
    }

    fn test_text(&self) -> &'static str {
        send::test_text(self.lang)
    }

    fn change(&self, wanted: &ChangeNotify) -> Result<(), NotChanged> {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        change::apply(&self.file, wanted, &self.versions)
    }

    fn preview(&self, preview: &PreviewNotice) -> Result<Preview, String> {
        let notify = self.load().1?;
        let example = preview.example.as_deref().filter(|_| preview.input.is_none()).map(example).transpose()?;
        let input = preview.input.as_deref().or(example.as_deref()).unwrap_or_default();
        let found = occurrence(input.as_bytes(), "preview".to_owned(), time::now_ms());
        let found = found.map_err(|error| format!("the event cannot be read: {error}"))?;
        let occurrence = found.ok_or("no notice is about this event")?;
        let shown = dry_run::preview(&notify, &occurrence, None, self.lang).map_err(|error| trouble::chain(&error))?;
        Ok(Preview { input: example, ..shown })
    }

    fn hooks(&self, list: &ListHooks) -> Result<HookList, String> {
        let folder = list.folder.as_deref().map(absolute).transpose()?;
        hooks::listed(folder, list.lang).map_err(|error| trouble::chain(&error))
    }

    fn hook_changes(&self, show: &ShowHookChanges) -> Result<HookChanges, String> {
        hooks::changes(absolute(&show.folder)?, show.lang).map_err(|error| trouble::chain(&error))
    }

    fn trust_hooks(&self, trust: &TrustHooks) -> Result<(), NotChanged> {
        let folder = absolute(&trust.folder);
        let folder = folder.map_err(|message| NotChanged { field: Some("folder".to_owned()), message })?;
        match &trust.digest {
            Some(digest) => hooks::trust_shown(folder, digest),
            None => hooks::untrust_folder(folder),
        }
    }
}

/// Returns the path of a folder that a person named.
fn absolute(folder: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(folder);
    if path.is_absolute() { Ok(path) } else { Err("the folder is no absolute path".to_owned()) }
}

/// Returns an example of an event of the client, as its JSON.
fn example(event: &str) -> Result<String, String> {
    let known = EventKind::routable(event).filter(|event| event.is_of_client());
    let event = known.ok_or_else(|| format!("{event:?} is no event of a client"))?;
    let defaults =
        Defaults { session_id: "8c8ea2d5-example", transcript_path: "/tmp/transcript.jsonl", cwd: "/home/me/shop" };
    let line = Input::example(event.name()).with_defaults(defaults).line();
    let read: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&line).unwrap_or_default();
    serde_json::to_string_pretty(&read).map_err(|error| error.to_string())
}
