//! Finds texts within a text: `{"command": "mysql -p\"X\""}` is JSON that contains a command, which contains a
//! quotation.

use super::bytes::memchr3;
use super::words::{self, Word, literal};
use super::{Secret, found};

/// Returns the secrets of a text and of the quotations in it, down to a depth.
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

/// Returns a quotation of more than one word, without its escapes.
fn layer(text: &str, inside: Secret) -> Option<Word<'_>> {
    let holds = text.as_bytes().get(inside.clone())?;
    if holds.len() <= 3 || memchr3(b' ', b'\t', b'\\', holds).is_none() {
        return None;
    }
    let escapes = text.get(..inside.start).is_some_and(|before| before.ends_with('"'));
    Some(literal(text, inside, escapes))
}
