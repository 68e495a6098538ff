//! Pairs the app with a person: they write the code to it in a direct message, or mention it with the code in a channel.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::text::without_mentions;

use crate::{api, diagnose, socket};

/// Returns who the app is and how to reach it, and checks that its events arrive. The host asks for the bot token again where
/// that is wrong, so a wrong app-level token is another error.
pub(crate) fn introduce(api: Api<'_>, code: &str) -> Result<Introduction> {
    let (bot, _) = identity(api)?;
    let detail = socket::probe(api).map_err(|error| match error {
        Error::Unauthorized => Error::denied(diagnose::WRONG_APP_TOKEN),
        error => error,
    })?;
    Ok(Introduction::new(bot, vec![Check::fine(Subject::Events, detail)], code))
}

/// Returns who the app is, and the scopes of its token, if Slack names them.
pub(crate) fn identity(api: Api<'_>) -> Result<(Identity, Option<String>)> {
    let (bot, reply) = api::send(api, api.request(Method::Post, "auth.test").form(&[]))?;
    let bot = Identity::new(bot.need("user_id", "an app without user")?, bot.text("user").unwrap_or_default());
    Ok((bot, reply.header("x-oauth-scopes").map(str::to_owned)))
}

/// Converts an event: a direct message (docs/reference/events/message.im), or a mention in a channel
/// (docs/reference/events/app_mention).
pub(crate) fn greeting(api: Api<'_>, payload: &Value) -> Option<Greeting> {
    let event = payload.get("event").filter(|event| event.text("subtype").is_none())?;
    let user = event.text("user")?;
    let code = without_mentions(event.text("text")?);
    let chat = match event.text("type") {
        Some("app_mention") => Chat::Room(event.text("channel")?.to_owned()),
        Some("message") if event.text("channel_type") == Some("im") => Chat::Person(user.to_owned()),
        _ => return None,
    };
    Some(Greeting { chat, user: person(api, user, event.text("bot_id").is_some()), code })
}

/// Returns who a user is. Without the scope `users:read` nobody has a name.
fn person(api: Api<'_>, id: &str, is_bot: bool) -> User {
    let found = api::ask(api, "users.info", &[("user", id)]);
    let found = found.inspect_err(|refusal| api.warn("a name is not known", &refusal.error)).unwrap_or_default();
    let user = found.inner("user");
    let names = [user.inner("profile").text("display_name"), user.text("real_name"), user.text("name")];
    User { is_bot: is_bot || user.flag("is_bot"), ..User::named(id, names) }
}
