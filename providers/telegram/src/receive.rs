//! Receives events by long polling.

use dmplz_provider_sdk::http::LARGE_REPLY;
use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, incomplete};
use crate::limits::{POLL_GRACE, POLL_RESERVE, POLL_SECONDS, UPDATES};
use crate::updates::{self, Update};

/// Waits for updates, beginning at the cursor, which is the id of the first update not yet received.
pub(crate) fn receive(api: &Api, host: &dyn Host, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch, Error> {
    let (found, next) = poll(api, host, cursor, wait)?;
    Ok(Batch { events: updates::events(host, &found, watching), cursor: next })
}

/// Returns updates in the order of their ids, and the cursor after them.
pub(crate) fn poll(api: &Api, host: &dyn Host, cursor: &str, wait: u32) -> Result<(Vec<Update>, String), Error> {
    let wait = wait.min(host.remaining().saturating_sub(POLL_RESERVE)).min(POLL_SECONDS * 1000);
    let mut body = json!({ "timeout": wait / 1000, "allowed_updates": ["callback_query", "message"] });
    if let Some(offset) = parse_cursor(host, cursor) {
        set(&mut body, "offset", offset);
    }
    let found = get(api, host, body, wait.saturating_add(POLL_GRACE))?;
    let Value::Array(found) = found else { return Err(incomplete("getUpdates")) };
    if found.is_empty() && wait < 1000 {
        // The poll waits for whole seconds. The rest is waited here, so that the host does not call in a tight loop.
        host.sleep(wait);
    }
    let found = updates::in_order(host, found);
    let next = found.last().map(|(id, _)| id.saturating_add(1));
    Ok((found, next.map_or_else(|| cursor.to_owned(), |next| next.to_string())))
}

/// Gets updates: fewer at a time where all of them are more than the host takes, or nothing would ever get past them.
fn get(api: &Api, host: &dyn Host, mut body: Value, within: u32) -> Result<Value, Error> {
    let mut got = Ok(Value::Null);
    for limit in UPDATES {
        set(&mut body, "limit", limit);
        got = api.call_within(host, "getUpdates", &body, within).map_err(Error::from);
        if !matches!(&got, Err(Error::Unavailable(Some(said))) if said == LARGE_REPLY) {
            break;
        }
    }
    got
}

fn parse_cursor(host: &dyn Host, cursor: &str) -> Option<i64> {
    if cursor.is_empty() {
        return None;
    }
    let offset = cursor.parse().ok();
    if offset.is_none() {
        host.log(Level::Warn, "the cursor is not one of this provider; starting with the oldest update");
    }
    offset
}
