//! How an error of a command becomes a message, a hint and an exit code, for people on stderr and for programs on stdout.

mod meaning;

use dmplz_core::text::Lang;
use serde::Serialize;
use serde_json::json;

use crate::terminal::show_json;
use crate::trouble;

/// A command that failed, in words of one language.
#[derive(Debug, Serialize)]
pub(crate) struct Failed {
    /// The name of the kind of error, which stays as it is for programs.
    pub(crate) code: &'static str,
    pub(crate) what: String,
    /// What to do about it, if that is known.
    pub(crate) next: Option<String>,
    /// The exit code of the command.
    pub(crate) exit: u8,
    /// The language of the words.
    #[serde(skip)]
    pub(crate) lang: Lang,
}

impl Failed {
    /// Sets another exit code.
    pub(crate) fn with_exit(self, exit: u8) -> Self {
        Self { exit, ..self }
    }

    /// Tells people, and programs that want JSON. Returns the exit code.
    pub(crate) fn tell(&self, json: bool) -> u8 {
        trouble::error(&self.what);
        if let Some(next) = &self.next {
            trouble::hint(next, self.lang);
        }
        if json {
            // The exit code says it too, if stdout is closed.
            let _ = self.show();
        }
        self.exit
    }

    /// Writes it on stdout for programs: one JSON object.
    pub(crate) fn show(&self) -> anyhow::Result<()> {
        show_json(&json!({ "ok": false, "error": self }))
    }
}
