//! The administrator's settings about hooks, which override every other settings file
//! (<https://code.claude.com/docs/en/settings>).

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The path of the administrator's file.
#[cfg(not(target_os = "macos"))]
const FILE: &str = "/etc/claude-code/managed-settings.json";
#[cfg(target_os = "macos")]
const FILE: &str = "/Library/Application Support/ClaudeCode/managed-settings.json";

/// A setting that keeps hooks of a user from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Managed {
    /// No hook runs (`disableAllHooks`).
    Off,
    /// Only the administrator's hooks run (`allowManagedHooksOnly`).
    OnlyTheirs,
}

/// Returns the setting and the path of the file. `None` if it keeps nothing from running, or cannot be read.
pub(crate) fn managed() -> Option<(Managed, PathBuf)> {
    let path = Path::new(FILE);
    Some((of(&std::fs::read_to_string(path).ok()?)?, path.to_owned()))
}

fn of(text: &str) -> Option<Managed> {
    let settings: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let says = |key: &str| settings.get(key) == Some(&Value::Bool(true));
    match () {
        () if says("disableAllHooks") => Some(Managed::Off),
        () if says("allowManagedHooksOnly") => Some(Managed::OnlyTheirs),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_administrators_file_can_keep_hooks_from_running() {
        for (text, says) in [
            (r#"{"disableAllHooks":true}"#, Some(Managed::Off)),
            (r#"{"allowManagedHooksOnly":true}"#, Some(Managed::OnlyTheirs)),
            (r#"{"allowManagedHooksOnly":true,"disableAllHooks":true}"#, Some(Managed::Off)),
            (r#"{"allowManagedHooksOnly":false}"#, None),
            (r#"{"allowManagedHooksOnly":"true"}"#, None),
            ("{}", None),
            ("not JSON", None),
        ] {
            assert_eq!(of(text), says, "{text}");
        }
    }
}
