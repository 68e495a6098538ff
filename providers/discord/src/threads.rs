//! Threads of a channel (<https://discord.com/developers/docs/topics/threads>). To Discord a thread is a channel of its
//! own, so its id is that of an open chat, and messages, reactions and presses in it need nothing else.

use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, Refusal, incomplete};

/// Kinds of channels (docs/resources/channel#channel-object-channel-types).
const GUILD_TEXT: i64 = 0;
const GUILD_ANNOUNCEMENT: i64 = 5;
const ANNOUNCEMENT_THREAD: i64 = 10;
const PUBLIC_THREAD: i64 = 11;

/// The minutes without a message after which Discord archives a thread by itself: the longest time that it offers.
const ARCHIVED_AFTER: u32 = 10_080;

/// "Tried to perform an operation on an archived thread".
const ARCHIVED: i64 = 50083;

/// Opens a thread without a message. `None` where the channel has none: a direct message, or a thread.
pub(crate) fn open(api: &Api, host: &dyn Host, chat: &OpenChat, name: &str) -> Result<Option<OpenChat>, Error> {
    if chat.owner.is_some() {
        return Ok(None);
    }
    let kind = match api.get(host, &path(&chat.id))?.int("type") {
        Some(GUILD_TEXT) => PUBLIC_THREAD,
        Some(GUILD_ANNOUNCEMENT) => ANNOUNCEMENT_THREAD,
        _ => return Ok(None),
    };
    let body = json!({ "name": name, "type": kind, "auto_archive_duration": ARCHIVED_AFTER });
    let created = api.send_json(host, Method::Post, &format!("{}/threads", path(&chat.id)), &body);
    let created = created.map_err(|refusal| refusal.wanting("CREATE_PUBLIC_THREADS"))?;
    let id = created.text("id").ok_or_else(|| incomplete("a thread without id"))?;
    Ok(Some(OpenChat { id: id.to_owned(), owner: None }))
}

/// Names a thread, and archives it or takes it out of the archive. Discord takes two names in ten minutes
/// (<https://github.com/discordjs/discord.js/issues/6651>): without another one, nothing waits for them.
pub(crate) fn set(api: &Api, host: &dyn Host, thread: &str, name: &str, closed: bool) -> Result<(), Error> {
    match change(api, host, thread, &json!({ "name": name, "archived": closed })) {
        // Somebody archived it before.
        Err(refusal) if refusal.code == ARCHIVED && closed => Ok(()),
        Err(refusal) if refusal.retry_after().is_some() => {
            host.warn("a thread keeps its name for now", &refusal.error);
            Ok(change(api, host, thread, &json!({ "archived": closed }))?)
        }
        changed => Ok(changed?),
    }
}

/// Edits a message. One in an archived thread can only be edited while the thread is out of the archive.
pub(crate) fn edit(api: &Api, host: &dyn Host, thread: &str, path: &str, body: &Value) -> Result<Value, Refusal> {
    match api.send_json(host, Method::Patch, path, body) {
        Err(refusal) if refusal.code == ARCHIVED => {
            change(api, host, thread, &json!({ "archived": false }))?;
            let edited = api.send_json(host, Method::Patch, path, body);
            change(api, host, thread, &json!({ "archived": true }))?;
            edited
        }
        edited => edited,
    }
}

fn change(api: &Api, host: &dyn Host, thread: &str, body: &Value) -> Result<(), Refusal> {
    api.send_json(host, Method::Patch, &path(thread), body).map(|_| ())
}

fn path(channel: &str) -> String {
    format!("/channels/{}", percent_encode(channel))
}
