//! The manifest of the Mattermost provider.

use dmplz_provider_sdk::{
    Answering, ChatKind, ChatSpec, Limits, Manifest, SecretPlace, SecretSpec, SettingKind, SettingSpec, Transport,
    Users, Words,
};

use crate::limits;

/// Name of the setting that holds the server's URL. It has no default, because the token must only go to the server that
/// issued it.
pub(crate) const SERVER: &str = "server";
/// Names of the settings that hold the chat.
pub(crate) const CHANNEL: &str = "channel-id";
pub(crate) const PERSON: &str = "dm-user-id";

/// The header that carries the token of requests, and its value. The host fills in the token.
pub(crate) const CREDENTIALS: &str = "authorization";
pub(crate) const BEARER: &str = "Bearer {secret:access-token}";
/// The action of the frame that carries the token over a WebSocket, and the placeholder in it.
pub(crate) const CHALLENGE: &str = "authentication_challenge";
pub(crate) const TOKEN: &str = "{secret:access-token}";

pub(crate) fn manifest() -> Manifest {
    let server = format!("{{setting:{SERVER}}}");
    Manifest {
        name: "mattermost".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: vec![SettingSpec {
            name: SERVER.to_owned(),
            help: Words::new(
                "the URL of the Mattermost server, such as https://chat.example.com",
                "Mattermost 서버의 URL, 예: https://chat.example.com",
            ),
            kind: SettingKind::Url,
            required: true,
            default: None,
        }],
        secrets: vec![SecretSpec::new(
            "access-token",
            Words::new("the access token of the bot account", "봇 계정의 액세스 토큰"),
            vec![server.clone()],
            vec![
                SecretPlace::in_header(CREDENTIALS, BEARER),
                SecretPlace::in_frame("/data/token", "/action", &format!("\"{CHALLENGE}\"")),
            ],
        )],
        chats: vec![
            chat(
                CHANNEL,
                ChatKind::Room,
                Words::new(
                    "id of the channel to ask in (26 letters and digits), of which the bot is a member",
                    "질문을 보낼 채널의 id (문자와 숫자 26자), 봇이 멤버여야 합니다",
                ),
            ),
            chat(
                PERSON,
                ChatKind::Person,
                Words::new(
                    "id of the user to ask by DM (26 letters and digits)",
                    "DM으로 물어볼 사용자의 id (문자와 숫자 26자)",
                ),
            ),
        ],
        users: Users::Identified,
        origins: vec![server],
        transports: vec![Transport {
            name: "websocket".to_owned(),
            help: "a WebSocket: reactions as a menu, reasons as messages; needs no public address".to_owned(),
            limits: Limits {
                text: limits::CARD_TEXT,
                choices: limits::CHOICES,
                attachment: limits::ATTACHMENT,
                notice: limits::NOTICE,
            },
            answering: Answering::Reactions,
            poll_interval: 0,
            presses_kept: None,
            persistent: true,
            reads_chat: true,
            threads: false,
            commands: false,
            files: true,
            drafts: false,
        }],
    }
}

fn chat(name: &str, kind: ChatKind, help: Words) -> ChatSpec {
    ChatSpec { name: name.to_owned(), help, kind }
}
