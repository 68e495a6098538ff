//! Collects the value and the source of each setting, before values are interpreted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dmplz_bundled::Messenger;
use dmplz_core::messenger::Users;
use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;

use super::check::check;
use super::error::SettingsError;
use super::file::{OfFile, config_file, config_text, read_file, variable};
use super::list::{named, specs};
use super::messengers;
use super::similar::nearest;
use super::spec::{Kind, Spec};
use crate::duration::{self, Unit};
use crate::environment::{Environment, is_not_utf8, locale};
use crate::told::Phrase;

/// All values, with their sources.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    home: Option<PathBuf>,
    values: BTreeMap<String, Entry>,
    /// The settings of third-party providers, as far as they are known.
    pub(crate) learned: Vec<Spec>,
    /// The settings file, whether or not it exists.
    pub(crate) file: PathBuf,
}

/// A value and its source.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) value: String,
    pub(crate) source: Source,
}

/// The source of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Source {
    Environment,
    File,
    Default,
}

impl Table {
    /// Collects the values.
    pub(crate) fn load(environment: Environment<'_>) -> Result<Self, SettingsError> {
        let (table, wrong) = Self::as_far_as_usable(environment)?;
        wrong.map_or(Ok(table), Err)
    }

    /// Collects the values as far as the settings file can be used, and returns why not all of it can. It is for showing them:
    /// no command does anything by a part of the file.
    pub(crate) fn as_far_as_usable(
        environment: Environment<'_>,
    ) -> Result<(Self, Option<SettingsError>), SettingsError> {
        let dir = Self::only_environment(environment).state_dir()?;
        let provider = environment("DMPLZ_PROVIDER").unwrap_or_default();
        let OfFile { values, installed, wrong } = read_file(&dir, &provider);
        let mut table = Self { file: config_file(&dir), ..Self::collect(environment, values) };
        installed.into_iter().for_each(|messenger| table.learn(messenger, environment));
        Ok((table, wrong))
    }

    /// Collects the values without the settings file, for commands that continue if it cannot be read.
    pub(crate) fn without_file(environment: Environment<'_>) -> Self {
        Self::collect(environment, Vec::new())
    }

    fn collect(environment: Environment<'_>, of_file: Vec<(String, String)>) -> Self {
        let mut table = Self::only_environment(environment);
        for spec in specs() {
            if let Some(default) = spec.default {
                table.put(spec.name, default.to_owned(), Source::Default);
            }
        }
        table.put("DMPLZ_LANG", locale(environment).name().to_owned(), Source::Default);
        for (name, value) in of_file {
            table.put(&name, value, Source::File);
        }
        specs().iter().for_each(|spec| table.take(environment, spec.name));
        table
    }

    /// Returns the location of the state directory, which is known before any file is read.
    pub(super) fn only_environment(environment: Environment<'_>) -> Self {
        let home = environment("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        let mut table = Self { home, values: BTreeMap::new(), learned: Vec::new(), file: PathBuf::new() };
        table.take(environment, "DMPLZ_STATE_DIR");
        table
    }

    /// Adds the settings of a third-party provider. From then on they are read and checked like those of a bundled
    /// one.
    pub(crate) fn learn(&mut self, messenger: &'static Messenger, environment: Environment<'_>) {
        for spec in messengers::of(messenger) {
            if self.spec(spec.name).is_some() {
                continue;
            }
            if let (Some(default), None) = (spec.default, self.entry(spec.name)) {
                self.put(spec.name, default.to_owned(), Source::Default);
            }
            self.learned.push(spec);
            self.take(environment, spec.name);
        }
    }

    pub(crate) fn spec(&self, name: &str) -> Option<&Spec> {
        named(name).or_else(|| self.learned.iter().find(|spec| spec.name == name))
    }

    /// Returns the setting that a mistyped name is most like.
    pub(crate) fn nearest(&self, name: &str) -> Option<&'static str> {
        nearest(name, &self.learned)
    }

    /// Reads an environment variable. An empty variable counts as unset, as is usual in shells.
    fn take(&mut self, environment: Environment<'_>, name: &str) {
        if let Some(value) = environment(name).filter(|value| !value.is_empty()) {
            self.put(name, value, Source::Environment);
        }
    }

    fn put(&mut self, name: &str, value: String, source: Source) {
        self.values.insert(name.to_owned(), Entry { value, source });
    }

    pub(crate) fn entry(&self, name: &str) -> Option<&Entry> {
        self.values.get(name)
    }

    /// Returns the file's values of unknown meaning: those of a provider given by path.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.values.iter().map(|(name, entry)| (name.as_str(), entry)).filter(|(name, _)| self.spec(name).is_none())
    }

    /// Returns the value, checked against the type of the setting.
    pub(crate) fn get(&self, name: &str) -> Result<Option<String>, SettingsError> {
        let Some(entry) = self.values.get(name) else { return Ok(None) };
        let value = entry.value.trim();
        if entry.source == Source::Environment && is_not_utf8(value) {
            return Err(SettingsError::NotUtf8 { name: name.to_owned() });
        }
        if let Some(spec) = self.spec(name) {
            check(spec, value)?;
        }
        Ok(Some(value.to_owned()))
    }

    /// Returns whether a person set it.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(|entry| entry.source != Source::Default)
    }

    /// Returns the language of the texts for people.
    pub(crate) fn lang(&self) -> Result<Lang, SettingsError> {
        Ok(Lang::named(&self.text("DMPLZ_LANG")?).unwrap_or_default())
    }

    pub(super) fn text(&self, name: &str) -> Result<String, SettingsError> {
        Ok(self.get(name)?.unwrap_or_default())
    }

    /// Returns values separated by commas. A value of only commas is an error: unset variables left them (`"$A,$B"`),
    /// and to some settings an empty list means all.
    pub(crate) fn list(&self, name: &str) -> Result<Vec<String>, SettingsError> {
        let text = self.text(name)?;
        let items: Vec<String> =
            text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect();
        match items.is_empty() && !text.is_empty() {
            true => Err(SettingsError::bad(name, &text, ["쉼표로 나눈 값", "values between commas"])),
            false => Ok(items),
        }
    }

    /// Returns the ids of the users who may answer on a messenger: its own list or, if that is not set, the list for
    /// all messengers. A messenger that does not identify users has its own list only, because an entry for another
    /// messenger, such as `*` for a group, must not open it to everybody.
    pub(crate) fn allowed_users(&self, messenger: &Messenger) -> Result<Vec<String>, SettingsError> {
        let own = self.is_set(messenger.allowed_users) || messenger.users == Users::Anonymous;
        self.list(if own { messenger.allowed_users } else { "DMPLZ_ALLOWED_USERS" })
    }

    pub(super) fn number(&self, name: &str) -> Result<u64, SettingsError> {
        let text = self.text(name)?;
        text.parse().map_err(|_| SettingsError::bad(name, &text, ["정수", "a whole number"]))
    }

    pub(super) fn count(&self, name: &str) -> Result<usize, SettingsError> {
        Ok(usize::try_from(self.number(name)?).unwrap_or(usize::MAX))
    }

    pub(super) fn duration(&self, name: &str) -> Result<Duration, SettingsError> {
        let text = self.text(name)?;
        let unit = match self.spec(name).map(|spec| spec.kind) {
            Some(Kind::Duration(.., unit)) => unit,
            _ => Unit::MILLISECOND,
        };
        duration::read(&text, unit).ok_or_else(|| SettingsError::bad(name, &text, ["기간", "a duration"]))
    }

    /// The setting with its value as it was written, and where, for an error that is about two settings.
    pub(super) fn limit(&self, name: &str) -> Phrase {
        let entry = self.values.get(name);
        let held = entry.map(|entry| visible_line(entry.value.trim())).unwrap_or_default();
        let sources = match entry.map_or(Source::Default, |entry| entry.source) {
            Source::Environment => ["환경 변수", "in the environment"],
            Source::File => ["config.toml", "in config.toml"],
            Source::Default => ["기본값", "the default"],
        };
        sources.map(|source| format!("{name} ({held}, {source})")).into()
    }

    pub(crate) fn state_dir(&self) -> Result<PathBuf, SettingsError> {
        match self.get("DMPLZ_STATE_DIR")? {
            Some(dir) => self.expand(&dir),
            None => Ok(self.home()?.ok_or(SettingsError::NoHome)?.join(".claude/dm-plz")),
        }
    }

    pub(super) fn log_path(&self) -> Result<PathBuf, SettingsError> {
        match self.get("DMPLZ_REJECT_REASON_LOG_PATH")? {
            Some(path) => self.expand(&path),
            None => Ok(self.state_dir()?.join("rejections.jsonl")),
        }
    }

    fn expand(&self, path: &str) -> Result<PathBuf, SettingsError> {
        match path.strip_prefix("~/") {
            Some(rest) => Ok(self.home()?.map_or_else(|| PathBuf::from(path), |home| home.join(rest))),
            None => Ok(PathBuf::from(path)),
        }
    }

    fn home(&self) -> Result<Option<&Path>, SettingsError> {
        self.home.as_deref().map(of_a_home).transpose()
    }
}

/// Rejects a home directory that would be another folder wherever a command runs.
fn of_a_home(home: &Path) -> Result<&Path, SettingsError> {
    match home.is_absolute() {
        true => Ok(home),
        false => Err(SettingsError::bad("HOME", &home.display().to_string(), ["절대 경로", "an absolute path"])),
    }
}

/// Returns the home directory; `None` if `HOME` is not set.
pub(crate) fn home_dir(environment: Environment<'_>) -> Result<Option<PathBuf>, SettingsError> {
    let home = environment("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    home.map(|home| of_a_home(&home).map(Path::to_owned)).transpose()
}

/// Returns what a person wrote for some settings, in the environment and in the file, unchecked. It collects no other
/// setting, because a hook needs these before it knows whether it needs any.
pub(crate) fn written(environment: Environment<'_>, names: &[&str]) -> Vec<String> {
    let dir = Table::only_environment(environment).state_dir().ok();
    let text = dir.and_then(|dir| config_text(&config_file(&dir)).ok().flatten());
    let table: toml::Table = text.and_then(|text| text.parse().ok()).unwrap_or_default();
    let named = table.iter().filter(|(key, _)| names.contains(&variable(key).as_str()));
    let values = named.flat_map(|(_, value)| match value {
        toml::Value::Array(items) => items.as_slice(),
        value => std::slice::from_ref(value),
    });
    let of_file = values.filter_map(|value| value.as_str().map(str::to_owned));
    let written = names.iter().filter_map(|name| environment(name)).chain(of_file);
    written.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()).collect()
}
