//! Computes the new content of a settings file.

use super::file::{self, File};
use super::{hooks, status};
use crate::notify::settings::RoutedEvent;
use crate::told::Told;

/// A change of a file.
pub(super) enum Change {
    /// The text is replaced.
    Text(String),
    /// The state from before the install is restored: the text, or no file.
    Before(Option<String>),
}

impl Change {
    /// Returns the text of the file after the change; `None` if the file is removed.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Before(text) => text.as_deref(),
        }
    }
}

/// Returns the text with the hooks of dmplz.
pub(super) fn register(
    text: Option<&str>,
    program: &str,
    seconds: u64,
    reported: &[RoutedEvent],
) -> anyhow::Result<String> {
    let (mark, text) = split(text.unwrap_or_default());
    if status::of(text, &[])?.plugin {
        return Told::err(
            "훅을 추가할 수 없습니다. dmplz 플러그인이 켜져 있어 요청마다 두 번 묻게 됩니다. 먼저 `claude plugin disable dmplz`를 \
             실행해 주세요",
            "the hooks cannot be added: the dmplz plugin is enabled there, and every request would be asked twice; first run `claude \
             plugin disable dmplz`",
            &[],
        );
    }
    Ok(format!("{mark}{}", hooks::with(text, &hooks::wanted(program, seconds, reported)?)?))
}

/// Returns the change that removes the hooks of dmplz.
pub(super) fn deregister(file: &File, reported: &[RoutedEvent]) -> anyhow::Result<Change> {
    let Some(whole) = &file.text else { return Ok(Change::Before(None)) };
    let (mark, text) = split(whole);
    let found = status::of(text, &[])?;
    // Cutting out cannot tell an empty list that was there from one that we made. The backup can.
    if let (Some(program), Some(seconds)) = (found.program, found.timeout) {
        for before in [file::text(&file.backup())?, None] {
            let held = split(before.as_deref().unwrap_or_default()).1;
            let clean = hooks::find(held).is_ok_and(|ours| ours.is_empty());
            if clean
                && register(before.as_deref(), &program, seconds, reported).is_ok_and(|installed| installed == *whole)
            {
                return Ok(Change::Before(before));
            }
        }
    }
    Ok(Change::Text(format!("{mark}{}", hooks::without(text)?)))
}

/// Splits a text into a byte order mark, which Claude Code accepts, and the rest.
pub(super) fn split(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })
}
