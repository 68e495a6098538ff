//! Pairs the app with a person: they write the code to it in a direct message, or mention it with the code in a channel.

use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::Value;
use dmplz_provider_sdk::{Chat, Check, Error, Greeting, Host, Identity, Introduction, Level, Subject, User, words};

use crate::api::{Api, incomplete};
use crate::{diagnose, socket};

/// Returns who the app is and how to reach it, and checks that its events arrive. The host asks for the bot token again where
/// that is wrong, so a wrong app-level token is another error.
pub(crate) fn introduce(api: &Api, host: &dyn Host, code: &str) -> Result<Introduction, Error> {
    let (bot, _) = identity(api, host)?;
    let detail = socket::probe(api, host).map_err(|error| match error {
        Error::Unauthorized => Error::Denied(Some(diagnose::WRONG_APP_TOKEN.to_owned())),
        error => error,
    })?;
    Ok(Introduction {
        bot,
        checks: vec![Check { subject: Subject::Events, ok: true, detail }],
        invite: None,
        link: None,
        message: code.to_owned(),
    })
}

/// Returns who the app is, and the scopes of its token.
pub(crate) fn identity(api: &Api, host: &dyn Host) -> Result<(Identity, Option<String>), Error> {
    let (bot, scopes) = api.ask(host, "auth.test", &[])?;
    let id = bot.text("user_id").ok_or_else(|| incomplete("an app without user"))?;
    Ok((Identity { id: id.to_owned(), name: bot.text("user").unwrap_or_default().to_owned() }, scopes))
}

/// Converts an event: a direct message (docs/reference/events/message.im), or a mention in a channel
/// (docs/reference/events/app_mention).
pub(crate) fn greeting(api: &Api, host: &dyn Host, payload: &Value) -> Option<Greeting> {
    let event = payload.get("event").filter(|event| event.text("subtype").is_none())?;
    let user = event.text("user")?;
    let code = event.text("text")?.split_whitespace().filter(|word| !is_mention(word)).collect::<Vec<_>>().join(" ");
    let chat = match event.text("type") {
        Some("app_mention") => Chat::Room(event.text("channel")?.to_owned()),
        Some("message") if event.text("channel_type") == Some("im") => Chat::Person(user.to_owned()),
        _ => return None,
    };
    Some(Greeting { chat, user: person(api, host, user, event.text("bot_id").is_some()), code })
}

/// Returns who a user is. Without the scope `users:read` nobody has a name.
fn person(api: &Api, host: &dyn Host, id: &str, is_bot: bool) -> User {
    let found = api.ask(host, "users.info", &[("user", id)]).map_err(Error::from);
    let found = found.inspect_err(|error| host.log(Level::Warn, &format!("a name is not known: {}", words(error))));
    let user = found.ok().and_then(|(mut reply, _)| reply.get_mut("user").map(Value::take)).unwrap_or_default();
    let profile = user.get("profile").unwrap_or(&Value::Null);
    let names = [profile.text("display_name"), user.text("real_name"), user.text("name")];
    let name = names.into_iter().flatten().find(|name| !name.is_empty()).unwrap_or(id);
    User { id: id.to_owned(), name: name.to_owned(), is_bot: is_bot || user.flag("is_bot") }
}

/// A mention is written `<@ID>`.
fn is_mention(word: &str) -> bool {
    word.starts_with("<@") && word.ends_with('>')
}
