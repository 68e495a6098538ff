use dmplz_provider_sdk::http::HttpError;
use dmplz_provider_sdk::{Error, Provider};

use crate::{FakeHost, card, channel, slack};

fn posted(host: &FakeHost) -> Error {
    slack().post(host, channel(), card("t", Vec::new())).unwrap_err()
}

#[test]
fn an_error_of_slack_is_what_the_host_is_to_do() {
    for (name, expected) in [
        ("invalid_auth", Error::Unauthorized),
        ("token_revoked", Error::Unauthorized),
        ("channel_not_found", Error::NotFound),
        ("msg_blocks_too_long", Error::TooLarge),
        ("is_archived", Error::Denied(Some("is_archived".into()))),
        ("cannot_dm_bot", Error::Denied(Some("cannot_dm_bot".into()))),
        ("restricted_action_read_only_channel", Error::Denied(Some("restricted_action_read_only_channel".into()))),
        ("internal_error", Error::Unavailable(Some("internal_error".into()))),
        ("invalid_arguments", Error::Rejected(Some("invalid_arguments".into()))),
    ] {
        let host = FakeHost::new().reply(200, format!(r#"{{"ok":false,"error":"{name}"}}"#));
        assert_eq!(posted(&host), expected, "{name}");
    }
}

#[test]
fn what_is_missing_is_said_in_words() {
    for (body, words) in [
        (r#"{"ok":false,"error":"missing_scope","needed":"chat:write"}"#, "lacks the scope chat:write"),
        (r#"{"ok":false,"error":"not_in_channel"}"#, "/invite"),
    ] {
        let error = posted(&FakeHost::new().reply(200, body));
        assert!(matches!(&error, Error::Denied(Some(said)) if said.contains(words)), "{error:?}");
    }
    let details = r#"{"ok":false,"error":"invalid_blocks","response_metadata":{"messages":["[ERROR] no more"]}}"#;
    assert_eq!(
        posted(&FakeHost::new().reply(200, details)),
        Error::Rejected(Some("invalid_blocks: [ERROR] no more".into()))
    );
}

#[test]
fn a_rate_limit_says_how_long_to_wait() {
    let body = r#"{"ok":false,"error":"ratelimited"}"#;
    let host = FakeHost::new().reply_with(429, &[("retry-after", "30")], body);
    assert_eq!(posted(&host), Error::RateLimited(Some(30_000)));
    assert_eq!(posted(&FakeHost::new().reply(200, body)), Error::RateLimited(None));
}

#[test]
fn what_makes_no_sense_is_a_server_that_is_down() {
    let replies =
        ["", "<html>", "{", "[]", "{}", r#"{"ok":"yes"}"#, r#"{"ok":true}"#, r#"{"ok":true,"channel":"C1","ts":"7"}"#];
    for reply in replies {
        let error = posted(&FakeHost::new().reply(200, reply));
        assert!(matches!(error, Error::Unavailable(Some(_))), "{reply}: {error:?}");
    }
    assert!(matches!(posted(&FakeHost::new().fail(HttpError::Timeout)), Error::Unavailable(_)));
    assert!(
        matches!(posted(&FakeHost::new().reply(404, "<html>")), Error::Other(Some(said)) if said.contains("api-base"))
    );
}
