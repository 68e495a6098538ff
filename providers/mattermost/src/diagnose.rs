//! The checks for `dmplz doctor`.

use dmplz_provider_sdk::prelude::*;

use crate::connection::Connection;
use crate::{api, channel};

/// Checks who the bot is, whether events arrive, and what the bot may do in the channel. Creates nothing but the direct
/// channel, which nobody sees while it is empty.
pub(crate) fn diagnose(api: Api<'_>, chat: &Chat) -> Result<Diagnosis> {
    channel::checked(chat)?;
    let (bot, account) = api::account(api)?;
    let mut checks = vec![events(api)];
    match visible(in_channel(api, chat, &account))? {
        Some(found) => checks.extend(found),
        None => {
            let detail = "no such channel or person, or the bot is not a member: add it to the team and the channel";
            checks.push(Check::wrong(Subject::Chat, detail));
        }
    }
    Ok(Diagnosis { bot, checks })
}

/// Checks whether presses will arrive.
pub(crate) fn events(api: Api<'_>) -> Check {
    Check::tried(Subject::Events, Connection::open(api).map(|_| "Mattermost says hello over its WebSocket"))
}

fn in_channel(api: Api<'_>, chat: &Chat, account: &Value) -> Result<Vec<Check>> {
    let id = channel::open(api, chat)?.id;
    let place = api.get(&format!("channels/{id}"))?;
    if place.int("delete_at").unwrap_or_default() > 0 {
        return Ok(vec![Check::wrong(Subject::Chat, "the channel is archived")]);
    }
    let member = api.get(&format!("channels/{id}/members/me"))?;
    let held = [member.text("roles"), account.text("roles")].into_iter().flatten();
    let held = held.flat_map(str::split_whitespace).collect::<Vec<_>>();
    let roles = api.post("roles/names", &json!(held))?;
    let roles = roles.as_array().into_iter().flatten().flat_map(|role| role.items("permissions"));
    let permitted = roles.filter_map(Value::as_str).collect::<Vec<_>>();
    let may = |subject, permissions: &[&str]| match permissions.iter().find(|it| !permitted.contains(it)) {
        Some(missing) => Check::wrong(subject, format!("the permission {missing} is missing in the channel")),
        None => Check::fine(subject, format!("the bot has {} in the channel", permissions.join(" and "))),
    };
    let config = api.get("config/client?format=old")?;
    let post = match config.text("PostEditTimeLimit").and_then(|limit| limit.parse::<u64>().ok()) {
        Some(seconds) => {
            let limit = format!("posts can be edited for {seconds} s only (PostEditTimeLimit)");
            Check::wrong(Subject::Post, format!("{limit}, so cards that end later keep their text"))
        }
        None => may(Subject::Post, &["create_post", "edit_post"]),
    };
    let attach = Some(may(Subject::Attach, &["upload_file"])).filter(|check| !check.ok);
    Ok(vec![
        Check::fine(Subject::Chat, "the bot is a member of the channel"),
        post,
        may(Subject::React, &["add_reaction", "remove_reaction"]),
        attach.unwrap_or_else(|| takes_files(&config)),
        Check::fine(Subject::Read, "members of a channel read what is written there"),
    ])
}

/// Checks whether and how large a file the server takes.
fn takes_files(config: &Value) -> Check {
    let most = config.text("MaxFileSize").and_then(|most| most.parse().ok());
    let check = Check::attaching("the server", most);
    if check.ok && config.text("EnableFileAttachments") != Some("false") {
        return check;
    }
    Check::wrong(Subject::Attach, "the server takes no files, or only small ones")
}
