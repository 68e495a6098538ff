//! Threads of a channel (<https://discord.com/developers/docs/topics/threads>). To Discord a thread is a channel of its
//! own, so its id is that of an open chat, and messages, reactions and presses in it need nothing else.

use dmplz_provider_sdk::prelude::*;

use crate::api::refusal::THREAD_ARCHIVED;
use crate::api::{Api, channel_path, wanting};

/// Kinds of channels (docs/resources/channel#channel-object-channel-types).
const GUILD_TEXT: i64 = 0;
const GUILD_ANNOUNCEMENT: i64 = 5;
const ANNOUNCEMENT_THREAD: i64 = 10;
const PUBLIC_THREAD: i64 = 11;

/// The minutes without a message after which Discord archives a thread by itself: the longest time that it offers.
const ARCHIVED_AFTER: u32 = 10_080;

/// Opens a thread without a message. `None` where the channel has none: a direct message, or a thread.
pub(crate) fn open(api: Api<'_>, chat: &OpenChat, name: &str) -> Result<Option<OpenChat>> {
    if chat.owner.is_some() {
        return Ok(None);
    }
    let kind = match api.get(&channel_path(&chat.id))?.int("type") {
        Some(GUILD_TEXT) => PUBLIC_THREAD,
        Some(GUILD_ANNOUNCEMENT) => ANNOUNCEMENT_THREAD,
        _ => return Ok(None),
    };
    let body = json!({ "name": name, "type": kind, "auto_archive_duration": ARCHIVED_AFTER });
    let created = api.send_json(Method::Post, &format!("{}/threads", channel_path(&chat.id)), &body);
    let created = created.map_err(|refusal| wanting(refusal, "CREATE_PUBLIC_THREADS"))?;
    Ok(Some(OpenChat { id: created.need("id", "a thread without id")?.to_owned(), owner: None }))
}

/// Names a thread, and archives it or takes it out of the archive. Discord takes two names in ten minutes
/// (<https://github.com/discordjs/discord.js/issues/6651>): without another one, nothing waits for them.
pub(crate) fn set(api: Api<'_>, thread: &str, name: &str, closed: bool) -> Result<()> {
    match change(api, thread, &json!({ "name": name, "archived": closed })) {
        // Somebody archived it before.
        Err(refusal) if refusal.code == THREAD_ARCHIVED && closed => Ok(()),
        Err(Refusal { error: error @ Error::RateLimited(Some(_)), .. }) => {
            api.warn("a thread keeps its name for now", &error);
            Ok(change(api, thread, &json!({ "archived": closed }))?)
        }
        changed => Ok(changed?),
    }
}

/// Edits a message. One in an archived thread can only be edited while the thread is out of the archive.
pub(crate) fn edit(api: Api<'_>, thread: &str, path: &str, body: &Value) -> Result<Value, Refusal> {
    match api.send_json(Method::Patch, path, body) {
        Err(refusal) if refusal.code == THREAD_ARCHIVED => {
            change(api, thread, &json!({ "archived": false }))?;
            let edited = api.send_json(Method::Patch, path, body);
            change(api, thread, &json!({ "archived": true }))?;
            edited
        }
        edited => edited,
    }
}

fn change(api: Api<'_>, thread: &str, body: &Value) -> Result<(), Refusal> {
    api.send_json(Method::Patch, &channel_path(thread), body).map(drop)
}
