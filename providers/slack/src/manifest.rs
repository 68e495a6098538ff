//! The manifest of the Slack provider.

use dmplz_provider_sdk::{
    Answering, ChatKind, ChatSpec, Limits, Manifest, SecretPlace, SecretSpec, SettingKind, SettingSpec, Transport,
    Users, Words,
};

use crate::{api, limits};

/// Name of the setting that holds the Web API's URL.
pub(crate) const API_BASE: &str = "api-base";

/// The origins of Socket Mode: `apps.connections.open` names one of these hosts, such as `wss-primary.slack.com`.
const SOCKETS: &str = "wss://*.slack.com";
/// Where files are sent: `files.getUploadURLExternal` names a path there.
const FILES: &str = "https://files.slack.com";

pub(crate) fn manifest() -> Manifest {
    let server = format!("{{setting:{API_BASE}}}");
    Manifest {
        name: "slack".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: vec![SettingSpec {
            name: API_BASE.to_owned(),
            help: Words::new("the Slack Web API", "Slack Web API 서버"),
            kind: SettingKind::Url,
            required: false,
            default: Some("https://slack.com/api".to_owned()),
        }],
        secrets: vec![
            secret(
                "bot-token",
                Words::new(
                    "the Slack app's bot token (xoxb-...), from its page OAuth & Permissions",
                    "Slack 앱의 봇 토큰(xoxb-...), 앱의 OAuth & Permissions 페이지에서",
                ),
                &server,
                api::BOT,
            ),
            secret(
                "app-token",
                Words::new(
                    "the Slack app's app-level token (xapp-...) with connections:write, from its page Basic Information",
                    "connections:write 권한이 있는 Slack 앱의 앱 수준 토큰(xapp-...), 앱의 Basic Information 페이지에서",
                ),
                &server,
                api::APP,
            ),
        ],
        chats: vec![
            chat(
                "channel-id",
                ChatKind::Room,
                Words::new("id of the channel to ask in (C...)", "질문을 보낼 채널의 id (C...)"),
            ),
            chat(
                "dm-user-id",
                ChatKind::Person,
                Words::new("id of the member to ask by DM (U...)", "DM으로 물어볼 멤버의 id (U...)"),
            ),
        ],
        users: Users::Identified,
        origins: vec![server, SOCKETS.to_owned(), FILES.to_owned()],
        transports: vec![Transport {
            name: "socket-mode".to_owned(),
            help: "Socket Mode: buttons, modals for words, notices for one person; needs no public address".to_owned(),
            limits: Limits {
                text: limits::CARD_TEXT,
                choices: limits::BUTTONS,
                attachment: limits::ATTACHMENT,
                notice: limits::NOTICE,
            },
            answering: Answering::Buttons,
            poll_interval: 0,
            presses_kept: None,
            persistent: true,
            reads_chat: false,
            threads: false,
            commands: false,
            files: false,
            drafts: false,
        }],
    }
}

fn secret(name: &str, help: Words, server: &str, value: &str) -> SecretSpec {
    SecretSpec::new(name, help, vec![server.to_owned()], vec![SecretPlace::in_header(api::CREDENTIALS, value)])
}

fn chat(name: &str, kind: ChatKind, help: Words) -> ChatSpec {
    ChatSpec { name: name.to_owned(), help, kind }
}
