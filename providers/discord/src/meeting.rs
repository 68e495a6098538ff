//! Pairs the bot with a person: it is invited to a server that both are in, and then receives the code in a direct
//! message or in a mention in a channel.

use dmplz_provider_sdk::prelude::*;

use crate::api::Api;
use crate::diagnose;
use crate::gateway::Gateway;
use crate::permissions::Permissions;

/// The permissions for both transports, so that the bot need not be invited again.
const NEEDED: [Permissions; 8] = [
    Permissions::VIEW_CHANNEL,
    Permissions::SEND_MESSAGES,
    Permissions::EMBED_LINKS,
    Permissions::ATTACH_FILES,
    Permissions::READ_MESSAGE_HISTORY,
    Permissions::ADD_REACTIONS,
    Permissions::CREATE_PUBLIC_THREADS,
    Permissions::SEND_MESSAGES_IN_THREADS,
];

/// Returns who the bot is and how to reach it, and checks that the gateway can be reached. People can only be heard
/// over the gateway, so nobody can be paired with the REST API alone.
pub(crate) fn introduce(api: Api<'_>, gateway: Option<&Gateway>, code: &str) -> Result<Option<Introduction>> {
    let Some(gateway) = gateway else {
        api.get("/users/@me")?;
        return Ok(None);
    };
    let application = api.get("/applications/@me")?;
    let client = application.need("id", "an application without id")?;
    let bot = application.get("bot").ok_or_else(|| incomplete("an application without bot"))?;
    let id = bot.need("id", "a bot without id")?;
    let rights = NEEDED.into_iter().fold(Permissions::default(), Permissions::and).bits();
    let invite = format!("https://discord.com/oauth2/authorize?client_id={client}&scope=bot&permissions={rights}");
    let bot = Identity::new(id, bot.text("username").unwrap_or_default());
    let checks = vec![diagnose::events(&application, gateway.diagnose(api))];
    Ok(Some(Introduction { invite: Some(invite), ..Introduction::new(bot, checks, code) }))
}
