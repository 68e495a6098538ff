//! The long poll.

use dmplz_provider_sdk::{Batch, Error, Host, Level, Watch};
use serde_json::{Value, json};

use crate::api::Api;
use crate::limits::{POLL_GRACE, POLL_RESERVE, POLL_SECONDS, UPDATES};
use crate::updates;

/// Waits for updates from the cursor on, which is the id of the first update not yet seen.
pub(crate) fn receive(api: &Api, host: &dyn Host, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch, Error> {
    let wait = wait.min(host.remaining().saturating_sub(POLL_RESERVE)).min(POLL_SECONDS * 1000);
    let mut body = json!({
        "timeout": wait / 1000,
        "limit": UPDATES,
        "allowed_updates": ["callback_query", "message"],
    });
    if let Some((offset, body)) = parse_cursor(host, cursor).zip(body.as_object_mut()) {
        body.insert("offset".to_owned(), json!(offset));
    }
    let found: Vec<Value> = api.call_within(host, "getUpdates", &body, wait.saturating_add(POLL_GRACE))?;
    if found.is_empty() && wait < 1000 {
        // The poll counts whole seconds; the rest is waited here, so that the host does not call in a tight loop.
        host.sleep(wait);
    }
    let read = updates::read(host, found, watching);
    let cursor = read.next.map_or_else(|| cursor.to_owned(), |next| next.to_string());
    Ok(Batch { events: read.events, cursor })
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
