//! The manifest of the ntfy provider.

use dmplz_provider_sdk::{
    Answering, ChatKind, ChatSpec, Limits, Manifest, SecretPlace, SecretSpec, SettingKind, SettingSpec, Transport,
    Users, Words,
};

use crate::limits;

/// The name of the setting that holds the server's URL.
pub(crate) const SERVER: &str = "api-base";
/// The name of the setting for the interval between polls.
pub(crate) const POLL_INTERVAL: &str = "poll-interval";
/// The name of the secret that some servers require.
pub(crate) const TOKEN: &str = "access-token";
/// The header that carries it (<https://docs.ntfy.sh/publish/#access-tokens>). The host fills in the token.
pub(crate) const AUTHORIZATION: (&str, &str) = ("authorization", "Bearer {secret:access-token}");

pub(crate) fn manifest() -> Manifest {
    let server = format!("{{setting:{SERVER}}}");
    Manifest {
        name: "ntfy".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: vec![
            SettingSpec {
                name: SERVER.to_owned(),
                help: Words::new("the ntfy server", "ntfy 서버"),
                kind: SettingKind::Url,
                required: false,
                default: Some("https://ntfy.sh".to_owned()),
            },
            SettingSpec {
                name: POLL_INTERVAL.to_owned(),
                help: Words::new(
                    "milliseconds between two looks for answers; ntfy.sh allows 5000 in the long run, for the computer and the phone together",
                    "답을 확인하는 간격(밀리초). ntfy.sh는 컴퓨터와 휴대폰을 합쳐 길게 보아 5000까지 허용합니다",
                ),
                kind: SettingKind::Text,
                required: false,
                default: Some(limits::INTERVAL.to_string()),
            },
        ],
        secrets: vec![SecretSpec {
            required: false,
            ..SecretSpec::new(
                TOKEN,
                Words::new(
                    "an access token, where the server protects the topic",
                    "토픽을 보호하는 서버에서 쓰는 액세스 토큰",
                ),
                vec![server.clone()],
                vec![SecretPlace::in_header(AUTHORIZATION.0, AUTHORIZATION.1)],
            )
        }],
        chats: vec![ChatSpec {
            name: "topic".to_owned(),
            help: Words::new(
                "the topic to ask in, as hard to guess as a password",
                "질문을 보낼 토픽. 비밀번호처럼 추측하기 어려워야 합니다",
            ),
            kind: ChatKind::Room,
        }],
        users: Users::Anonymous,
        origins: vec![server],
        transports: vec![Transport {
            name: "polling".to_owned(),
            help: "asks the server every few seconds: buttons, and reasons as messages to TOPIC-answers".to_owned(),
            limits: Limits {
                text: limits::CARD_TEXT,
                choices: limits::ACTIONS,
                attachment: limits::ATTACHMENT,
                notice: limits::CARD_TEXT,
            },
            answering: Answering::Buttons,
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
