//! Channels, people and their ids.

use dmplz_provider_sdk::prelude::*;

use crate::manifest::{CHANNEL, PERSON};

/// Opens a chat. A channel needs no request and has no owner; a direct channel is configured by its person, and the server
/// returns the one that exists.
pub(crate) fn open(api: Api<'_>, chat: &Chat) -> Result<OpenChat> {
    OpenChat::of(chat, checked(chat)?, |person| {
        let members = json!([api.me()?, person]);
        Ok(api.post("channels/direct", &members)?.need("id", "a channel without id")?.to_owned())
    })
}

/// Returns the id of a chat without blanks around it: 26 lower-case letters and digits (`IsValidId` of
/// `server/public/model/utils.go`).
pub(crate) fn checked(chat: &Chat) -> Result<String> {
    let (Chat::Room(id) | Chat::Person(id)) = chat;
    let setting = if matches!(chat, Chat::Room(_)) { CHANNEL } else { PERSON };
    let expected = "an id of 26 lower-case letters and digits, from View Info of a channel or a profile";
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    settings::id(id, setting, expected, |id| id.len() == 26 && id.bytes().all(is_letter))
}

/// Returns the reference to a post. The time of its creation is its place in the channel.
pub(crate) fn reference(post: &Value) -> Option<MessageRef> {
    let (chat, id) = post.text("channel_id").zip(post.text("id"))?;
    Some(MessageRef::new(chat, id, created(post)?))
}

/// Returns when a post was created, in milliseconds.
pub(crate) fn created(post: &Value) -> Option<u64> {
    post.count("create_at")
}

/// Returns when a reaction was added, in milliseconds. One that was taken back and added again keeps its `create_at`, which a
/// client may even choose; the server sets `update_at` each time (`server/public/model/reaction.go`).
pub(crate) fn reacted(reaction: &Value) -> Option<u64> {
    let updated = reaction.int("update_at").filter(|at| *at > 0);
    u64::try_from(updated.or_else(|| reaction.int("create_at"))?).ok()
}

/// Returns whether a program wrote a post in the name of its user, such as an incoming webhook in that of who made it
/// (`server/channels/app/webhook.go`, `CreateWebhookPost`).
fn is_by_program(post: &Value) -> bool {
    let props = post.inner("props");
    ["from_webhook", "from_bot", "from_plugin", "from_oauth_app"].iter().any(|mark| props.get(mark).is_some())
}

/// Returns who wrote a post.
pub(crate) fn author(person: User, post: &Value) -> User {
    User { is_bot: person.is_bot || is_by_program(post), ..person }
}

/// Returns who a user is.
pub(crate) fn person(api: Api<'_>, id: &str) -> Result<User> {
    let user = api.get(&format!("users/{id}"))?;
    let full = [user.text("first_name"), user.text("last_name")].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let names = [user.text("nickname"), Some(full.trim()), user.text("username")];
    Ok(User { is_bot: user.flag("is_bot"), ..User::named(id, names) })
}

/// Returns the files of a post, which has at most 10.
pub(crate) fn files(post: &Value) -> Vec<SentFile> {
    let file = |found: &Value| SentFile::new(found.text("id")?, found.text("name")?, found.count("size"));
    post.inner("metadata").items("files").iter().filter_map(file).take(10).collect()
}
