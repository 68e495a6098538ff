//! What a request's messages show, and where: the part of a record that its card is drawn again from.

use dmplz_core::flow::Form;
use dmplz_core::messenger::{Choice, MessageRef};
use serde::{Deserialize, Serialize};

/// What is drawn of a request. Flattened into every record that keeps it; what an older record lacks is as at the start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CardView {
    /// Whether who denied is to say what to do instead.
    pub instead: bool,
    /// What was chosen on the card before it was answered.
    pub form: Form,
    /// What the card shows of it: less while it is drawn again.
    pub shown: Form,
    /// The messages with its choices, the newest last: the card alone, or, where choices are reactions, the card and
    /// what was posted since.
    pub pages: Vec<Page>,
    /// How many messages followed the card: each has a tag of its own.
    pub posted: u32,
    /// Prompts before the last one.
    pub spent: Vec<MessageRef>,
    /// The choices of the last prompt where words are written into a form; none where they are read in the chat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Choice>,
}

/// A message that shows or showed what may be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The message that shows the page.
    pub message: MessageRef,
    /// What it offers or offered.
    pub choices: Vec<Choice>,
    /// Whether they are still there.
    pub menu: bool,
}
