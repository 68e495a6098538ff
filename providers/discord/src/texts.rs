//! Reads messages as texts.

use std::collections::BTreeMap;

use dmplz_provider_sdk::prelude::*;

use crate::api::Api;
use crate::chat::{reference, user};
use crate::cursor::Cursor;
use crate::files;
use crate::limits::PAGE;

/// The kinds of messages that people write (docs/resources/message#message-object-message-types).
const DEFAULT: i64 = 0;
const REPLY: i64 = 19;

/// Returns the channels whose texts are wanted, each with the oldest message after which they count.
pub(crate) fn channels(watching: &[Watch]) -> BTreeMap<u64, u64> {
    let mut channels = BTreeMap::new();
    for watch in watching.iter().filter(|watch| watch.text) {
        let Ok(channel) = watch.message.chat.parse() else { continue };
        let first = channels.entry(channel).or_insert(u64::MAX);
        *first = watch.message.sequence.min(*first);
    }
    channels
}

/// Returns the messages in a channel after a message, oldest first; at most one page, and the rest in the next poll.
pub(crate) fn read(api: Api<'_>, channel: u64, after: u64, cursor: &mut Cursor) -> Result<Vec<Said>> {
    let after = after.max(cursor.last(channel));
    let page = api.get(&format!("/channels/{channel}/messages?after={after}&limit={PAGE}"))?;
    let page = page.as_array().ok_or_else(|| incomplete("messages that are no list"))?;
    let mut messages = page.iter().filter_map(|message| Some((reference(message)?, message))).collect::<Vec<_>>();
    messages.sort_by_key(|(reference, _)| reference.sequence);
    if let Some((newest, _)) = messages.last() {
        cursor.advance(channel, newest.sequence);
    }
    Ok(messages.into_iter().filter_map(|(reference, message)| said(api, reference, message)).collect())
}

fn said(api: Api<'_>, message: MessageRef, found: &Value) -> Option<Said> {
    let kind = found.int("type")?;
    if kind != DEFAULT && kind != REPLY {
        return None;
    }
    let mut user = user(found.get("author")?)?;
    // A webhook can use any name.
    user.is_bot |= found.get("webhook_id").is_some();
    let (text, files) = (found.text("content").unwrap_or_default(), files::of(found.items("attachments")));
    if text.is_empty() && files.is_empty() {
        if user.is_bot || has_other_content(found) {
            return None;
        }
        api.log(Level::Warn, "a message came without its text: the bot lacks the message content intent");
    }
    let answered = found.get("message_reference").filter(|_| kind == REPLY).and_then(|it| it.text("message_id"));
    let reply_to = answered.and_then(|id| Some(MessageRef::new(&message.chat, id, id.parse().ok()?)));
    Some(Said { message, reply_to, user, text: text.to_owned(), files })
}

/// Returns whether a message without text shows something else. Without the message content intent Discord empties
/// everything but stickers and invitations to activities (docs/resources/message#message-object, footnotes), so the
/// text of a person's completely empty message is withheld.
fn has_other_content(message: &Value) -> bool {
    let lists = ["attachments", "embeds", "components", "sticker_items", "message_snapshots"];
    lists.iter().any(|list| !message.items(list).is_empty())
        || ["activity", "poll"].iter().any(|field| message.get(field).is_some())
}
