//! `getUpdates`, as `Client::process_get_updates_query` and `TQueue` of the public server implement it.

use super::chats::allow;
use super::params::Params;
use super::refusal::Refusal;
use super::world::World;
use crate::watched::Watched;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The maximum `timeout` of a poll in seconds. A longer one is reduced to it.
const LONGEST_POLL: i64 = 50;
/// A poll that repeats the offset of the previous one within this time waits for at least this time.
const REPEAT: Duration = Duration::from_secs(3);
/// A poll that repeats the offset within this time gets at most one update.
const HASTE: Duration = Duration::from_millis(500);
/// After a conflict, the next ones are reported only after this time, so that two competing bots do not poll in a tight
/// loop.
const CONFLICT_PAUSE: Duration = Duration::from_secs(3);
/// The types of updates that a bot receives only if it asks for them.
const ON_REQUEST: [&str; 3] = ["chat_member", "message_reaction", "message_reaction_count"];

const WEBHOOK_ACTIVE: &str =
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
const OTHER_POLL: &str = "terminated by other getUpdates request; make sure that only one bot instance is running";

/// The updates that are not confirmed yet, and the state of polling.
#[derive(Default)]
pub(crate) struct Updates {
    waiting: BTreeMap<i64, Value>,
    last: Option<i64>,
    allowed: Option<BTreeSet<String>>,
    /// The number of the newest poll that waits. It ends older ones.
    poll: u64,
    last_poll: Option<(i64, Instant)>,
    next_conflict: Option<Instant>,
    pub(crate) webhook: Option<String>,
}

impl Updates {
    /// Queues an update, if the bot asked for its type.
    pub(crate) fn push(&mut self, kind: &str, what: Value) -> Option<i64> {
        let wanted = match &self.allowed {
            Some(allowed) => allowed.contains(kind),
            None => !ON_REQUEST.contains(&kind),
        };
        if !wanted {
            return None;
        }
        let id = self.last.map_or(730_410_001, |last| last + 1);
        self.last = Some(id);
        self.waiting.insert(id, json!({"update_id": id, kind: what}));
        Some(id)
    }

    pub(crate) fn pending(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn drop_pending(&mut self) {
        self.waiting.clear();
    }

    pub(crate) fn allow(&mut self, types: Option<BTreeSet<String>>) {
        self.allowed = types;
    }

    pub(crate) fn allowed(&self) -> Option<&BTreeSet<String>> {
        self.allowed.as_ref()
    }

    /// Removes the updates that `offset` confirms, and returns the next ones.
    fn take(&mut self, offset: i64, limit: usize) -> Vec<Value> {
        if offset < 0 {
            let keep = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            while self.waiting.len() > keep {
                self.waiting.pop_first();
            }
        }
        // An offset that is far ahead of the queue confirms nothing.
        let tail = self.last.map_or(0, |last| last + 1);
        if offset > 0 && offset <= tail + 10 {
            self.waiting = self.waiting.split_off(&offset);
        }
        self.waiting.values().take(limit).cloned().collect()
    }

    /// Returns the time to wait before a conflict is reported: zero, unless one was reported recently.
    fn conflict_pause(&mut self) -> Duration {
        let now = Instant::now();
        match self.next_conflict {
            Some(next) if now < next => CONFLICT_PAUSE,
            _ => {
                self.next_conflict = Some(now + CONFLICT_PAUSE);
                Duration::ZERO
            }
        }
    }
}

enum Poll {
    Updates(Vec<Value>),
    Conflict(&'static str),
}

pub(crate) async fn get(world: &Watched<World>, params: &Params) -> Result<Value, Refusal> {
    let offset = params.number("offset");
    let mut limit = match params.text("limit").is_empty() {
        true => 100,
        false => params.number("limit").clamp(1, 100),
    };
    let mut wait = Duration::from_secs(params.number("timeout").clamp(0, LONGEST_POLL).unsigned_abs());
    let (first, poll) = world.change(|world| {
        allow(world, params);
        let updates = &mut world.updates;
        if updates.webhook.is_some() {
            return (Poll::Conflict(WEBHOOK_ACTIVE), 0);
        }
        if let Some((_, at)) = updates.last_poll.filter(|(last, _)| *last == offset) {
            if at.elapsed() < REPEAT {
                wait = wait.max(REPEAT);
            }
            if at.elapsed() < HASTE {
                limit = 1;
            }
        }
        updates.last_poll = Some((offset, Instant::now()));
        let found = updates.take(offset, usize::try_from(limit).unwrap_or(1));
        if found.is_empty() && !wait.is_zero() {
            updates.poll += 1;
        }
        (Poll::Updates(found), updates.poll)
    });
    let outcome = match first {
        Poll::Updates(found) if found.is_empty() && !wait.is_zero() => {
            let outcome = world.within(wait, |world| next(&mut world.updates, poll, offset, limit)).await;
            outcome.unwrap_or(Poll::Updates(Vec::new()))
        }
        first => first,
    };
    match outcome {
        Poll::Updates(found) => Ok(Value::Array(found)),
        Poll::Conflict(why) => {
            let pause = world.change(|world| world.updates.conflict_pause());
            tokio::time::sleep(pause).await;
            Err(Refusal::conflict(why))
        }
    }
}

/// Returns the result that ends a waiting poll; `None` while it waits.
fn next(updates: &mut Updates, poll: u64, offset: i64, limit: i64) -> Option<Poll> {
    if updates.webhook.is_some() {
        return Some(Poll::Conflict("terminated by setWebhook request"));
    }
    if updates.poll != poll {
        return Some(Poll::Conflict(OTHER_POLL));
    }
    let found = updates.take(offset.max(0), usize::try_from(limit).unwrap_or(1));
    (!found.is_empty()).then_some(Poll::Updates(found))
}
