use dmplz_provider_sdk::{Chat, Error, Provider, Setting};

use crate::{FakeHost, Matrix, matrix};

#[test]
fn a_homeserver_is_an_absolute_url() {
    for nonsense in ["", "matrix.org", "ftp://matrix.org", "https://", "https://matrix.org/?a=b"] {
        let setting = Setting { name: "homeserver".into(), value: nonsense.into() };
        let refused = Matrix::connect(&[setting], "sync").unwrap_err();
        assert!(matches!(&refused, Error::BadSetting((name, _)) if name == "homeserver"), "{nonsense}: {refused:?}");
    }
}

#[test]
fn the_token_goes_into_one_header_of_every_request() {
    let host = FakeHost::new().reply(401, r#"{"errcode":"M_UNKNOWN_TOKEN"}"#);
    assert_eq!(matrix().introduce(&host, "code"), Err(Error::Unauthorized));
    let headers = &host.requests()[0].headers;
    let authorization = headers.iter().find(|header| header.name == "authorization").unwrap();
    assert_eq!(authorization.value, "Bearer {secret:access-token}");
}

#[test]
fn a_room_is_known_by_its_id_with_a_server_or_without() {
    let open = |id: &str| matrix().open(&FakeHost::new(), Chat::Room(id.into()));
    for id in ["!OGEhHVWSdvArJzumhm:matrix.org", "!zKPwTWJQ3SGKwi3RWKPBkbHQALs4Dqokijo2f5RLBEI"] {
        assert_eq!(open(id).unwrap().id, id);
    }
    for id in ["#alias:matrix.org", "!", "!a b", "OGEhHVWSdvArJzumhm:matrix.org"] {
        assert!(matches!(open(id), Err(Error::BadSetting(_))), "{id}");
    }
}
