//! The state of a request's messages: the part of a record from which its card is shown again.

use dmplz_core::flow::Form;
use dmplz_core::messenger::{Choice, MessageRef};
use serde::{Deserialize, Serialize};

/// The shown state of a request. It is flattened into every record; a field that an older record lacks has its default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CardView {
    /// Whether the denier is asked what to do instead.
    pub instead: bool,
    /// The choices made on the card before it was answered.
    pub form: Form,
    /// The form that the card shows at present. It lags behind `form` while the card is being revised.
    pub shown: Form,
    /// The messages with choices, the newest last: the card alone, or, if choices are reactions, the card and the later
    /// pages.
    pub pages: Vec<Page>,
    /// How many messages followed the card. Each has its own tag.
    pub posted: u32,
    /// Prompts before the last one.
    pub spent: Vec<MessageRef>,
    /// The choices of the last prompt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Choice>,
}

/// A message that shows, or showed, choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The message that shows the page.
    pub message: MessageRef,
    /// The choices that it shows or showed.
    pub choices: Vec<Choice>,
    /// Whether the choices are still there.
    pub menu: bool,
}
