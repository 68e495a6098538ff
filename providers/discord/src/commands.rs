//! Commands that Discord offers while people type `/`
//! (<https://discord.com/developers/docs/interactions/application-commands>): those of the channel's server, or of the
//! bot's direct messages. What is given with one is one text, and a file where it takes one.

use dmplz_provider_sdk::json::set as put;
use dmplz_provider_sdk::prelude::*;

use crate::api::{Api, channel_path};
use crate::limits::COMMAND_TEXT;

/// The name of the option that takes everything that follows a command.
pub(crate) const TEXT: &str = "text";

/// The name of the option that takes a file, and what it is.
pub(crate) const FILE: &str = "file";
const FILE_HELP: (&str, &str) = ("an image or another file", "이미지나 다른 파일");

/// The types of options (#application-command-object-application-command-option-type).
const STRING: u32 = 3;
const ATTACHMENT: u32 = 11;
/// A command that is typed (#application-command-object-application-command-types).
const CHAT_INPUT: u32 = 1;
/// Where a command can be used (docs/resources/application#interaction-context-types).
const GUILD: u32 = 0;
const BOT_DM: u32 = 1;

/// Registers the commands in place of all that were there.
pub(crate) fn set(api: Api<'_>, chat: &OpenChat, commands: &[Command]) -> Result<()> {
    let application = api.get("/applications/@me")?;
    let application = percent_encode(application.need("id", "an application without id")?);
    let channel = api.get(&channel_path(&chat.id))?;
    let (path, context) = match channel.text("guild_id") {
        Some(guild) => (format!("/applications/{application}/guilds/{}/commands", percent_encode(guild)), GUILD),
        None => (format!("/applications/{application}/commands"), BOT_DM),
    };
    let list: Vec<Value> = commands.iter().map(|command| written(command, context)).collect();
    Ok(api.send_json(Method::Put, &path, &Value::Array(list)).map(drop)?)
}

fn written(command: &Command, context: u32) -> Value {
    let mut object = described(&command.name, &command.help);
    put(&mut object, "type", CHAT_INPUT);
    if context == BOT_DM {
        put(&mut object, "contexts", json!([context]));
    }
    let text = command.takes.as_ref().map(|takes| {
        let mut option = described(TEXT, takes);
        put(&mut option, "type", STRING);
        put(&mut option, "max_length", COMMAND_TEXT);
        option
    });
    let file = command.file.then(|| {
        let mut option = described(FILE, &Words::new(FILE_HELP.0, FILE_HELP.1));
        put(&mut option, "type", ATTACHMENT);
        option
    });
    let options: Vec<Value> = text.into_iter().chain(file).collect();
    if !options.is_empty() {
        put(&mut object, "options", options);
    }
    object
}

fn described(name: &str, words: &Words) -> Value {
    let mut object = json!({ "name": name, "description": words.en });
    if !words.ko.is_empty() {
        put(&mut object, "description_localizations", json!({ "ko": words.ko }));
    }
    object
}
