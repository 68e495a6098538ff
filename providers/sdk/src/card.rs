//! The parts of a card.

use crate::{Attachment, Block, Card};

impl Card {
    /// Returns the files of the card, in their order.
    pub fn files(&self) -> impl Iterator<Item = &Attachment> + Clone {
        self.body.iter().filter_map(|block| match block {
            Block::File(file) => Some(file),
            _ => None,
        })
    }
}
