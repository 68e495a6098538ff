//! The manifest. The operator sets DMPLZ_SIGNAL_SERVER, DMPLZ_SIGNAL_NUMBER and DMPLZ_SIGNAL_PERSON.

use dmplz_provider_sdk::{
    Answering, ChatKind, ChatSpec, Limits, Manifest, SettingKind, SettingSpec, Transport, Users, Words,
};

/// The most units of a message; our choice. Signal's apps show 2,000 bytes of one, and the rest after a press.
pub(crate) const TEXT: u32 = 2_000;
/// The most choices of a card, each a line of at most 75 units; our choice.
const CHOICES: u32 = 8;

pub(crate) fn manifest() -> Manifest {
    let setting =
        |name: &str, help, kind| SettingSpec { name: name.to_owned(), help, kind, required: true, default: None };
    let server = Words::new("The URL of signal-cli-rest-api.", "signal-cli-rest-api의 URL입니다.");
    let number = Words::new("The bot's own number, such as +821012345678.", "봇 자신의 번호입니다. 예: +821012345678");
    Manifest {
        name: "signal".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: vec![setting("server", server, SettingKind::Url), setting("number", number, SettingKind::Text)],
        secrets: Vec::new(),
        chats: vec![ChatSpec {
            name: "person".to_owned(),
            help: Words::new("The number of the person to ask.", "물어볼 사람의 번호입니다."),
            kind: ChatKind::Person,
        }],
        users: Users::Identified,
        origins: vec!["{setting:server}".to_owned()],
        transports: vec![Transport {
            name: "rest".to_owned(),
            help: "Asks the server for messages, and waits for them.".to_owned(),
            limits: Limits { text: TEXT, choices: CHOICES, attachment: 0, notice: TEXT },
            answering: Answering::Typed,
            poll_interval: 0,
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
