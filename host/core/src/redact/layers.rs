//! Texts within a text: `{"command": "mysql -p\"X\""}` is JSON, with a command in it, with a quotation in that.

use super::words::{self, Word, literal};
use super::{Secret, found};

/// How deep texts are looked for in texts.
const DEPTH: usize = 4;

/// The secrets of a text and of the quotations in it.
pub(super) fn find(text: &str) -> Vec<Secret> {
    let mut secrets = Vec::new();
    at_depth(text, 0, &mut secrets);
    secrets
}

fn at_depth(text: &str, depth: usize, secrets: &mut Vec<Secret>) {
    let quotations = words::quotations(text);
    found(text, &quotations, secrets);
    if depth == DEPTH {
        return;
    }
    let mut inner = Vec::new();
    for inside in quotations {
        let Some(layer) = layer(text, inside) else { continue };
        at_depth(&layer.text, depth + 1, &mut inner);
        inner.drain(..).for_each(|secret| layer.mask(secret, secrets));
    }
}

/// A quotation that holds more than a word, without its escapes.
fn layer(text: &str, inside: Secret) -> Option<Word<'_>> {
    let holds = text.as_bytes().get(inside.clone())?;
    if holds.len() <= 3 || memchr::memchr3(b' ', b'\t', b'\\', holds).is_none() {
        return None;
    }
    let escapes = text.get(..inside.start).is_some_and(|before| before.ends_with('"'));
    Some(literal(text, inside, escapes))
}
