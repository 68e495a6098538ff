//! The manifest of the Discord provider.

use dmplz_provider_sdk::prelude::*;

use crate::limits::{ATTACHMENT, BUTTONS, CARD_TEXT, EMBED_TEXT, NOTICE, POLL_INTERVAL, REACTIONS as MENU};
use crate::{files, token};

/// Name of the setting that holds the REST server's URL.
pub(crate) const API_BASE: &str = "api-base";
/// Name of the setting that holds the gateway's URL.
pub(crate) const GATEWAY_URL: &str = "gateway-url";
/// Names of the settings that hold the chat.
pub(crate) const CHANNEL: &str = "channel-id";
pub(crate) const PERSON: &str = "dm-user-id";

/// The transport over the REST API alone, for a short-lived process.
pub(crate) const REACTIONS: &str = "reactions";
/// The transport with buttons and forms, over a persistent connection.
pub(crate) const GATEWAY: &str = "gateway";

/// The origins at which sessions are resumed: READY names one of these hosts (docs/events/gateway#resuming).
const RESUME_ORIGINS: &str = "wss://*.discord.gg";

pub(crate) fn manifest() -> Manifest {
    let servers = vec![SettingSpec::origin(API_BASE), SettingSpec::origin(GATEWAY_URL), RESUME_ORIGINS.to_owned()];
    Manifest::new("discord", env!("CARGO_PKG_VERSION"))
        .server(API_BASE, "the Discord REST server", "Discord REST API 서버", Some("https://discord.com/api/v10"))
        .setting(SettingSpec {
            kind: SettingKind::SocketUrl,
            ..SettingSpec::server(
                GATEWAY_URL,
                "the Discord gateway server (buttons)",
                "Discord 게이트웨이 서버 (버튼)",
                Some("wss://gateway.discord.gg"),
            )
        })
        .origin(SettingSpec::origin(GATEWAY_URL))
        .origin(RESUME_ORIGINS)
        .origin(files::ORIGIN)
        .secret(SecretSpec::new(
            "bot-token",
            Words::new(
                "the Discord bot token, from the page Bot of the developer portal",
                "Discord 봇 토큰, 개발자 포털의 Bot 페이지에서",
            ),
            servers,
            token::places(),
        ))
        .room(CHANNEL, "id of the channel to ask in", "질문을 보낼 채널의 id")
        .person(PERSON, "id of the user to ask by DM", "DM으로 물어볼 사용자의 id")
        .transport(reactions())
        .transport(gateway())
}

fn reactions() -> Transport {
    let limits = Limits { text: CARD_TEXT, choices: MENU, attachment: ATTACHMENT, notice: NOTICE };
    Transport {
        poll_interval: POLL_INTERVAL,
        reads_chat: true,
        threads: true,
        files: true,
        ..Transport::new(
            REACTIONS,
            "the REST API alone: reactions as a menu, reasons as messages; looks for them every second",
            Answering::Reactions,
            limits,
        )
    }
}

fn gateway() -> Transport {
    let limits = Limits { text: EMBED_TEXT, choices: BUTTONS, attachment: ATTACHMENT, notice: NOTICE };
    Transport {
        persistent: true,
        threads: true,
        commands: true,
        files: true,
        ..Transport::new(
            GATEWAY,
            "the gateway: buttons, forms for words, notices for one person; needs a process that stays, and no intent",
            Answering::Buttons,
            limits,
        )
    }
}
