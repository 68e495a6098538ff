//! A cursor that says which events were told, for servers whose lists are read by time.
//!
//! It is `m1 TIME HASH,HASH,...`: when the newest event that was told happened, in milliseconds of the server, and the
//! hashes of those of the last 5 seconds. The nodes of a cluster have clocks of their own, so an event can be stored a
//! little before one that was told already. After a new connection, events are therefore read from before that time, and
//! those that were told are left out.

use std::collections::VecDeque;

/// The form of the cursors.
const VERSION: &str = "m1";
/// How far the clocks of one server's nodes may differ, in milliseconds; our choice.
const OVERLAP: u64 = 5_000;
/// The most hashes that are kept: 70 of 13 characters fit into the 1 KiB of a cursor (`types.wit`).
const KEPT: usize = 70;
/// The bits of a hash that are kept: 12 hexadecimal digits.
const BITS: u64 = (1 << 48) - 1;

/// The events that were told last.
#[derive(Debug, Default)]
pub struct Seen {
    newest: u64,
    recent: VecDeque<(u64, u64)>,
}

impl Seen {
    /// Reads a cursor. One of somebody else says that nothing was told.
    pub fn parse(cursor: &str) -> Self {
        let mut parts = cursor.split(' ');
        if parts.next() != Some(VERSION) {
            return Self::default();
        }
        let Some(newest) = parts.next().and_then(|time| time.parse().ok()) else { return Self::default() };
        let hashes = parts.next().unwrap_or_default().split(',');
        let hashes = hashes.filter_map(|hash| u64::from_str_radix(hash, 16).ok()).take(KEPT);
        Self { newest, recent: hashes.map(|hash| (newest, hash)).collect() }
    }

    /// Returns the cursor that says what was told so far.
    pub fn cursor(&self) -> String {
        let hashes = self.recent.iter().map(|(_, hash)| format!("{hash:x}")).collect::<Vec<_>>().join(",");
        format!("{VERSION} {} {hashes}", self.newest).trim_end().to_owned()
    }

    /// Returns whether an event was certainly told because of its time alone.
    pub fn is_past(&self, at: u64) -> bool {
        at.saturating_add(OVERLAP) < self.newest
    }

    /// Notes an event, by an id that the server drew and when it happened, and returns whether it is new.
    pub fn is_new(&mut self, key: &str, at: u64) -> bool {
        let hash = hash(key);
        if self.recent.iter().any(|(_, known)| *known == hash) {
            return false;
        }
        self.newest = self.newest.max(at);
        if !self.is_past(at) {
            self.recent.push_back((at, hash));
        }
        let oldest = self.newest.saturating_sub(OVERLAP);
        self.recent.retain(|(at, _)| *at >= oldest);
        self.recent.drain(..self.recent.len().saturating_sub(KEPT));
        true
    }
}

/// Returns the FNV-1a hash of a key (<http://www.isthe.com/chongo/tech/comp/fnv/>). Keys are ids that the server drew, so
/// nobody can choose them.
fn hash(key: &str) -> u64 {
    let hash = key
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash & BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_brings_nothing_twice_and_loses_nothing() {
        let mut seen = Seen::default();
        assert_eq!(seen.cursor(), "m1 0");
        assert!(seen.is_new("a", 1_000_000) && !seen.is_new("a", 1_000_000) && seen.is_new("b", 1_004_000));
        let mut next = Seen::parse(&seen.cursor());
        assert_eq!(next.cursor(), seen.cursor());
        assert!(!next.is_new("a", 1_000_000) && !next.is_new("b", 1_004_000));
        assert!(next.is_new("c", 1_001_000), "stored by a node whose clock is behind");
        assert!(next.is_past(998_999) && !next.is_past(999_000));
    }

    #[test]
    fn a_cursor_fits_and_one_of_somebody_else_says_nothing() {
        let mut seen = Seen::default();
        (0..10_000_u64)
            .for_each(|number| assert!(seen.is_new(&format!("event {number}"), 1_800_000_000_000 + number / 100)));
        assert!(seen.cursor().len() <= 1024, "{}", seen.cursor().len());
        for cursor in ["", "x", "s1 1 2", "m1", "m1 x", "m1 -1", "m1 99999999999999999999999"] {
            assert_eq!(Seen::parse(cursor).cursor(), "m1 0", "{cursor}");
        }
    }
}
