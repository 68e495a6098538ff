//! The commands that Telegram offers while people type `/` (<https://core.telegram.org/bots/api#setmycommands>). A
//! command that is used arrives as a message.

use dmplz_provider_sdk::prelude::*;

use crate::{api, chat};

/// Registers the commands for one chat, for people with a Korean client and for everybody else.
pub(crate) fn set(api: Api<'_>, chat: &OpenChat, commands: &[Command]) -> Result<()> {
    let (chat_id, _) = chat::id(chat)?;
    let scope = json!({ "type": "chat", "chat_id": chat_id });
    for language in ["", "ko"] {
        let described = |command: &Command| {
            let line =
                |words: &Words| if language == "ko" && !words.ko.is_empty() { &words.ko } else { &words.en }.clone();
            let takes = command.takes.as_ref().map(|takes| format!(": {}", line(takes))).unwrap_or_default();
            json!({ "command": command.name, "description": format!("{}{takes}", line(&command.help)) })
        };
        let list: Vec<Value> = commands.iter().map(described).collect();
        if list.is_empty() {
            api::call(api, "deleteMyCommands", &json!({ "scope": scope, "language_code": language }))?;
        } else {
            let body = json!({ "commands": list, "scope": scope, "language_code": language });
            api::call(api, "setMyCommands", &body)?;
        }
    }
    Ok(())
}
