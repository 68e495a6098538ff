//! `getUpdates`, as `Client::process_get_updates_query` of the public server implements it.

use super::params::Params;
use super::refusal::Refusal;
use super::updates::Updates;
use super::world::World;
use crate::watched::Watched;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The maximum `timeout` of a poll in seconds. A longer one is reduced to it.
const LONGEST_POLL: i64 = 50;
/// A poll that repeats the offset of the previous one within this time waits for at least this time.
const REPEAT: Duration = Duration::from_secs(3);
/// A poll that repeats the offset within this time gets at most one update.
const HASTE: Duration = Duration::from_millis(500);

const WEBHOOK_ACTIVE: &str =
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
const OTHER_POLL: &str = "terminated by other getUpdates request; make sure that only one bot instance is running";

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
        let updates = &mut world.updates;
        updates.allow(params);
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
