//! The manifest of the Slack provider.

use dmplz_provider_sdk::{Answering, Limits, Manifest, Transport};

use crate::limits::{ATTACHMENT, BUTTONS, CARD_TEXT, NOTICE};

/// Name of the setting that holds the Web API's URL.
pub(crate) const API_BASE: &str = "api-base";
/// Names of the settings that hold the chat.
pub(crate) const CHANNEL: &str = "channel-id";
pub(crate) const PERSON: &str = "dm-user-id";
/// Names of the secrets: the token of the Web API, and the one that opens connections of Socket Mode.
pub(crate) const BOT_TOKEN: &str = "bot-token";
pub(crate) const APP_TOKEN: &str = "app-token";

/// The origins of Socket Mode: `apps.connections.open` names one of these hosts, such as `wss-primary.slack.com`.
const SOCKETS: &str = "wss://*.slack.com";
/// Where files are sent: `files.getUploadURLExternal` names a path there.
const FILES: &str = "https://files.slack.com";

pub(crate) fn manifest() -> Manifest {
    let limits = Limits { text: CARD_TEXT, choices: BUTTONS, attachment: ATTACHMENT, notice: NOTICE };
    Manifest::new("slack", env!("CARGO_PKG_VERSION"))
        .server(API_BASE, "the Slack Web API", "Slack Web API 서버", Some("https://slack.com/api"))
        .origin(SOCKETS)
        .origin(FILES)
        .bearer(
            BOT_TOKEN,
            "the Slack app's bot token (xoxb-...), from its page OAuth & Permissions",
            "Slack 앱의 봇 토큰(xoxb-...), 앱의 OAuth & Permissions 페이지에서",
        )
        .bearer(
            APP_TOKEN,
            "the Slack app's app-level token (xapp-...) with connections:write, from its page Basic Information",
            "connections:write 권한이 있는 Slack 앱의 앱 수준 토큰(xapp-...), 앱의 Basic Information 페이지에서",
        )
        .room(CHANNEL, "id of the channel to ask in (C...)", "질문을 보낼 채널의 id (C...)")
        .person(PERSON, "id of the member to ask by DM (U...)", "DM으로 물어볼 멤버의 id (U...)")
        .transport(Transport {
            persistent: true,
            ..Transport::new(
                "socket-mode",
                "Socket Mode: buttons, modals for words, notices for one person; needs no public address",
                Answering::Buttons,
                limits,
            )
        })
}
