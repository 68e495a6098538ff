//! The manifest of the ntfy provider.

use dmplz_provider_sdk::{Answering, Limits, Manifest, SecretSpec, SettingKind, SettingSpec, Transport, Words};

use crate::limits::{ACTIONS, ATTACHMENT, CARD_TEXT, INTERVAL};

/// The name of the setting that holds the server's URL.
pub(crate) const SERVER: &str = "api-base";
/// The name of the setting for the interval between polls.
pub(crate) const POLL_INTERVAL: &str = "poll-interval";
/// The name of the secret that some servers require (<https://docs.ntfy.sh/publish/#access-tokens>).
pub(crate) const TOKEN: &str = "access-token";

pub(crate) fn manifest() -> Manifest {
    let limits = Limits { text: CARD_TEXT, choices: ACTIONS, attachment: ATTACHMENT, notice: CARD_TEXT };
    let token = SecretSpec::bearer(
        TOKEN,
        "an access token, where the server protects the topic",
        "토픽을 보호하는 서버에서 쓰는 액세스 토큰",
        &SettingSpec::origin(SERVER),
    );
    Manifest::new("ntfy", env!("CARGO_PKG_VERSION"))
        .anonymous()
        .server(SERVER, "the ntfy server", "ntfy 서버", Some("https://ntfy.sh"))
        .setting(SettingSpec {
            name: POLL_INTERVAL.to_owned(),
            help: Words::new(
                "milliseconds between two looks for answers; ntfy.sh allows 5000 in the long run, for the computer and the phone together",
                "답을 확인하는 간격(밀리초). ntfy.sh는 컴퓨터와 휴대폰을 합쳐 길게 보아 5000까지 허용합니다",
            ),
            kind: SettingKind::Text,
            required: false,
            default: Some(INTERVAL.to_string()),
        })
        .secret(token.optional())
        .room(
            "topic",
            "the topic to ask in, as hard to guess as a password",
            "질문을 보낼 토픽. 비밀번호처럼 추측하기 어려워야 합니다",
        )
        .transport(Transport {
            reads_chat: true,
            ..Transport::new(
                "polling",
                "asks the server every few seconds: buttons, and reasons as messages to TOPIC-answers",
                Answering::Buttons,
                limits,
            )
        })
}
