use super::params::Params;
use super::refusal::Refusal;
use super::world::World;
use super::{chats, edit, files, json, poll, press, send, topics};
use crate::watched::Watched;
use serde_json::Value;

/// The methods that the fake serves, as the documentation spells them. Their case does not matter.
const METHODS: [&str; 25] = [
    "answerCallbackQuery", "close", "closeForumTopic", "createForumTopic", "deleteMessage", "deleteMyCommands",
    "deleteWebhook", "editForumTopic", "editMessageReplyMarkup", "editMessageText", "getChat", "getChatMember",
    "getFile", "getMe", "getMyCommands", "getUpdates", "getWebhookInfo", "logOut", "reopenForumTopic",
    "sendChatAction", "sendDocument", "sendMessage", "sendMessageDraft", "setMyCommands", "setWebhook",
];

/// Returns the documentation's spelling of a method.
pub(crate) fn spelling(method: &str) -> Option<&'static str> {
    METHODS.into_iter().find(|known| known.eq_ignore_ascii_case(method))
}

/// Performs a method.
pub(crate) async fn call(world: &Watched<World>, method: &str, params: &Params) -> Result<Value, Refusal> {
    let method = spelling(method).ok_or_else(|| Refusal::not_found("Not Found: method not found"))?;
    if method == "getUpdates" {
        return poll::get(world, params).await;
    }
    world.change(|world| match method {
        "answerCallbackQuery" => press::answer(world, params),
        "closeForumTopic" => topics::close(world, params, true),
        "createForumTopic" => topics::create(world, params),
        "editForumTopic" => topics::edit(world, params),
        "reopenForumTopic" => topics::close(world, params, false),
        "deleteMessage" => edit::delete(world, params),
        "deleteWebhook" => chats::delete_webhook(world, params),
        "editMessageReplyMarkup" => edit::keyboard_only(world, params),
        "editMessageText" => edit::text(world, params),
        "getChat" => chats::chat(world, params),
        "getChatMember" => chats::member(world, params),
        "getFile" => files::get(world, params),
        "getMe" => Ok(json::me(world)),
        "getMyCommands" => Ok(chats::commands(world, params)),
        "deleteMyCommands" => chats::delete_commands(world, params),
        "getWebhookInfo" => Ok(chats::webhook(world)),
        "close" | "logOut" => Ok(Value::Bool(true)),
        "sendChatAction" => chats::action(world, params),
        "sendDocument" => send::document(world, params),
        "sendMessage" => send::message(world, params),
        "sendMessageDraft" => send::draft(world, params),
        "setMyCommands" => chats::set_commands(world, params),
        "setWebhook" => chats::set_webhook(world, params),
        _ => Err(Refusal::not_found("Not Found: method not found")),
    })
}
