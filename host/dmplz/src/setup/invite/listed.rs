//! The list of those who may answer, in `config.toml`: ids, each with the person's name in a comment before it. Comments
//! and all other keys stay as they are.

use std::collections::BTreeMap;
use std::path::Path;

use toml_edit::{Array, DocumentMut, Value};

use crate::plain_file;
use crate::settings::edit::{FileError, find, set};

/// Returns the text with another id in the list of `variable`. `listed` are the ids that are in it now.
pub(super) fn with(text: &str, variable: &str, listed: &[String], id: &str, name: &str) -> Result<String, FileError> {
    edit(text, variable, listed, |array| {
        // A comment behind the last one stays there.
        let behind = array.trailing().as_str().unwrap_or_default().trim_end().to_owned();
        let mut value = Value::from(id);
        value.decor_mut().set_prefix(format!("{behind}\n    # {name}\n    "));
        array.push_formatted(value);
        array.set_trailing("\n");
        array.set_trailing_comma(true);
    })
}

/// Returns the text without an id in the list of `variable`, and without the comment before it. `rest` are the others.
pub(super) fn without(text: &str, variable: &str, rest: &[String], id: &str) -> Result<String, FileError> {
    edit(text, variable, rest, |array| {
        loop {
            let at = array.iter().position(|value| said(value).as_deref() == Some(id));
            let Some(at) = at else { break };
            let removed = array.remove(at);
            // A comment behind the one before stays there.
            let behind = prefix(&removed).lines().next().unwrap_or_default().trim_end();
            if behind.is_empty() {
                continue;
            }
            match array.get_mut(at) {
                Some(next) => {
                    let before = format!("{behind}{}", prefix(next));
                    next.decor_mut().set_prefix(before);
                }
                None => {
                    let trailing = format!("{behind}{}", array.trailing().as_str().unwrap_or_default());
                    array.set_trailing(trailing);
                }
            }
        }
    })
}

/// Returns the names in the comments of the list, by id. A file that cannot be read has none.
pub(super) fn names(path: &Path, variable: &str) -> BTreeMap<String, String> {
    let text = plain_file::text(path).unwrap_or_default();
    let Ok(document) = text.parse::<DocumentMut>() else { return BTreeMap::new() };
    let values = find(&document, variable).and_then(|(_, item)| item.as_array()).into_iter().flatten();
    let named = values.filter_map(|value| {
        let comment = prefix(value).lines().filter_map(|line| line.trim().strip_prefix('#')).next_back()?;
        Some((said(value)?, comment.trim().to_owned()))
    });
    named.collect()
}

/// Changes the list, which is written as an array of `otherwise` if it is none.
fn edit(
    text: &str,
    variable: &str,
    otherwise: &[String],
    change: impl FnOnce(&mut Array),
) -> Result<String, FileError> {
    let mut document: DocumentMut = text.parse().map_err(|_| FileError::Toml)?;
    let mut array = match find(&document, variable).and_then(|(_, item)| item.as_array()) {
        Some(array) => array.clone(),
        None => otherwise.iter().map(String::as_str).collect(),
    };
    change(&mut array);
    set(&mut document, variable, Value::Array(array));
    Ok(document.to_string())
}

/// Returns the text before a value: the rest of the line before it, and comments.
fn prefix(value: &Value) -> &str {
    value.decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default()
}

/// Returns an id as the settings read it: a text or a number.
fn said(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned).or_else(|| value.as_integer().map(|number| number.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "DMPLZ_TELEGRAM_ALLOWED_USERS";

    #[test]
    fn somebody_is_added_with_their_name_and_everything_else_stays() {
        let before =
            "# mine\nTelegram_Allowed_Users = [\n    # me\n    7, # on every machine\n]\nlang = \"en\" # mine too\n";
        let after = with(before, OWN, &["7".to_owned()], "42", "Bob").unwrap();
        insta::assert_snapshot!(after, @r#"
        # mine
        Telegram_Allowed_Users = [
            # me
            7, # on every machine
            # Bob
            "42",
        ]
        lang = "en" # mine too
        "#);
    }

    #[test]
    fn a_list_that_is_new_or_a_text_becomes_an_array() {
        let texts =
            ["", "telegram_allowed_users = \"7\"\n"].map(|text| with(text, OWN, &["7".to_owned()], "42", "Bob"));
        for text in texts {
            insta::allow_duplicates! {
                insta::assert_snapshot!(text.unwrap(), @r#"
                telegram_allowed_users = ["7",
                    # Bob
                    "42",
                ]
                "#);
            }
        }
    }

    #[test]
    fn somebody_is_removed_with_their_name() {
        let added = with("lang = \"en\"\n", OWN, &["7".to_owned()], "42", "Bob").unwrap();
        let both = with(&added, OWN, &[], "43", "Eve").unwrap();
        let left = without(&both, OWN, &["7".to_owned(), "43".to_owned()], "42").unwrap();
        assert!(!left.contains("Bob") && !left.contains("42") && left.contains("Eve"), "{left}");
        let noted = "telegram_allowed_users = [\n    7, # me\n    42, # him\n]\n";
        let alone = without(noted, OWN, &["7".to_owned()], "42").unwrap();
        assert!(alone.contains("7") && alone.contains("# me") && !alone.contains("42"), "{alone}");
        assert!(alone.parse::<DocumentMut>().is_ok(), "{alone}");
        let by_text = without("telegram_allowed_users = \"7,42\"\n", OWN, &["7".to_owned()], "42").unwrap();
        assert_eq!(by_text, "telegram_allowed_users = [\"7\"]\n");
    }

    #[test]
    fn names_are_read_from_the_comments_and_a_list_that_is_no_toml_has_none() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.toml");
        std::fs::write(&file, with("", OWN, &["7".to_owned()], "42", "Bob").unwrap()).unwrap();
        assert_eq!(names(&file, OWN), BTreeMap::from([("42".to_owned(), "Bob".to_owned())]));
        std::fs::write(&file, "= no").unwrap();
        assert!(names(&file, OWN).is_empty());
        assert!(matches!(with("= no", OWN, &[], "42", "Bob"), Err(FileError::Toml)));
    }
}
