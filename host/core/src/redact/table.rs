//! Tables that are computed at compile time: a hook masks only a few texts, and would otherwise build the tables for
//! those.

use std::ops::Range;

/// Entries grouped by a number, so that a lookup inspects few of them. The entries of one number keep their order.
pub(super) struct Table<T: 'static> {
    pub(super) things: &'static [T],
    /// The index at which the entries of each number begin, and the end of all after the last number.
    pub(super) starts: &'static [usize; 257],
}

impl<T> Table<T> {
    /// Returns the entries of a number.
    pub(super) fn of(&self, number: u8) -> &'static [T] {
        self.things.get(self.range(number)).unwrap_or_default()
    }

    /// Returns the indices of the entries of a number.
    pub(super) fn range(&self, number: u8) -> Range<usize> {
        let bound = |at: usize| self.starts.get(at).copied().unwrap_or_default();
        bound(usize::from(number))..bound(usize::from(number) + 1)
    }
}

/// Sorts entries by their numbers, in the form that a [`Table`] stores.
#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
pub(super) const fn sorted<T: Copy, const N: usize>(things: [T; N], numbers: [u8; N]) -> ([T; N], [usize; 257]) {
    let mut starts = [0; 257];
    let mut at = 0;
    while at < N {
        starts[numbers[at] as usize + 1] += 1;
        at += 1;
    }
    let mut number = 0;
    while number < 256 {
        starts[number + 1] += starts[number];
        number += 1;
    }
    let (mut sorted, mut next) = (things, starts);
    let mut at = 0;
    while at < N {
        let place = &mut next[numbers[at] as usize];
        sorted[*place] = things[at];
        *place += 1;
        at += 1;
    }
    (sorted, starts)
}

/// Returns the number of parts of a text that are separated by a byte.
pub(super) const fn count(text: &str, separator: u8) -> usize {
    let (mut rest, mut count) = (text.as_bytes(), 1);
    while let [byte, after @ ..] = rest {
        count += (*byte == separator) as usize;
        rest = after;
    }
    count
}

/// Returns the parts of a text that are separated by a byte.
#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
pub(super) const fn split<const N: usize>(text: &str, separator: u8) -> [&str; N] {
    let (mut parts, mut rest, mut at) = ([""; N], text, 0);
    while at < N {
        (parts[at], rest) = split_once(rest, separator);
        at += 1;
    }
    parts
}

/// Returns the text before and after the first separator; the whole text and an empty one if there is no separator.
pub(super) const fn split_once(text: &str, separator: u8) -> (&str, &str) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if let (_, [byte, ..]) = bytes.split_at(at)
            && *byte == separator
        {
            return (text.split_at(at).0, text.split_at(at + 1).1);
        }
        at += 1;
    }
    (text, "")
}

/// Returns a number for a word that few other words share.
pub(super) const fn slot(word: &str) -> u8 {
    let bytes = word.as_bytes();
    let [first, middle, last] = match (bytes.first(), bytes.split_at(bytes.len() / 2).1.first(), bytes.last()) {
        (Some(first), Some(middle), Some(last)) => [*first, *middle, *last],
        _ => [0; 3],
    };
    let ends = first.wrapping_mul(31).wrapping_add(middle.wrapping_mul(7));
    ends.wrapping_add(last.wrapping_mul(3)) ^ (word.len() as u8)
}

/// A set of pairs of bytes, with one bit for each.
pub(super) struct Pairs([u64; 1024]);

impl Pairs {
    pub(super) const fn none() -> Self {
        Self([0; 1024])
    }

    #[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
    pub(super) const fn add(&mut self, first: u8, second: u8) {
        self.0[(first as usize) << 2 | (second as usize) >> 6] |= 1 << (second & 63);
    }

    pub(super) fn has(&self, first: u8, second: u8) -> bool {
        let bits = self.0.get(usize::from(first) << 2 | usize::from(second) >> 6);
        bits.is_some_and(|bits| bits >> (second & 63) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_of_a_number_stand_together_in_their_order() {
        static SORTED: ([&str; 5], [usize; 257]) = sorted(["a", "b", "c", "d", "e"], [255, 0, 7, 0, 255]);
        let table = Table { things: &SORTED.0, starts: &SORTED.1 };
        assert_eq!(table.of(0), ["b", "d"]);
        assert_eq!(table.of(7), ["c"]);
        assert_eq!(table.of(255), ["a", "e"]);
        assert!(table.of(8).is_empty());
        assert_eq!(table.range(255), 3..5);
    }

    #[test]
    fn parts_are_what_they_are_elsewhere() {
        for text in ["", "a", "a b", " a  비밀 c ", "비밀"] {
            assert_eq!(count(text, b' '), text.split(' ').count(), "{text:?}");
            assert_eq!(split_once(text, b' '), text.split_once(' ').unwrap_or((text, "")), "{text:?}");
        }
        assert_eq!(split::<3>("a 비밀 c", b' '), ["a", "비밀", "c"]);
    }

    #[test]
    fn a_pair_is_there_once_it_was_added() {
        let mut pairs = Pairs::none();
        pairs.add(b'a', 0xff);
        assert!(pairs.has(b'a', 0xff));
        assert!(!pairs.has(b'a', 0xfe) && !pairs.has(0xff, b'a'));
    }
}
