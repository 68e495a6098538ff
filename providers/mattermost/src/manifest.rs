//! The manifest of the Mattermost provider.

use dmplz_provider_sdk::{Answering, Limits, Manifest, SecretPlace, SecretSpec, SettingSpec, Transport};

use crate::limits::{ATTACHMENT, CARD_TEXT, CHOICES, NOTICE};

/// Name of the setting that holds the server's URL. It has no default, because the token must only go to the server that
/// issued it.
pub(crate) const SERVER: &str = "server";
/// Names of the settings that hold the chat.
pub(crate) const CHANNEL: &str = "channel-id";
pub(crate) const PERSON: &str = "dm-user-id";

/// Name of the secret.
pub(crate) const ACCESS_TOKEN: &str = "access-token";
/// The action of the frame that carries the token over a WebSocket, and the placeholder in it.
pub(crate) const CHALLENGE: &str = "authentication_challenge";
pub(crate) const TOKEN: &str = "{secret:access-token}";

pub(crate) fn manifest() -> Manifest {
    let limits = Limits { text: CARD_TEXT, choices: CHOICES, attachment: ATTACHMENT, notice: NOTICE };
    let origin = SettingSpec::origin(SERVER);
    let mut token =
        SecretSpec::bearer(ACCESS_TOKEN, "the access token of the bot account", "봇 계정의 액세스 토큰", &origin);
    token.places.push(SecretPlace::in_frame("/data/token", "/action", &format!("\"{CHALLENGE}\"")));
    Manifest::new("mattermost", env!("CARGO_PKG_VERSION"))
        .server(
            SERVER,
            "the URL of the Mattermost server, such as https://chat.example.com",
            "Mattermost 서버의 URL, 예: https://chat.example.com",
            None,
        )
        .secret(token)
        .room(
            CHANNEL,
            "id of the channel to ask in (26 letters and digits), of which the bot is a member",
            "질문을 보낼 채널의 id (문자와 숫자 26자), 봇이 멤버여야 합니다",
        )
        .person(
            PERSON,
            "id of the user to ask by DM (26 letters and digits)",
            "DM으로 물어볼 사용자의 id (문자와 숫자 26자)",
        )
        .transport(Transport {
            persistent: true,
            reads_chat: true,
            files: true,
            ..Transport::new(
                "websocket",
                "a WebSocket: reactions as a menu, reasons as messages; needs no public address",
                Answering::Reactions,
                limits,
            )
        })
}
