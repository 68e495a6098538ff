//! The administrator's settings about hooks, which override every other settings file
//! (<https://code.claude.com/docs/en/managed-settings>): `managed-settings.json`, then the files of `managed-settings.d` beside
//! it by name, of which a later one overrides an earlier one.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The administrator's folder.
#[cfg(not(target_os = "macos"))]
const FOLDER: &str = "/etc/claude-code";
#[cfg(target_os = "macos")]
const FOLDER: &str = "/Library/Application Support/ClaudeCode";

/// A setting that keeps hooks of a user from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Managed {
    /// No hook runs (`disableAllHooks`).
    Off,
    /// Only the administrator's hooks run (`allowManagedHooksOnly`).
    OnlyTheirs,
}

/// Returns the setting and the path of the file that says so. `None` if nothing is kept from running, or no file can be read.
pub(crate) fn managed() -> Option<(Managed, PathBuf)> {
    managed_in(Path::new(FOLDER))
}

fn managed_in(folder: &Path) -> Option<(Managed, PathBuf)> {
    let entries = std::fs::read_dir(folder.join("managed-settings.d")).into_iter().flatten().filter_map(Result::ok);
    let is_settings = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".json") && !name.starts_with('.')
    };
    let mut parts: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_settings).collect();
    parts.sort();
    let (mut off, mut only) = (None, None);
    for path in std::iter::once(folder.join("managed-settings.json")).chain(parts) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(settings) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else { continue };
        for (key, said) in [("disableAllHooks", &mut off), ("allowManagedHooksOnly", &mut only)] {
            if let Some(is) = settings.get(key).and_then(Value::as_bool) {
                *said = is.then(|| path.clone());
            }
        }
    }
    off.map(|path| (Managed::Off, path)).or(only.map(|path| (Managed::OnlyTheirs, path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_administrators_files_can_keep_hooks_from_running() {
        for (text, part, says) in [
            (r#"{"disableAllHooks":true}"#, "", Some((Managed::Off, "managed-settings.json"))),
            (r#"{"allowManagedHooksOnly":true}"#, "", Some((Managed::OnlyTheirs, "managed-settings.json"))),
            (
                r#"{"allowManagedHooksOnly":true,"disableAllHooks":true}"#,
                "",
                Some((Managed::Off, "managed-settings.json")),
            ),
            (r#"{"allowManagedHooksOnly":false}"#, "", None),
            (r#"{"allowManagedHooksOnly":"true"}"#, "", None),
            (
                "{}",
                r#"{"allowManagedHooksOnly":true}"#,
                Some((Managed::OnlyTheirs, "managed-settings.d/20-hooks.json")),
            ),
            (r#"{"disableAllHooks":true}"#, r#"{"disableAllHooks":false}"#, None),
            (r#"{"disableAllHooks":true}"#, "not JSON", Some((Managed::Off, "managed-settings.json"))),
            ("not JSON", "", None),
        ] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("managed-settings.json"), text).unwrap();
            std::fs::create_dir(folder.path().join("managed-settings.d")).unwrap();
            std::fs::write(folder.path().join("managed-settings.d/20-hooks.json"), part).unwrap();
            std::fs::write(folder.path().join("managed-settings.d/README"), r#"{"disableAllHooks":true}"#).unwrap();
            let says = says.map(|(managed, file)| (managed, folder.path().join(file)));
            assert_eq!(managed_in(folder.path()), says, "{text} {part}");
        }
        assert_eq!(managed_in(Path::new("/proc/nothing")), None);
    }
}
