//! The cursor for reading texts: for each channel that is read, the last message seen. Written
//! `CHANNEL:MESSAGE,CHANNEL:MESSAGE`. A channel that is no longer watched is dropped, so that the cursor stays short.

use std::collections::BTreeMap;

use dmplz_provider_sdk::CURSOR;

/// The last messages, by channel.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Cursor {
    seen: BTreeMap<u64, u64>,
}

impl Cursor {
    /// Parses a cursor. Invalid entries are ignored, because the watched message bounds the reading anyway.
    pub(crate) fn parse(cursor: &str) -> Self {
        let pairs = cursor.split(',').filter_map(|pair| pair.split_once(':'));
        Self {
            seen: pairs.filter_map(|(channel, message)| Some((channel.parse().ok()?, message.parse().ok()?))).collect(),
        }
    }

    /// Returns the last message seen in a channel.
    pub(crate) fn last(&self, channel: u64) -> u64 {
        self.seen.get(&channel).copied().unwrap_or_default()
    }

    /// Records a message of a channel.
    pub(crate) fn advance(&mut self, channel: u64, message: u64) {
        let last = self.seen.entry(channel).or_default();
        *last = message.max(*last);
    }

    /// Formats the entries of the channels that are still read. If there are too many, the oldest is dropped: reading
    /// that channel starts at its card again, and the host ignores messages that it has seen.
    pub(crate) fn write(mut self, channels: &[u64]) -> String {
        self.seen.retain(|channel, _| channels.contains(channel));
        loop {
            let pairs = self.seen.iter().map(|(channel, message)| format!("{channel}:{message}")).collect::<Vec<_>>();
            let cursor = pairs.join(",");
            let oldest = self.seen.iter().min_by_key(|(_, message)| **message).map(|(channel, _)| *channel);
            match oldest.filter(|_| cursor.len() > CURSOR) {
                Some(channel) => self.seen.remove(&channel),
                None => return cursor,
            };
        }
    }
}
