//! What the provider is and wants. The operator sets DMPLZ_ACME_TOKEN, DMPLZ_ACME_ROOM and, for another server than the usual one,
//! DMPLZ_ACME_SERVER.

use dmplz_provider_sdk::{
    Answering, ChatKind, ChatSpec, Limits, Manifest, SecretPlace, SecretSpec, SettingKind, SettingSpec, Transport,
    Users, Words,
};

/// Units of one message. Name where the messenger says so.
pub(crate) const TEXT: u32 = 4_000;
/// Buttons of one message.
const BUTTONS: u32 = 10;
/// Units of what a person is told who pressed.
const NOTICE: u32 = 200;
/// Milliseconds between two looks.
const LOOKS: u32 = 1_000;

pub(crate) fn manifest() -> Manifest {
    let server = || vec!["{setting:server}".to_owned()];
    Manifest {
        name: "acme".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: vec![SettingSpec {
            name: "server".to_owned(),
            help: Words::new("The URL of the server.", "서버의 URL입니다."),
            kind: SettingKind::Url,
            required: false,
            default: Some("https://chat.acme.example".to_owned()),
        }],
        secrets: vec![SecretSpec {
            name: "token".to_owned(),
            help: Words::new("The bot's token.", "봇의 토큰입니다."),
            required: true,
            origins: server(),
            places: vec![SecretPlace::in_header("authorization", "Bearer {secret:token}")],
        }],
        chats: vec![ChatSpec {
            name: "room".to_owned(),
            help: Words::new("The id of the room to ask in.", "물어볼 방의 id입니다."),
            kind: ChatKind::Room,
        }],
        users: Users::Identified,
        origins: server(),
        transports: vec![Transport {
            name: "polling".to_owned(),
            help: "Asks the server every second what happened.".to_owned(),
            limits: Limits { text: TEXT, choices: BUTTONS, attachment: 0, notice: NOTICE },
            answering: Answering::Buttons,
            poll_interval: LOOKS,
            persistent: false,
            reads_chat: true,
        }],
    }
}
