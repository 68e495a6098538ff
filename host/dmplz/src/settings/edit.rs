//! Changes `config.toml` in place: comments, order and all other keys stay as they are.

use std::path::{Path, PathBuf};

use dmplz_state::found;
use toml_edit::{Array, DocumentMut, Item, Value};

use crate::plain_file;
use crate::temporary::replace;

/// A setting, by its variable, and its value.
pub(crate) type Setting<'a> = (&'a str, Held);

/// What a setting holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Held {
    Text(String),
    List(Vec<String>),
}

impl Held {
    /// Returns it as the environment has it.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::List(list) => list.join(","),
        }
    }
}

/// Why the file is as it was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("it cannot be read")]
    Read(#[source] std::io::Error),
    #[error("it cannot be written")]
    Write(#[source] std::io::Error),
    /// The excerpt that the parser shows could hold a secret.
    #[error("it is not TOML")]
    Toml,
}

/// Writes settings into the file, at once and whole, for its owner only.
pub(crate) fn write(path: &Path, settings: &[Setting<'_>]) -> Result<(), FileError> {
    change(path, |text| with(text, settings))
}

/// Replaces the text of the file, at once and whole, for its owner only.
pub(crate) fn change<E: From<FileError>>(path: &Path, new: impl FnOnce(&str) -> Result<String, E>) -> Result<(), E> {
    // A link into a folder of dotfiles stays one.
    let path = path.canonicalize().unwrap_or_else(|_| PathBuf::from(path));
    let text = found(plain_file::text(&path)).map_err(FileError::Read)?.unwrap_or_default();
    replace(&path, &new(&text)?).map_err(|error| FileError::Write(error).into())
}

/// The text with these settings.
fn with(text: &str, settings: &[Setting<'_>]) -> Result<String, FileError> {
    let mut document: DocumentMut = text.parse().map_err(|_| FileError::Toml)?;
    for (variable, held) in settings {
        set(&mut document, variable, Value::from(held));
    }
    Ok(document.to_string())
}

/// Returns what the file has of a variable, and the key there. Keys are read whatever their case.
pub(crate) fn find<'d>(document: &'d DocumentMut, variable: &str) -> Option<(&'d str, &'d Item)> {
    let key = key(variable);
    document.iter().find(|(name, _)| name.to_lowercase() == key)
}

/// Sets a variable. One that is there keeps its place and the comment behind it.
pub(crate) fn set(document: &mut DocumentMut, variable: &str, mut value: Value) {
    let name = find(document, variable).map_or_else(|| key(variable), |(name, _)| name.to_owned());
    match document.get_mut(&name) {
        Some(Item::Value(before)) => {
            *value.decor_mut() = before.decor().clone();
            *before = value;
        }
        _ => drop(document.insert(&name, Item::Value(value))),
    }
}

/// How the file calls a variable.
fn key(variable: &str) -> String {
    variable.trim_start_matches("DMPLZ_").to_lowercase()
}

impl From<&Held> for Value {
    fn from(held: &Held) -> Self {
        match held {
            Held::Text(text) => Self::from(text.as_str()),
            Held::List(items) => Self::from(items.iter().map(String::as_str).collect::<Array>()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn text(value: &str) -> Held {
        Held::Text(value.to_owned())
    }

    #[test]
    fn what_is_there_keeps_its_place_its_comments_and_its_neighbours() {
        let before =
            "# mine\nlang = \"en\" # I read English\n\nTelegram_Bot_Token = 'old' # from BotFather\n# the end\n";
        let settings = [
            ("DMPLZ_TELEGRAM_BOT_TOKEN", text("new")),
            ("DMPLZ_TELEGRAM_CHAT_ID", text("7")),
            ("DMPLZ_ALLOWED_USERS", Held::List(vec!["7".to_owned(), "42".to_owned()])),
        ];
        insta::assert_snapshot!(with(before, &settings).unwrap(), @r#"
        # mine
        lang = "en" # I read English

        Telegram_Bot_Token = "new" # from BotFather
        telegram_chat_id = "7"
        allowed_users = ["7", "42"]
        # the end
        "#);
    }

    #[test]
    fn an_empty_file_and_one_with_windows_line_ends_are_written_as_well() {
        insta::assert_snapshot!(with("", &[("DMPLZ_PROVIDER", text("telegram"))]).unwrap(), @r#"provider = "telegram""#);
        let new = with("lang = \"en\"\r\n", &[("DMPLZ_PROVIDER", text("a \"b\"\\"))]).unwrap();
        let read: toml::Table = new.parse().unwrap();
        assert_eq!((read["lang"].as_str(), read["provider"].as_str()), (Some("en"), Some("a \"b\"\\")));
    }

    #[test]
    fn a_file_that_is_not_toml_is_left_as_it_is_and_its_text_is_not_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.toml");
        std::fs::write(&path, "telegram_bot_token = secret-without-quotes").unwrap();
        let error = write(&path, &[("DMPLZ_PROVIDER", text("telegram"))]).unwrap_err();
        assert!(!format!("{error:?} {error}").contains("secret-without-quotes"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "telegram_bot_token = secret-without-quotes");
    }

    #[test]
    fn the_file_is_for_its_owner_only_even_where_it_was_not() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("dotfiles.toml"), dir.path().join("config.toml"));
        std::fs::write(&real, "lang = \"en\"\n").unwrap();
        std::fs::set_permissions(&real, PermissionsExt::from_mode(0o644)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, &[("DMPLZ_PROVIDER", text("telegram"))]).unwrap();
        assert!(link.is_symlink(), "a link stays one");
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(std::fs::read_to_string(&real).unwrap().contains("provider = \"telegram\""));
    }
}
