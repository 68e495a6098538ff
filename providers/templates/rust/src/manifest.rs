//! The manifest of the provider. The operator sets DMPLZ_ACME_TOKEN, DMPLZ_ACME_ROOM and, for another than the default
//! server, DMPLZ_ACME_SERVER.

use dmplz_provider_sdk::{
    Answering, ChatKind, ChatSpec, Limits, Manifest, SecretPlace, SecretSpec, SettingKind, SettingSpec, Transport,
    Users, Words,
};

/// The maximum length of a message in UTF-16 units. State the source of the limit.
pub(crate) const TEXT: u32 = 4_000;
/// The maximum number of buttons in a message.
const BUTTONS: u32 = 10;
/// The maximum length of a notice to a person who pressed, in UTF-16 units.
const NOTICE: u32 = 200;
/// The milliseconds between two polls.
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
        secrets: vec![SecretSpec::new(
            "token",
            Words::new("The bot's token.", "봇의 토큰입니다."),
            server(),
            vec![SecretPlace::in_header("authorization", "Bearer {secret:token}")],
        )],
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
            presses_kept: None,
            persistent: false,
            reads_chat: true,
            threads: false,
            commands: false,
            files: false,
            drafts: false,
        }],
    }
}
