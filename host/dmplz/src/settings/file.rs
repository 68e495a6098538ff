//! The settings file of a state directory: its text, and the values in it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use dmplz_bundled::Messenger;
use dmplz_core::text::fill;
use dmplz_state::found;

use super::error::SettingsError;
use super::list::named;
use super::messengers;
use super::similar::closest;
use super::spec::Spec;
use super::third_party;
use crate::plain_file;
use crate::told::Phrase;

/// The settings file in the state directory.
const FILE: &str = "config.toml";
/// The key of its table of channels and routes.
pub(crate) const NOTIFY: &str = "notify";

/// Returns the path of the settings file of a state directory.
pub(crate) fn config_file(state_dir: &Path) -> PathBuf {
    state_dir.join(FILE)
}

/// Returns the text of the settings file; `None` if it does not exist.
pub(crate) fn config_text(file: &Path) -> Result<Option<String>, SettingsError> {
    found(plain_file::text(file)).map_err(|source| SettingsError::File { file: file.to_owned(), source })
}

/// The content of the settings file.
#[derive(Default)]
pub(super) struct OfFile {
    pub(super) values: Vec<(String, String)>,
    /// The installed providers. Empty if every setting of the file is known, because the list is not read then.
    pub(super) installed: Vec<&'static Messenger>,
    /// Why the file, or the first setting that is not among the values, cannot be used.
    pub(super) wrong: Option<SettingsError>,
}

/// Reads the settings file. `provider` is the provider that the environment names.
pub(super) fn read_file(state_dir: &Path, provider: &str) -> OfFile {
    let file = config_file(state_dir);
    let toml = |message: Phrase| SettingsError::Toml { file: file.clone(), message };
    let mut table = match parsed(&file, toml) {
        Ok(table) => table,
        Err(error) => return OfFile { wrong: Some(error), ..OfFile::default() },
    };
    // Channels and routes are no values: `crate::notify::settings` reads them.
    table.retain(|key, value| key != NOTIFY || !value.is_table());
    // A provider given by path has settings of its own. Its manifest decides later whether a key is one of them.
    let provider = table.get("provider").and_then(toml::Value::as_str).unwrap_or(provider);
    let by_path = provider.ends_with(".wasm");
    let is_ours = |key: &String| named(&variable(key)).is_some();
    let is_known = table.keys().all(is_ours);
    let installed = if is_known { Ok(Vec::new()) } else { third_party::installed(state_dir) };
    let (installed, mut wrong) = match installed {
        Ok(installed) => (installed, None),
        Err(error) => (Vec::new(), Some(SettingsError::Installed(error))),
    };
    let theirs: Vec<Spec> = installed.iter().copied().flat_map(messengers::of).collect();
    let entry = |(key, value): (String, toml::Value)| {
        let name = variable(&key);
        if name == "DMPLZ_STATE_DIR" {
            return Err(SettingsError::StateDir { file: file.clone(), key });
        }
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
    let mut values = Vec::new();
    for result in table.into_iter().map(entry) {
        match result {
            Ok(value) => values.push(value),
            Err(error) => wrong = wrong.or(Some(error)),
        }
    }
    OfFile { values, installed, wrong }
}

/// Returns the table in the settings file, which is empty if the file does not exist. `toml` makes the error about its text.
fn parsed(file: &Path, toml: impl Fn(Phrase) -> SettingsError) -> Result<toml::Table, SettingsError> {
    let Some(text) = config_text(file)? else { return Ok(toml::Table::new()) };
    text.parse().map_err(|error: toml::de::Error| {
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
    })
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
pub(super) fn variable(key: &str) -> String {
    format!("DMPLZ_{}", key.to_uppercase())
}
