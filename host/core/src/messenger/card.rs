//! Cards, and what they offer.

use super::MessageRef;

/// One way to answer a card.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Choice {
    /// Names the choice on its card: `[a-z0-9-]{1,16}`.
    pub id: String,
    /// The label of a button, at most 64 units.
    pub label: String,
    /// The emoji of the reaction.
    pub emoji: String,
    /// The style of a button.
    pub style: ButtonStyle,
    /// The row: choices of one row are shown side by side.
    pub row: u8,
    /// The field whose text the choice asks for, if the messenger has forms.
    pub field: Option<TextField>,
}

/// The meaning of a choice, for messengers that colour their buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ButtonStyle {
    /// The most common choice.
    Primary,
    /// The choice allows something.
    Success,
    /// The choice denies something.
    Danger,
    /// The choice answers nothing by itself.
    Secondary,
}

/// The text field of a choice.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TextField {
    /// The title of the form, at most 45 units.
    pub title: String,
    /// The label of the field, at most 45 units.
    pub label: String,
    /// The placeholder of the empty field, at most 100 units.
    pub placeholder: String,
    /// The most units that the field takes.
    pub max: usize,
}

impl Choice {
    /// Returns a choice in the first row, whose label begins with the emoji that is its reaction.
    pub fn new(id: &str, label: &str, style: ButtonStyle) -> Self {
        let emoji = label.split(' ').next().unwrap_or_default();
        Self { id: id.into(), label: label.into(), emoji: emoji.into(), style, row: 0, field: None }
    }
}

/// A file attached to a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// The name of the file.
    pub name: String,
    /// The media type, for example `text/plain; charset=utf-8`.
    pub media_type: String,
    /// The content of the file.
    pub data: Vec<u8>,
}

/// One part of a card's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Text that is shown literally, without any markup.
    Text(String),
    /// Text of dmplz with one `code span` between backquotes.
    Hint(String),
    /// A monospaced text that is shown literally.
    Code(String),
    /// A file that is sent with the card.
    File(Attachment),
}

/// The content of a request, a prompt or a notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// Identifies the card across processes, [A-Za-z0-9]{1,22}.
    pub tag: String,
    /// The first line of the card, emphasised.
    pub title: String,
    /// The parts of the body, in the order shown.
    pub body: Vec<Block>,
    /// The choices; empty for a notice and for a final state.
    pub choices: Vec<Choice>,
    /// The message to which it replies.
    pub reply_to: Option<MessageRef>,
    /// Whether it asks for a text.
    pub wants_text: bool,
    /// Whether it is posted without a sound, where the messenger can do that.
    pub silent: bool,
}

impl Card {
    /// Returns a card that only tells something: without choices, with a sound.
    pub fn new(tag: &str, title: String, body: Vec<Block>) -> Self {
        let (tag, choices) = (tag.to_owned(), Vec::new());
        Self { tag, title, body, choices, reply_to: None, wants_text: false, silent: false }
    }
}
