//! Finds the registered hooks, for `dmplz doctor`.

use std::path::PathBuf;

use dmplz_core::claude::SettingsFile;

use super::file::File;
use super::hooks::{self, ASKS, DENIES, Found, Hook};
use super::settings_path;
use crate::notify::settings::{NotifySettings, RoutedEvent};
use crate::settings::{self, Environment};
use crate::told::Phrase;
use crate::wording;

/// The hooks of one settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Installed {
    pub(crate) path: PathBuf,
    /// The registered hooks, or the reason why the file cannot be used.
    pub(crate) hooks: Result<Hooks, Phrase>,
}

/// The registrations of dmplz in a settings file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Hooks {
    /// The program that is registered for requests; `None` if this file registers none.
    pub(crate) program: Option<String>,
    /// The time-out in seconds; `None` if the client's default applies.
    pub(crate) timeout: Option<u64>,
    /// The matcher, if it limits the hook to some tools.
    pub(crate) only: Option<String>,
    /// The hooks of dmplz that the client runs before a tool.
    pub(crate) before: Vec<Before>,
    /// The events that an install would add.
    pub(crate) missing: Vec<String>,
    /// Whether the file disables all hooks.
    pub(crate) disabled: bool,
    /// Whether the file enables the plugin of dmplz, which registers the same hooks.
    pub(crate) plugin: bool,
}

/// A hook of dmplz for PreToolUse, which a person registers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Before {
    /// The time-out in seconds; `None` if the client's default applies.
    pub(crate) timeout: Option<u64>,
    /// The matcher, if it limits the hook to some tools.
    pub(crate) only: Option<String>,
}

/// Reads every settings file that Claude Code would read in the current directory.
pub(crate) fn status(environment: Environment<'_>) -> Vec<Installed> {
    // What is wrong with the settings, others say.
    let dir = settings::state_dir(environment);
    let notify = dir.and_then(|dir| NotifySettings::load(&dir, environment)).unwrap_or_default();
    let reported = notify.hooks();
    let look = |scope: SettingsFile| {
        let path = settings_path(scope, environment).ok()?;
        let hooks = File::read(&path).and_then(|file| of(file.text.as_deref().unwrap_or_default(), &reported));
        let hooks = hooks.map_err(|error| wording::whole(&error));
        Some(Installed { path, hooks })
    };
    SettingsFile::ALL.into_iter().filter_map(look).collect()
}

/// Returns the registrations in a text.
pub(super) fn of(text: &str, reported: &[RoutedEvent]) -> anyhow::Result<Hooks> {
    let text = text.trim_start_matches('\u{feff}');
    let found = hooks::find(text)?;
    let asks: Option<&Found> = found.iter().find(|found| found.event == ASKS);
    let before = found.iter().filter(|found| found.event == DENIES);
    let before = before.map(|found| Before { timeout: found.timeout, only: found.only.clone() }).collect();
    // One that the client does not wait for, where it has to, does nothing.
    let is_there = |event: &str, hook: &Hook| {
        found.iter().any(|found| found.event == *event && (hook.detached || !found.detached))
    };
    let missing = hooks::wanted("dmplz", 0, reported)?.into_iter().filter(|(event, hook)| !is_there(event, hook));
    let rest: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let plugins = rest.get("enabledPlugins").and_then(serde_json::Value::as_object);
    let ours = |(name, on): (&String, &serde_json::Value)| name.starts_with("dmplz@") && *on == true;
    Ok(Hooks {
        program: asks.map(|found| found.program.clone()),
        timeout: asks.and_then(|found| found.timeout),
        only: asks.and_then(|found| found.only.clone()),
        before,
        missing: missing.map(|(event, _)| event).collect(),
        disabled: rest.get("disableAllHooks") == Some(&true.into()),
        plugin: plugins.is_some_and(|plugins| plugins.iter().any(ours)),
    })
}
