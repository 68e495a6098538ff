//! Collects the value and the source of each setting, before values are interpreted.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dmplz_bundled::Messenger;
use dmplz_core::messenger::Users;
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_state::{ProvidersError, found};

use super::as_shown;
use super::list::{named, specs};
use super::messengers;
use super::spec::{Kind, Spec};
use crate::duration::{self, Unit};
use crate::environment::{Environment, is_not_utf8, locale};
use crate::plain_file;
use crate::provider::messenger;
use crate::told::Phrase;

/// How similar two names must be, from 0 to 1, for one to be suggested for the other: `telegram_token` for
/// `telegram_bot_token`.
const ALIKE: f64 = 0.78;
/// The settings file in the state directory.
const FILE: &str = "config.toml";

/// The key of the table of channels and routes in it.
pub(crate) const NOTIFY: &str = "notify";

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

/// Why settings cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error("{name} cannot be used: it is {held:?} and takes {takes}")]
    Bad { name: String, held: String, takes: Phrase },
    #[error(
        "{name} cannot be used: it holds more than a token, such as blanks, quotes or the sentence around it; put the token alone there"
    )]
    BadSecret { name: String },
    /// A setting names no provider: the whole sentence.
    #[error("{0}")]
    Provider(Phrase),
    #[error("{name} cannot be used: it is not UTF-8")]
    NotUtf8 { name: String },
    #[error("there is no place for state: neither DMPLZ_STATE_DIR nor HOME is set")]
    NoHome,
    #[error("there is no home directory: HOME is not set")]
    Homeless,
    #[error("Claude Code's settings cannot be found: neither CLAUDE_CONFIG_DIR nor HOME is set")]
    NoClient,
    /// What names the chat.
    #[error("the chat to ask in is not known: set {0}")]
    NoChat(Phrase),
    #[error(
        "there is no index of providers: set DMPLZ_PROVIDER_INDEX and DMPLZ_PROVIDER_INDEX_KEY (docs/PROVIDERS.md)"
    )]
    NoIndex,
    #[error("{file} cannot be read")]
    File { file: PathBuf, source: std::io::Error },
    #[error("{file} cannot be read: {message}")]
    Toml { file: PathBuf, message: Phrase },
    #[error("{file} cannot be used: there is no setting {key:?}{}", did_you_mean(.meant.as_deref()))]
    Unknown { file: PathBuf, key: String, meant: Option<String> },
    /// The place in `[notify]`, and what is wrong there.
    #[error("{file} cannot be used: in [notify], {wrong}")]
    Notify { file: PathBuf, wrong: Phrase },
    #[error("{less} has to be less than {more}: lower the first, or raise the second")]
    Limits { less: Phrase, more: Phrase },
    #[error("the settings of installed providers are not known")]
    Installed(#[source] ProvidersError),
}

impl SettingsError {
    /// Creates an error about a value. `takes` says in Korean and in English what the setting takes.
    pub(crate) fn bad(name: &str, held: &str, takes: impl Into<Phrase>) -> Self {
        Self::Bad { name: name.to_owned(), held: held.to_owned(), takes: takes.into() }
    }
}

impl Table {
    /// Collects the values.
    pub(crate) fn load(environment: Environment<'_>) -> Result<Self, SettingsError> {
        let dir = Self::only_environment(environment).state_dir()?;
        let provider = environment("DMPLZ_PROVIDER").unwrap_or_default();
        let OfFile { values, installed } = read_file(&dir, &provider)?;
        let mut table = Self { file: config_file(&dir), ..Self::collect(environment, values) };
        installed.into_iter().for_each(|messenger| table.learn(messenger, environment));
        Ok(table)
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
        Ok(Lang::parse(&self.text("DMPLZ_LANG")?).unwrap_or_default())
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

/// Returns the path of the settings file of a state directory.
pub(crate) fn config_file(state_dir: &Path) -> PathBuf {
    state_dir.join(FILE)
}

/// Returns the text of the settings file; `None` if it does not exist.
pub(crate) fn config_text(file: &Path) -> Result<Option<String>, SettingsError> {
    found(plain_file::text(file)).map_err(|source| SettingsError::File { file: file.to_owned(), source })
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

fn check(spec: &Spec, value: &str) -> Result<(), SettingsError> {
    let bad = |takes: Phrase| Err(SettingsError::bad(spec.name, &as_shown(spec.kind, value), takes));
    match spec.kind {
        Kind::Secret if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Err(SettingsError::BadSecret { name: spec.name.to_owned() })
        }
        Kind::Number(least, most) if !value.parse().is_ok_and(|number: u64| (least..=most).contains(&number)) => {
            let bounds = [least.to_string(), most.to_string()];
            let takes = ["{}부터 {}까지의 정수", "a whole number from {} to {}"];
            bad(takes.map(|takes| fill(takes, &bounds.each_ref().map(String::as_str))).into())
        }
        Kind::Duration(least, most, unit) => {
            let (least, most) = (unit.times(least), unit.times(most));
            match duration::read_between(value, least, most, unit) {
                Ok(_) => Ok(()),
                Err(_) => bad([Lang::Ko, Lang::En].map(|lang| duration::takes(least, most, unit, lang)).into()),
            }
        }
        Kind::Word(words) if !words.contains(&value) => bad([" 또는 ", " or "].map(|or| words.join(or)).into()),
        Kind::Transport(messenger)
            if value != "auto" && !messenger.transports.iter().any(|transport| transport.name == value) =>
        {
            let transports: Vec<_> =
                ["auto"].into_iter().chain(messenger.transports.iter().map(|transport| transport.name)).collect();
            bad([" 또는 ", " or "].map(|or| messengers::listed(&transports, or)).into())
        }
        Kind::Path if !value.starts_with('/') && !value.starts_with("~/") => {
            bad(["절대 경로 또는 ~/로 시작하는 경로", "an absolute path, or one from ~/"].into())
        }
        Kind::Url if !value.starts_with("https://") && !value.starts_with("http://") => {
            bad(["http 또는 https URL", "an http or https URL"].into())
        }
        Kind::SocketUrl if !value.starts_with("wss://") && !value.starts_with("ws://") => {
            bad(["wss 또는 ws URL", "a wss or ws URL"].into())
        }
        _ => Ok(()),
    }
}

/// The content of the settings file.
#[derive(Default)]
struct OfFile {
    values: Vec<(String, String)>,
    /// The installed providers. Empty if every setting of the file is known, because the list is not read then.
    installed: Vec<&'static Messenger>,
}

fn read_file(state_dir: &Path, provider: &str) -> Result<OfFile, SettingsError> {
    let file = config_file(state_dir);
    let Some(text) = config_text(&file)? else { return Ok(OfFile::default()) };
    let toml = |message: Phrase| SettingsError::Toml { file: file.clone(), message };
    let mut table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        // The message names only the place and the kind of the error: an excerpt of the file could show a secret.
        let line = line_of(&error, &text);
        let [ko, en] = match text.lines().nth(line - 1).and_then(of_a_shell) {
            Some(key) => [
                format!("셸에 쓰는 줄입니다. 여기서는 이렇게 적습니다: {key} = \"...\""),
                format!("this is a line for a shell; here it is written {key} = \"...\""),
            ],
            None => [error.message().to_owned(), error.message().to_owned()],
        };
        toml([format!("{line}번째 줄: {ko}"), format!("line {line}: {en}")].into())
    })?;
    // Channels and routes are no values: `crate::notify::settings` reads them.
    table.retain(|key, value| key != NOTIFY || !value.is_table());
    // A provider given by path has settings of its own. Its manifest decides later whether a key is one of them.
    let provider = table.get("provider").and_then(toml::Value::as_str).unwrap_or(provider);
    let by_path = provider.ends_with(".wasm");
    let is_ours = |key: &String| named(&variable(key)).is_some();
    let is_known = table.keys().all(is_ours);
    let installed = if is_known { Ok(Vec::new()) } else { messenger::installed(state_dir) };
    let installed = installed.map_err(SettingsError::Installed)?;
    let theirs: Vec<Spec> = installed.iter().copied().flat_map(messengers::of).collect();
    let entry = |(key, value): (String, toml::Value)| {
        let name = variable(&key);
        if named(&name).is_none() && !theirs.iter().any(|spec| spec.name == name) && !by_path {
            return Err(SettingsError::Unknown { file: file.clone(), meant: closest(&name, &theirs), key });
        }
        let value = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Array(items) => {
                let items: Option<Vec<_>> = items.iter().map(item).collect();
                let takes = ["{}: 목록에는 글과 정수를 넣습니다", "{}: a list takes texts and whole numbers"];
                items.ok_or_else(|| toml(takes.map(|takes| fill(takes, &[&key])).into()))?.join(",")
            }
            _ => {
                let takes = [
                    "{}: 글, 정수, 글의 목록 중 하나를 넣습니다",
                    "{}: takes a text, a whole number or a list of texts",
                ];
                return Err(toml(takes.map(|takes| fill(takes, &[&key])).into()));
            }
        };
        Ok((name, value))
    };
    let values = table.into_iter().map(entry).collect::<Result<_, _>>()?;
    Ok(OfFile { values, installed })
}

/// Returns an item of a list: ids are written as texts or as numbers.
fn item(value: &toml::Value) -> Option<Cow<'_, str>> {
    match value {
        toml::Value::String(text) => Some(text.into()),
        toml::Value::Integer(number) => Some(number.to_string().into()),
        _ => None,
    }
}

/// Returns the number of the line at which a text is no TOML, from 1.
pub(crate) fn line_of(error: &toml::de::Error, text: &str) -> usize {
    error.span().map_or(1, |span| text.get(..span.start).unwrap_or_default().lines().count().max(1))
}

/// The key of a line that sets a variable, as a shell reads it: `export DMPLZ_LANG=en`. Its value could be a secret.
fn of_a_shell(line: &str) -> Option<String> {
    let line = line.trim();
    let (name, _) = line.strip_prefix("export ").unwrap_or(line).split_once('=')?;
    let key = name.trim().strip_prefix("DMPLZ_")?;
    let is_variable = key.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    is_variable.then(|| key.to_lowercase())
}

/// Returns the environment variable of a key.
fn variable(key: &str) -> String {
    format!("DMPLZ_{}", key.to_uppercase())
}

/// Returns the setting that an unknown key probably means: the variable's own name, or the setting with the most
/// similar name. `theirs` are the settings of installed providers.
fn closest(name: &str, theirs: &[Spec]) -> Option<String> {
    let key = |name: &str| name.trim_start_matches("DMPLZ_").to_lowercase();
    let own = name.strip_prefix("DMPLZ_").filter(|own| named(own).is_some());
    own.or(nearest(name, theirs)).map(key)
}

fn did_you_mean(key: Option<&str>) -> String {
    key.map(|key| format!("; did you mean {key:?}?")).unwrap_or_default()
}

fn nearest(name: &str, theirs: &[Spec]) -> Option<&'static str> {
    let alike = |spec: &Spec| (strsim::normalized_damerau_levenshtein(name, spec.name), spec.name);
    let near = specs().iter().chain(theirs).map(alike).max_by(|(one, _), (other, _)| one.total_cmp(other));
    near.filter(|(alike, _)| *alike >= ALIKE).map(|(_, name)| name)
}
