//! The output of a command: published as it comes, and kept up to a limit.
//!
//! Of each stream, the beginning and the end are kept, half of the limit each, and the bytes between them are counted.
//! Text is UTF-8: a character that arrives in two chunks is joined, and invalid bytes become `U+FFFD`.

use std::collections::VecDeque;

use dmplz_protocol::tool::{Piece, Stream};

/// A chunk of output, unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Whether it was written to stdout or to stderr.
    pub stream: Stream,
    /// The bytes as the program wrote them.
    pub bytes: Vec<u8>,
}

/// The beginning and the end of a stream.
#[derive(Debug)]
pub(super) struct Kept {
    half: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    omitted: u64,
}

impl Kept {
    /// Creates a store that keeps at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { half: limit / 2, head: Vec::new(), tail: VecDeque::new(), omitted: 0 }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (head, tail) = bytes.split_at(bytes.len().min(self.half - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(tail);
        let over = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..over);
        self.omitted += over as u64;
    }

    pub(super) fn is_truncated(&self) -> bool {
        self.omitted > 0
    }

    /// Returns the kept bytes as text.
    pub(super) fn pieces(&self, stream: Stream) -> Vec<Piece> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        if !self.is_truncated() {
            let whole = text(&[self.head.as_slice(), &tail].concat());
            let piece = Piece { stream, text: whole, omitted_bytes: 0 };
            return Some(piece).filter(|piece| !piece.text.is_empty()).into_iter().collect();
        }
        let head = Piece { stream, text: text(&self.head), omitted_bytes: 0 };
        vec![head, Piece { stream, text: text(&tail), omitted_bytes: self.omitted }]
    }
}

/// Decodes text from bytes that arrive in chunks.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    pending: Vec<u8>,
}

impl Decoder {
    /// Returns the text so far, without an incomplete character at its end.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        let begun = self.pending.utf8_chunks().last().map_or(0, |last| match std::str::from_utf8(last.invalid()) {
            Err(error) if error.error_len().is_none() => last.invalid().len(),
            _ => 0,
        });
        let begun = self.pending.split_off(self.pending.len() - begun);
        let text = String::from_utf8_lossy(&self.pending).into_owned();
        self.pending = begun;
        text
    }

    /// Returns the text that is left at the end.
    pub(super) fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.pending)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn text_in_pieces_is_the_same_text(bytes in prop_oneof![any::<Vec<u8>>(), "\\PC{0,40}".prop_map(String::into_bytes)],
            size in 1usize..9) {
            let mut decoder = Decoder::default();
            let mut text: String = bytes.chunks(size).map(|piece| decoder.push(piece)).collect();
            text.push_str(&decoder.finish());
            prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn the_beginning_and_the_end_are_kept_and_the_rest_is_counted(bytes in prop::collection::vec(b'a'..=b'z', 0..300),
            size in 1usize..90, limit in 0usize..200) {
            let mut kept = Kept::new(limit);
            bytes.chunks(size).for_each(|piece| kept.push(piece));
            let half = limit / 2;
            let pieces = kept.pieces(Stream::Stdout);
            let found: Vec<_> = pieces.iter().map(|piece| (piece.text.as_bytes(), piece.omitted_bytes)).collect();
            if bytes.len() <= 2 * half {
                let whole = (bytes.as_slice(), 0);
                prop_assert_eq!(found, if bytes.is_empty() { vec![] } else { vec![whole] });
            } else {
                let omitted = bytes.len() - 2 * half;
                prop_assert_eq!(found, vec![(&bytes[..half], 0), (&bytes[half + omitted..], omitted as u64)]);
            }
        }
    }
}
