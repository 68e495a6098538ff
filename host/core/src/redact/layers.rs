//! Texts within a text: `{"command": "mysql -p\"X\""}` is JSON, with a command in it, with a quotation in that.

use super::words::{self, Word, literal};
use super::{Secret, found};

/// The secrets of a text and, so many levels deep, of the quotations in it.
pub(super) fn find(text: &str, depth: usize) -> Vec<Secret> {
    let mut secrets = Vec::new();
    let quotations = words::quotations(text);
    found(text, &quotations, &mut secrets);
    let Some(depth) = depth.checked_sub(1) else { return secrets };
    for inside in quotations {
        let Some(layer) = layer(text, inside) else { continue };
        find(&layer.text, depth).into_iter().for_each(|secret| layer.mask(secret, &mut secrets));
    }
    secrets
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
