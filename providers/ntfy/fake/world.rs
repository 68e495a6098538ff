use super::model::{Message, Published};
use super::refusal::Refusal;
use crate::bucket::Bucket;
use crate::clock::unix_seconds;
use std::collections::BTreeSet;
use std::time::Duration;

/// The access token of the bot.
pub(crate) const TOKEN: &str = "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2";

/// The number of requests that a visitor may send at once, and the time after which another one is allowed
/// (<https://docs.ntfy.sh/publish/#limitations>).
const BURST: u32 = 60;
const REFILL: Duration = Duration::from_secs(5);

/// The state of the server and of the phones.
pub(crate) struct World {
    pub(crate) log: Vec<Published>,
    /// The topics without access.
    pub(crate) protected: BTreeSet<String>,
    /// The messages that people deleted on their phones: topic and id.
    pub(crate) deleted: BTreeSet<(String, String)>,
    pub(crate) knows_sequences: bool,
    /// What the visitor may still send. All requests count as those of one visitor.
    visitor: Option<Bucket>,
    time: u64,
}

impl Default for World {
    fn default() -> Self {
        Self {
            log: Vec::new(),
            protected: BTreeSet::new(),
            deleted: BTreeSet::new(),
            knows_sequences: true,
            visitor: None,
            time: 0,
        }
    }
}

impl World {
    pub(crate) fn limit_visitors(&mut self) {
        self.visitor = Some(Bucket::new(BURST, REFILL));
    }

    /// Counts a request, and refuses it if it exceeds the limit.
    pub(crate) fn count(&mut self) -> Result<(), Refusal> {
        match self.visitor.as_mut().and_then(Bucket::take) {
            None => Ok(()),
            Some(_) => Err(Refusal::new(429, 42901, "limit reached: too many requests")),
        }
    }

    /// Stores a message with a new id and a later time than the last one. Returns it.
    pub(crate) fn publish(&mut self, message: Published) -> Published {
        self.time = unix_seconds().max(self.time + 1);
        let id = format!("{:012}", self.log.len() * 7_919 + 1);
        let sequence = message.sequence.filter(|_| self.knows_sequences);
        let message = Published { id, time: self.time, sequence, ..message };
        self.log.push(message.clone());
        message
    }

    /// Returns whether a message of this sequence was published.
    pub(crate) fn has_sequence(&self, topic: &str, sequence: &str) -> bool {
        self.log.iter().any(|it| it.topic == topic && it.sequence.as_deref() == Some(sequence))
    }

    /// Returns what `find` finds among the messages that a phone shows for a topic.
    pub(crate) fn on_screen<R>(&self, topic: &str, find: impl FnOnce(&[Message]) -> Option<R>) -> Option<R> {
        find(&self.screen(topic))
    }

    /// Returns the messages that a phone shows for a topic, in the order of their arrival.
    pub(crate) fn screen(&self, topic: &str) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        for published in self.log.iter().filter(|published| published.topic == topic) {
            let id = published.sequence.as_ref().unwrap_or(&published.id);
            match messages.iter_mut().find(|message| message.id == *id) {
                Some(message) => message.revisions.push(published.clone()),
                None => {
                    let deleted = self.deleted.contains(&(topic.to_owned(), id.clone()));
                    messages.push(Message { id: id.clone(), revisions: vec![published.clone()], deleted });
                }
            }
        }
        messages
    }
}
