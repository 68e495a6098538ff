//! Why settings cannot be read.

use std::path::PathBuf;

use dmplz_state::ProvidersError;

use crate::told::Phrase;

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
    #[error("DMPLZ_CA_FILE cannot be read: {file}")]
    Certificates { file: PathBuf, source: std::io::Error },
    #[error("{file} cannot be read: {message}")]
    Toml { file: PathBuf, message: Phrase },
    #[error("{file} cannot be used: there is no setting {key:?}{}", did_you_mean(.meant.as_deref()))]
    Unknown { file: PathBuf, key: String, meant: Option<String> },
    /// The file is found in the state directory, so it cannot name another one.
    #[error("{file} cannot be used: {key:?} has no effect in it, because the file is in the state directory itself")]
    StateDir { file: PathBuf, key: String },
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

fn did_you_mean(key: Option<&str>) -> String {
    key.map(|key| format!("; did you mean {key:?}?")).unwrap_or_default()
}
