//! The manifest: the features of the Telegram provider and the access that it requires.

use dmplz_provider_sdk::{
    Answering, ChatKind, ChatSpec, Limits, Manifest, SecretPlace, SecretSpec, SettingKind, SettingSpec, Transport,
    Users, Words,
};

use crate::limits;

/// The name of the setting that contains the server's URL.
pub(crate) const API_BASE: &str = "api-base";

/// The prefix of the path of every request (<https://core.telegram.org/bots/api#making-requests>). The host fills in
/// the token.
pub(crate) const PATH: &str = "/bot{secret:bot-token}/";

/// The prefix of the path of every file (<https://core.telegram.org/bots/api#getfile>).
pub(crate) const FILE_PATH: &str = "/file/bot{secret:bot-token}/";

/// The name of the provider's only transport.
const TRANSPORT: &str = "updates";

pub(crate) fn manifest() -> Manifest {
    let server = format!("{{setting:{API_BASE}}}");
    Manifest {
        name: "telegram".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: vec![SettingSpec {
            name: API_BASE.to_owned(),
            help: Words::new("the Bot API server", "Bot API 서버"),
            kind: SettingKind::Url,
            required: false,
            default: Some("https://api.telegram.org".to_owned()),
        }],
        secrets: vec![SecretSpec::new(
            "bot-token",
            Words::new(
                "the bot token: send /newbot to https://t.me/BotFather",
                "봇 토큰: https://t.me/BotFather에 /newbot을 보내면 줍니다",
            ),
            vec![server.clone()],
            [PATH, FILE_PATH].map(|path| SecretPlace::Path(path.to_owned())).to_vec(),
        )],
        chats: vec![ChatSpec {
            name: "chat-id".to_owned(),
            help: Words::new("id of the chat to ask in", "질문을 보낼 채팅의 id"),
            kind: ChatKind::Room,
        }],
        users: Users::Identified,
        origins: vec![server],
        transports: vec![Transport {
            name: TRANSPORT.to_owned(),
            help: "updates over the Bot API: buttons, and reasons as messages".to_owned(),
            limits: Limits {
                text: limits::CARD_TEXT,
                choices: limits::BUTTONS,
                attachment: limits::ATTACHMENT,
                notice: limits::NOTICE,
            },
            answering: Answering::Buttons,
            poll_interval: 0,
            presses_kept: Some(limits::PRESSES_KEPT),
            persistent: false,
            reads_chat: true,
            threads: true,
            commands: true,
            files: true,
            drafts: true,
        }],
    }
}
