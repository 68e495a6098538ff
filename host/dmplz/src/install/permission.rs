//! Removes one permission from a settings file of Claude Code.

use std::path::Path;

use anyhow::{Context, ensure};
use dmplz_core::claude::Permission;
use jsonc_parser::ast::Value;

use super::document::{Block, Document, Edit, Unfit, member};
use super::file::File;
use super::registration::split;

/// Removes a permission from a settings file, which otherwise stays as it is, byte for byte. One that is not there, and a
/// file that is not, is no error.
pub(crate) fn remove_permission(path: &Path, permission: &Permission) -> anyhow::Result<()> {
    // A pipe in the agent's folder would be waited for without an end.
    ensure!(path.is_file() || !path.exists(), "{} is no file", path.display());
    let file = File::read(path)?;
    let Some(text) = &file.text else { return Ok(()) };
    let context = || format!("{} cannot be changed", file.path.display());
    let without = without(text, permission).map_err(anyhow::Error::from).with_context(context)?;
    if without == *text { Ok(()) } else { file.replace(&without) }
}

fn without(text: &str, permission: &Permission) -> Result<String, Unfit> {
    let (mark, text) = split(text);
    let mut text = text.to_owned();
    if text.trim().is_empty() {
        return Ok(format!("{mark}{text}"));
    }
    // Somebody may have written it twice.
    while let Some(edit) = next(&text, permission)? {
        edit.apply(&mut text);
    }
    Ok(format!("{mark}{text}"))
}

/// Returns the edit that removes the first entry of the permission; `None` if there is none.
fn next(text: &str, permission: &Permission) -> Result<Option<Edit>, Unfit> {
    let document = Document::parse(text)?;
    let permissions = member(&document.root, "permissions")?.and_then(|found| found.value.as_object());
    let Some(permissions) = permissions else { return Ok(None) };
    let Some(list) = member(permissions, permission.list())?.and_then(|found| found.value.as_array()) else {
        return Ok(None);
    };
    let is_it = |value: &Value<'_>| value.as_string_lit().is_some_and(|entry| entry.value == permission.text());
    let index = list.elements.iter().position(is_it);
    Ok(index.map(|index| Document::remove(&Block::array(list), index)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Permission {
        Permission::Rule(text.into())
    }

    #[test]
    fn one_permission_goes_and_everything_else_stays_byte_for_byte() {
        let text = "\u{feff}{\r\n\t\"permissions\": {\r\n\t\t\"allow\": [\r\n\t\t\t\"Bash(a)\",\r\n\t\t\t\"Bash(b \\\\(c\\\\))\"\r\n\t\t],\r\n\t\t\"deny\": [\"Bash(a)\"]\r\n\t}\r\n}\r\n";
        let gone = without(text, &rule("Bash(a)")).unwrap();
        assert_eq!(gone, text.replacen("\"Bash(a)\",\r\n\t\t\t", "", 1));
        let gone = without(&gone, &rule(r"Bash(b \(c\))")).unwrap();
        assert_eq!(
            gone,
            "\u{feff}{\r\n\t\"permissions\": {\r\n\t\t\"allow\": [],\r\n\t\t\"deny\": [\"Bash(a)\"]\r\n\t}\r\n}\r\n"
        );
        let twice = r#"{"permissions":{"allow":["A","B","A"],"additionalDirectories":["/a b"]}}"#;
        assert_eq!(
            without(twice, &rule("A")).unwrap(),
            r#"{"permissions":{"allow":["B"],"additionalDirectories":["/a b"]}}"#
        );
        let folder = Permission::Directory("/a b".into());
        assert_eq!(
            without(twice, &folder).unwrap(),
            r#"{"permissions":{"allow":["A","B","A"],"additionalDirectories":[]}}"#
        );
    }

    #[test]
    fn what_is_not_there_changes_nothing_and_a_file_that_is_no_json_is_said() {
        for text in [
            "",
            "{}",
            r#"{"permissions":7}"#,
            r#"{"permissions":{"allow":"A"}}"#,
            r#"{"permissions":{"allow":["AA", 7, null]}}"#,
        ] {
            assert_eq!(without(text, &rule("A")).unwrap(), text);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        remove_permission(&path, &rule("A")).unwrap();
        assert!(!path.exists());
        std::fs::write(&path, "{ // no\n}").unwrap();
        let error = format!("{:#}", remove_permission(&path, &rule("A")).unwrap_err());
        assert!(error.contains("settings.json cannot be changed: it is not plain JSON"), "{error}");
        assert!(remove_permission(folder.path(), &rule("A")).unwrap_err().to_string().ends_with("is no file"));
        let two = r#"{"permissions":{"allow":["A"]},"permissions":{"allow":["A"]}}"#;
        assert!(matches!(without(two, &rule("A")), Err(Unfit::Twice(_))));
    }
}
