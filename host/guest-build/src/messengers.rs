//! The messengers that come with dmplz, for the build scripts that make something of each.

use std::path::PathBuf;

use crate::{GuestError, workspace};

/// Their names, in the order in which people read them.
pub const MESSENGERS: &[&str] = include!("../../../providers/messengers.rs");

/// Returns the package of a messenger's component.
pub fn package(messenger: &str) -> String {
    format!("dmplz-{messenger}")
}

/// Returns the sources of a messenger's component, relative to the workspace's root. Its tests, fake server and drivers
/// are not among them, because they do not affect the component.
pub fn sources(messenger: &str) -> Vec<PathBuf> {
    ["src", "Cargo.toml"].map(|part| PathBuf::from_iter(["providers", messenger, part])).to_vec()
}

/// Writes `OUT_DIR/<output>`: a public module for each messenger that has the file `providers/<messenger>/<root>`, whose
/// root is that file, and what `more` adds for its name and its title; at the end what `last` makes of all their names. Called
/// by the build scripts of the tests' crates, so that what is about one messenger lies in its folder and is a part of the
/// crate that needs it.
///
/// # Errors
/// When this is no build script, or the output cannot be written.
pub fn modules(
    output: &str,
    root: &str,
    more: impl Fn(&str, &str) -> String,
    last: impl FnOnce(&[&str]) -> String,
) -> Result<(), GuestError> {
    let (mut text, mut there) = (String::new(), Vec::new());
    for messenger in MESSENGERS {
        let file = workspace().join("providers").join(messenger).join(root);
        println!("cargo:rerun-if-changed={}", file.display());
        if file.is_file() {
            there.push(*messenger);
            let title = title(messenger);
            text.push_str(&format!(
                "/// {title}.\n#[path = {file:?}]\npub mod {messenger};\n{}",
                more(messenger, &title)
            ));
        }
    }
    text.push_str(&last(&there));
    let out = std::env::var_os("OUT_DIR").ok_or(GuestError::NotABuildScript("OUT_DIR"))?;
    let output = PathBuf::from(out).join(output);
    std::fs::write(&output, text).map_err(|source| GuestError::Write { file: output, source })
}

/// Returns the name with a capital letter: `Telegram` for `telegram`.
fn title(messenger: &str) -> String {
    let mut letters = messenger.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
