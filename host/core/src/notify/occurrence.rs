//! One event with its texts.

use serde::{Deserialize, Serialize};

use super::{Detail, EventKind};
use crate::redact::mask;

/// The most characters that are kept of content: more than any service takes in one message.
const CONTENT: usize = 16_000;

/// An event, as it is passed on, stored and rendered. Its texts are masked when it is created, and again when they are
/// rendered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Occurrence {
    /// The kind of event.
    pub event: EventKind,
    /// Identifies the occurrence. A channel takes each id once.
    pub id: String,
    /// When it happened, in Unix milliseconds.
    pub at_ms: u64,
    /// The client's session; empty if it belongs to none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session_id: String,
    /// The folder of the session; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cwd: String,
    /// The text that a route's filter matches. [`EventKind`] defines it for each event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// What happened, in a line or two. It is shown from `normal` on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Detailed content, such as a tool's input. It is shown at `verbose` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The number of background tasks that continue after a turn.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub background: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Occurrence {
    /// Returns an occurrence without texts.
    pub fn new(event: EventKind, id: String, at_ms: u64) -> Self {
        Self {
            event,
            id,
            at_ms,
            session_id: String::new(),
            cwd: String::new(),
            subject: None,
            summary: None,
            content: None,
            background: 0,
        }
    }

    /// Returns the occurrence with all texts masked.
    #[must_use]
    pub fn masked(mut self) -> Self {
        for text in [&mut self.summary, &mut self.content, &mut self.subject].into_iter().flatten() {
            *text = mask(text).to_string();
        }
        self.cwd = mask(&self.cwd).to_string();
        if let Some(content) = &mut self.content {
            shorten(content);
        }
        self
    }

    /// Returns the occurrence without the texts that a notice of this detail does not show.
    #[must_use]
    pub fn for_detail(mut self, detail: Detail) -> Self {
        if detail < Detail::Verbose {
            self.content = None;
        }
        if detail < Detail::Normal && self.event != EventKind::Message {
            self.summary = None;
        }
        self
    }
}

/// Cuts a text that was masked, and says how many characters are missing.
fn shorten(text: &mut String) {
    let Some((end, _)) = text.char_indices().nth(CONTENT) else { return };
    let missing = text.get(end..).unwrap_or_default().chars().count();
    text.truncate(end);
    text.push_str(&format!("… (+{missing})"));
}
