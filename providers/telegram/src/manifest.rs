//! The manifest: the features of the Telegram provider and the access that it requires.

use dmplz_provider_sdk::{Answering, Limits, Manifest, SecretPlace, SecretSpec, SettingSpec, Transport, Words};

use crate::limits::{ATTACHMENT, BUTTONS, CARD_TEXT, NOTICE, PRESSES_KEPT};

/// The name of the setting that contains the server's URL.
pub(crate) const API_BASE: &str = "api-base";

/// The prefix of the path of every request (<https://core.telegram.org/bots/api#making-requests>), without its slash. The
/// host fills in the token.
pub(crate) const PATH: &str = "bot{secret:bot-token}/";

/// The prefix of the path of every file (<https://core.telegram.org/bots/api#getfile>).
pub(crate) const FILE_PATH: &str = "file/bot{secret:bot-token}/";

pub(crate) fn manifest() -> Manifest {
    let limits = Limits { text: CARD_TEXT, choices: BUTTONS, attachment: ATTACHMENT, notice: NOTICE };
    Manifest::new("telegram", env!("CARGO_PKG_VERSION"))
        .server(API_BASE, "the Bot API server", "Bot API 서버", Some("https://api.telegram.org"))
        .secret(SecretSpec::new(
            "bot-token",
            Words::new(
                "the bot token: send /newbot to https://t.me/BotFather",
                "봇 토큰: https://t.me/BotFather에 /newbot을 보내면 줍니다",
            ),
            vec![SettingSpec::origin(API_BASE)],
            [PATH, FILE_PATH].map(|path| SecretPlace::Path(format!("/{path}"))).to_vec(),
        ))
        .room("chat-id", "id of the chat to ask in", "질문을 보낼 채팅의 id")
        .transport(Transport {
            presses_kept: Some(PRESSES_KEPT),
            reads_chat: true,
            threads: true,
            commands: true,
            files: true,
            drafts: true,
            ..Transport::new(
                "updates",
                "updates over the Bot API: buttons, and reasons as messages",
                Answering::Buttons,
                limits,
            )
        })
}
