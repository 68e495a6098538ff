//! Where reading of texts goes on: for each channel that is being read, the last message seen. Written
//! `CHANNEL:MESSAGE,CHANNEL:MESSAGE`; a channel that is no longer watched is dropped, so that it stays short.

use std::collections::BTreeMap;

/// Last messages, by channel.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Cursor {
    seen: BTreeMap<u64, u64>,
}

/// Bytes that a cursor may take (`batch` in `wit/types.wit`).
const MAX_BYTES: usize = 1024;

impl Cursor {
    /// Reads a cursor. What makes no sense is left out: the watched message bounds the reading all the same.
    pub(crate) fn parse(cursor: &str) -> Self {
        let pairs = cursor.split(',').filter_map(|pair| pair.split_once(':'));
        Self {
            seen: pairs.filter_map(|(channel, message)| Some((channel.parse().ok()?, message.parse().ok()?))).collect(),
        }
    }

    /// The last message seen in a channel.
    pub(crate) fn last(&self, channel: u64) -> u64 {
        self.seen.get(&channel).copied().unwrap_or_default()
    }

    /// Notes a message of a channel.
    pub(crate) fn advance(&mut self, channel: u64, message: u64) {
        let last = self.seen.entry(channel).or_default();
        *last = message.max(*last);
    }

    /// Writes the entries of the channels that are still read. Where they are too many the oldest goes: its next reading
    /// starts at its card again, and the host copes with what it saw before.
    pub(crate) fn write(mut self, channels: &[u64]) -> String {
        self.seen.retain(|channel, _| channels.contains(channel));
        loop {
            let pairs = self.seen.iter().map(|(channel, message)| format!("{channel}:{message}")).collect::<Vec<_>>();
            let cursor = pairs.join(",");
            let oldest = self.seen.iter().min_by_key(|(_, message)| **message).map(|(channel, _)| *channel);
            match oldest.filter(|_| cursor.len() > MAX_BYTES) {
                Some(channel) => self.seen.remove(&channel),
                None => return cursor,
            };
        }
    }
}
