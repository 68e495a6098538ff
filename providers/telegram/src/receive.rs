//! Receives events by long polling.

use dmplz_provider_sdk::http::LARGE_REPLY;
use dmplz_provider_sdk::prelude::*;

use crate::api::{self, incomplete};
use crate::limits::{POLL_GRACE, POLL_RESERVE, POLL_SECONDS, UPDATES};
use crate::updates::{self, Update};

/// Waits for updates, beginning at the cursor, which is the id of the first update not yet received.
pub(crate) fn receive(api: Api<'_>, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch> {
    let (found, next) = poll(api, cursor, wait)?;
    Ok(Batch { events: updates::events(api, &found, watching), cursor: next })
}

/// Returns updates in the order of their ids, and the cursor after them.
pub(crate) fn poll(api: Api<'_>, cursor: &str, wait: u32) -> Result<(Vec<Update>, String)> {
    let wait = wait.min(api.remaining().saturating_sub(POLL_RESERVE)).min(POLL_SECONDS * 1000);
    let mut body = json!({ "timeout": wait / 1000, "allowed_updates": ["callback_query", "message"] });
    if let Some(offset) = parse_cursor(api, cursor) {
        set(&mut body, "offset", offset);
    }
    let found = get(api, body, wait.saturating_add(POLL_GRACE))?;
    let Value::Array(found) = found else { return Err(incomplete("getUpdates")) };
    if found.is_empty() && wait < 1000 {
        // The poll waits for whole seconds. The rest is waited here, so that the host does not call in a tight loop.
        api.sleep(wait);
    }
    let found = updates::in_order(api, found);
    let next = found.last().map(|(id, _)| id.saturating_add(1));
    Ok((found, next.map_or_else(|| cursor.to_owned(), |next| next.to_string())))
}

/// Gets updates: fewer at a time where all of them are more than the host takes, or nothing would ever get past them.
fn get(api: Api<'_>, mut body: Value, within: u32) -> Result<Value> {
    let mut got = Ok(Value::Null);
    for limit in UPDATES {
        set(&mut body, "limit", limit);
        got = api::send(api, api::request(api, "getUpdates").json(&body).timeout(within)).map_err(Error::from);
        if !matches!(&got, Err(Error::Unavailable(Some(said))) if said == LARGE_REPLY) {
            break;
        }
    }
    got
}

fn parse_cursor(api: Api<'_>, cursor: &str) -> Option<i64> {
    if cursor.is_empty() {
        return None;
    }
    let offset = cursor.parse().ok();
    if offset.is_none() {
        api.log(Level::Warn, "the cursor is not one of this provider; starting with the oldest update");
    }
    offset
}
