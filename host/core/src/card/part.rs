//! A part of a request, as its card shows it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::messenger::Block;

/// A part of a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// A text that is shown literally.
    Text(String),
    /// A monospaced text that is shown literally.
    Code(String),
}

impl Part {
    /// Returns the part as a block of a card.
    pub(super) fn block(self) -> Block {
        match self {
            Self::Text(text) => Block::Text(text),
            Self::Code(code) => Block::Code(code),
        }
    }

    /// Returns a part of the same style with another text.
    pub(super) fn with_text(&self, text: String) -> Self {
        match self {
            Self::Text(_) => Self::Text(text),
            Self::Code(_) => Self::Code(text),
        }
    }

    /// Returns the text of the part.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Code(text) => text,
        }
    }
}
