//! Texts within a text: `{"command": "mysql -p\"X\""}` is JSON, with a command in it, with a quotation in that.

use super::Secret;
use super::words::{self, Word, literal};

/// How deep texts are looked for in texts.
const DEPTH: usize = 4;

/// A quotation, without its escapes, that may hold a text.
pub(super) struct Layer {
    word: Word,
    depth: usize,
}

impl Layer {
    pub(super) fn text(&self) -> &str {
        &self.word.text
    }

    /// The quotations in it.
    pub(super) fn inner(&self) -> Vec<Self> {
        if self.depth >= DEPTH {
            return Vec::new();
        }
        let mut inner = quotations(self.text(), self.depth + 1);
        inner.iter_mut().for_each(|layer| layer.word.within(&self.word));
        inner
    }

    /// Adds what was found in it, where it stands in the whole text.
    pub(super) fn mask(&self, found: Vec<Secret>, secrets: &mut Vec<Secret>) {
        found.into_iter().for_each(|secret| self.word.mask(secret, secrets));
    }
}

/// The quotations of a text that hold more than a word.
pub(super) fn quotations(text: &str, depth: usize) -> Vec<Layer> {
    let holds = |inside: &Secret| {
        text.get(inside.clone()).is_some_and(|inside| inside.len() > 3 && inside.contains([' ', '\t', '\\']))
    };
    let layer = |inside: Secret| {
        let escapes = text.get(..inside.start).is_some_and(|before| before.ends_with('"'));
        Layer { word: literal(text, inside, escapes), depth }
    };
    words::quotations(text).into_iter().filter(holds).map(layer).collect()
}
