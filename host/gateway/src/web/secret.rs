//! Random texts of 256 bits, for tokens and nonces: 64 lower-case hexadecimal characters.

use std::io;

use crate::lower_hex;

const BYTES: usize = 32;

pub(super) fn random() -> io::Result<String> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(hex::encode(bytes))
}

/// Returns whether a text has the form of a random one.
pub(super) fn is_one(text: &str) -> bool {
    lower_hex::decode(text).is_some_and(|bytes| bytes.len() == BYTES)
}
