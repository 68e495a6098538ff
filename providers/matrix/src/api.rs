//! Calls of the Client-Server API, and the fields of its events. Paths are those after `/_matrix/`.

use dmplz_provider_sdk::prelude::*;

use crate::limits::{PAGE, PAGES};
use crate::manifest::{ACCESS_TOKEN, HOMESERVER, REFRESH_TOKEN};

/// The field of a message's content with the card's tag and choices.
pub(crate) const CARD: &str = "dmplz.card";

/// Where the bot's account is.
pub(crate) const WHOAMI: &str = "client/v3/account/whoami";

/// Reads the homeserver's URL from the settings, and which token there is.
pub(crate) fn server(settings: &[Setting]) -> Result<Server> {
    let refreshes = settings.iter().any(|setting| setting.name == REFRESH_TOKEN);
    let server = Server::of(settings, HOMESERVER, "https://matrix-client.matrix.org", refusal)?.under("/_matrix");
    Ok(server.account(WHOAMI, "user_id").bearer(if refreshes { REFRESH_TOKEN } else { ACCESS_TOKEN }))
}

/// Returns a message of the bot that was not deleted.
pub(crate) fn own(api: Api<'_>, room: &str, id: &str) -> Result<Value> {
    let me = api.me()?;
    let message = api.get(&path(room, &["event", id]))?;
    let is_there = message.text("sender") == Some(me) && message.inner("content").text("body").is_some();
    if is_there { Ok(message) } else { Err(Error::NotFound) }
}

/// Returns the events that relate to an event, the first ones first.
pub(crate) fn relations(api: Api<'_>, room: &str, event: &str) -> Result<Vec<Value>, Refusal> {
    let (room, event) = (percent_encode(room), percent_encode(event));
    let path = format!("client/v1/rooms/{room}/relations/{event}?dir=f&limit={PAGE}");
    let (mut found, mut from) = (Vec::new(), String::new());
    for _ in 0..PAGES {
        let page = api.get(&format!("{path}{from}"))?;
        found.extend(page.items("chunk").iter().cloned());
        let Some(next) = page.text("next_batch") else { return Ok(found) };
        from = format!("&from={}", percent_encode(next));
    }
    api.log(Level::Warn, "more people reacted to a card than are read");
    Ok(found)
}

/// Returns the time of an event, by its homeserver.
pub(crate) fn sequence(event: &Value) -> Option<u64> {
    event.count("origin_server_ts")
}

/// Returns how an event relates to another one.
pub(crate) fn relation(event: &Value) -> &Value {
    event.inner("content").inner("m.relates_to")
}

/// Returns whether what a member put into an event can be the id of another one
/// (<https://spec.matrix.org/v1.16/appendices/#event-ids>). For anything else a homeserver may answer with an error, to each call
/// anew, and the host takes no longer one.
pub(crate) fn is_event_id(id: &str) -> bool {
    id.len() <= 255 && id.starts_with('$') && id.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns what a message shows from an edit on.
pub(crate) fn new_content(event: &Value) -> Option<&Value> {
    event.inner("content").get("m.new_content")
}

/// Returns the path of what `segments` name in a room. An event that is sent to the path of its transaction again is the same event.
pub(crate) fn path(room: &str, segments: &[&str]) -> String {
    let segments = segments.iter().map(|segment| format!("/{}", percent_encode(segment)));
    format!("client/v3/rooms/{}{}", percent_encode(room), segments.collect::<String>())
}

/// Returns a further parameter of a query; nothing without a value.
pub(crate) fn parameter(name: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!("&{name}={}", percent_encode(value)) }
}

/// Reads a refusal: `{"errcode":"M_FORBIDDEN","error":"..."}`, or a status if a proxy replied.
fn refusal(response: &Response, body: &Value) -> Refusal {
    let read = Refusal::read(response, body, "errcode", "error");
    let error = match (response.status, read.code.as_str()) {
        (429, _) | (_, "M_LIMIT_EXCEEDED") => {
            let milliseconds = body.int("retry_after_ms").and_then(|wait| u32::try_from(wait).ok());
            Error::RateLimited(milliseconds.or_else(|| response.retry_after()))
        }
        (..500, "M_UNKNOWN_TOKEN" | "M_MISSING_TOKEN" | "M_USER_DEACTIVATED") => Error::Unauthorized,
        (..500, "M_TOO_LARGE") => Error::TooLarge,
        (404, "" | "M_UNRECOGNIZED") => Error::wrong_server("a path of Matrix", HOMESERVER),
        _ => return read,
    };
    Refusal { error, ..read }
}
