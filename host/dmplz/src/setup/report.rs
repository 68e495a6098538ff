//! What the setup comes to, for programs: one JSON object.

use serde::Serialize;
use serde_json::Value;

use super::failure::{Failure, Words};
use crate::failed::Failed;
use dmplz_core::text::Lang;

/// What was set up, as far as it came.
#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    /// A person pressed the test card, or nothing needs a press.
    pub(super) ok: bool,
    /// Where people read: a messenger, `page` or `terminal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bot: Option<Named>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) chat: Option<String>,
    /// Who was met, where somebody was in this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) person: Option<Named>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) settings_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hooks: Option<Hooks>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) test: Option<Test>,
    /// Since the start.
    pub(super) seconds: f64,
    /// What the person did: answers in the terminal, and presses.
    pub(super) actions: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<Trouble>,
}

/// A bot or a person.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Named {
    pub(super) id: String,
    pub(super) name: String,
}

/// How Claude Code comes to call this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Hooks {
    Installed,
    /// They were registered before.
    Kept,
    /// The plugin registers them.
    Plugin,
    /// `--no-install`.
    Skipped,
}

/// The press on the test card.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Test {
    /// `allow` or `deny`.
    pub(crate) pressed: String,
    /// The hook's stdout, which Claude Code would get.
    pub(crate) claude_code_gets: Value,
    /// The same as it was written.
    #[serde(skip)]
    pub(crate) written: String,
}

/// Why it stopped.
#[derive(Debug, Serialize)]
pub(super) struct Trouble {
    /// Stable.
    code: &'static str,
    /// What was tried and what came back, as one sentence.
    what: String,
    #[serde(flatten)]
    words: Words,
    /// The exit code of the setup.
    exit: u8,
}

impl Trouble {
    pub(super) fn of(error: &anyhow::Error, lang: Lang) -> Self {
        match error.downcast_ref::<Failure>() {
            Some(failure) => Self {
                code: failure.code(),
                what: failure.what(lang),
                words: failure.words(lang),
                exit: failure.exit(),
            },
            None => {
                let Failed { code, what, next, exit, .. } = Failed::of(error, lang);
                let next = next.unwrap_or_else(|| "dmplz doctor".to_owned());
                Self { code, words: Words { tried: "dmplz setup".to_owned(), got: what.clone(), next }, what, exit }
            }
        }
    }
}
