//! Pairs the bot with a person: they write the code to it in a direct message, or mention it with the code in a channel.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::serde_json::from_str;

use crate::{api, channel, diagnose};

/// Returns who the bot is and how to reach it, and checks that events arrive.
pub(crate) fn introduce(api: Api<'_>, code: &str) -> Result<Introduction> {
    let (bot, _) = api::account(api)?;
    Ok(Introduction::new(bot, vec![diagnose::events(api)], code))
}

/// Converts a post, with what its event says of it: any in a direct channel, and elsewhere those that mention the bot. The
/// code is its last word.
pub(crate) fn greeting(api: Api<'_>, data: &Value, post: &Value) -> Result<Option<Greeting>> {
    let (Some(user), Some(place)) = (post.text("user_id"), post.text("channel_id")) else { return Ok(None) };
    let me = api.me()?;
    let mentioned = data.text("mentions").and_then(|ids| from_str::<Vec<String>>(ids).ok()).unwrap_or_default();
    let chat = match data.text("channel_type") {
        Some("D") => Chat::Person(user.to_owned()),
        _ if mentioned.iter().any(|id| id == me) => Chat::Room(place.to_owned()),
        _ => return Ok(None),
    };
    let code = post.text("message").unwrap_or_default().split_whitespace().next_back().unwrap_or_default().to_owned();
    let user = channel::author(channel::person(api, user)?, post);
    Ok(Some(Greeting { chat, user, code }))
}
