use super::model::{Message, Published};
use super::refusal::Refusal;
use crate::clock::unix_seconds;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The access token of the bot.
pub(crate) const TOKEN: &str = "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2";

/// Requests of a visitor at once, and what lets one more through (docs.ntfy.sh/publish/#limitations).
const BURST: u32 = 60;
const REFILL: Duration = Duration::from_secs(5);

/// Everything that the server knows.
pub(crate) struct World {
    pub(crate) log: Vec<Published>,
    /// Topics that nobody may use.
    pub(crate) protected: BTreeSet<String>,
    /// What people deleted on their phones: topic and id.
    pub(crate) deleted: BTreeSet<(String, String)>,
    pub(crate) knows_sequences: bool,
    pub(crate) takes_attachments: bool,
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
            takes_attachments: true,
            visitor: None,
            time: 0,
        }
    }
}

/// What is left of the requests of the only visitor.
struct Bucket {
    left: u32,
    since: Instant,
}

impl World {
    pub(crate) fn limit_visitors(&mut self) {
        self.visitor = Some(Bucket { left: BURST, since: Instant::now() });
    }

    /// Counts a request of the visitor.
    pub(crate) fn count(&mut self) -> Result<(), Refusal> {
        let Some(bucket) = &mut self.visitor else { return Ok(()) };
        while bucket.left < BURST && bucket.since.elapsed() >= REFILL {
            bucket.left += 1;
            bucket.since += REFILL;
        }
        if bucket.left == BURST {
            bucket.since = Instant::now();
        }
        match bucket.left.checked_sub(1) {
            Some(left) => bucket.left = left,
            None => return Err(Refusal::new(429, 42901, "limit reached: too many requests")),
        }
        Ok(())
    }

    /// Keeps a message, with an id and a time of its own.
    pub(crate) fn publish(&mut self, message: Published) -> Published {
        self.time = unix_seconds().max(self.time + 1);
        let id = format!("{:012}", self.log.len() * 7_919 + 1);
        let sequence = message.sequence.filter(|_| self.knows_sequences);
        let message = Published { id, time: self.time, sequence, ..message };
        self.log.push(message.clone());
        message
    }

    /// Whether a message of this sequence was published.
    pub(crate) fn has_sequence(&self, topic: &str, sequence: &str) -> bool {
        self.log.iter().any(|it| it.topic == topic && it.sequence.as_deref() == Some(sequence))
    }

    /// What a phone that is subscribed to a topic shows.
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
