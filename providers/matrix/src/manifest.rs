//! The manifest of the Matrix provider.

use dmplz_provider_sdk::{Answering, Lifetime, Limits, Manifest, Renewal, SecretSpec, SettingSpec, Transport};

use crate::limits::{ATTACHMENT, CARD_TEXT, CHOICES, CODES, NOTICE};

/// Name of the setting that holds the homeserver's URL. It has no default, because the token must only go to the server
/// that issued it.
pub(crate) const HOMESERVER: &str = "homeserver";
/// Name of the transport without reactions.
pub(crate) const TYPED: &str = "typed";
/// Names of the settings that hold the chat.
pub(crate) const ROOM: &str = "room-id";
pub(crate) const PERSON: &str = "dm-user-id";

/// Names of the secrets, which go as bearer tokens (<https://spec.matrix.org/v1.16/client-server-api/#using-access-tokens>): the
/// access token, or where tokens expire the refresh token, which the host exchanges for them.
pub(crate) const ACCESS_TOKEN: &str = "access-token";
pub(crate) const REFRESH_TOKEN: &str = "refresh-token";

pub(crate) fn manifest() -> Manifest {
    Manifest::new("matrix", env!("CARGO_PKG_VERSION"))
        .server(
            HOMESERVER,
            "the URL of the bot's homeserver, such as https://matrix-client.matrix.org",
            "봇 계정의 홈서버 URL, 예: https://matrix-client.matrix.org",
            None,
        )
        .bearer(
            ACCESS_TOKEN,
            "the access token of the bot's account, of a login that nothing else uses",
            "봇 계정의 액세스 토큰, 다른 곳에서 쓰지 않는 로그인의 것",
        )
        .secret(refresh_token(&SettingSpec::origin(HOMESERVER)))
        .room(
            ROOM,
            "id of the room to ask in (!...), which is not encrypted",
            "질문을 보낼 방의 id (!...), 암호화되지 않은 방",
        )
        .person(PERSON, "id of the user to ask by DM (@...:...)", "DM으로 물어볼 사용자의 id (@...:...)")
        .transport(transport(
            "sync",
            "long polling: reactions as a menu, reasons as messages; rooms must not be encrypted",
            Answering::Reactions,
            CHOICES,
        ))
        .transport(transport(
            TYPED,
            "the same without reactions: choices have codes that people write, as in rooms that are bridged to other messengers",
            Answering::Typed,
            CODES,
        ))
}

fn refresh_token(server: &str) -> SecretSpec {
    // https://spec.matrix.org/v1.16/client-server-api/#post_matrixclientv3refresh
    let renewal = Renewal {
        lifetime: Some(Lifetime::Milliseconds("/expires_in_ms".to_owned())),
        ..Renewal::refresh(&format!("{server}/_matrix/client/v3/refresh"), REFRESH_TOKEN)
    };
    let token = SecretSpec::bearer(
        REFRESH_TOKEN,
        "in place of the access token, the refresh token of such a login, where the homeserver lets access tokens expire",
        "액세스 토큰이 만료되는 홈서버에서 액세스 토큰 대신, 그런 로그인의 리프레시 토큰",
        server,
    );
    token.instead_of(ACCESS_TOKEN).renewed(renewal)
}

fn transport(name: &str, help: &str, answering: Answering, choices: u32) -> Transport {
    let limits = Limits { text: CARD_TEXT, choices, attachment: ATTACHMENT, notice: NOTICE };
    Transport { reads_chat: true, files: true, ..Transport::new(name, help, answering, limits) }
}
