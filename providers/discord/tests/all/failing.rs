use dmplz_provider_sdk::http::HttpError;
use dmplz_provider_sdk::{Error, Provider};

use crate::{FakeHost, card, channel, discord};

fn post(host: FakeHost) -> Error {
    discord().post(&host, channel(), card("t", vec![])).unwrap_err()
}

fn denied(words: &str) -> Error {
    Error::Denied(Some(words.to_owned()))
}

#[test]
fn what_discord_refuses_becomes_what_the_host_acts_on() {
    for (status, body, expected) in [
        (401, r#"{"message":"401: Unauthorized","code":0}"#, Error::Unauthorized),
        (404, r#"{"message":"Unknown Channel","code":10003}"#, Error::NotFound),
        (
            403,
            r#"{"message":"Missing Access","code":50001}"#,
            denied("VIEW_CHANNEL is missing: Missing Access (status 403, code 50001)"),
        ),
        (
            403,
            r#"{"message":"Cannot send messages to this user","code":50007}"#,
            denied(
                "the person takes no direct messages of this bot: Cannot send messages to this user (status 403, code 50007)",
            ),
        ),
        (
            400,
            r#"{"message":"Thread is archived","code":50083}"#,
            denied("Thread is archived (status 400, code 50083)"),
        ),
        (
            400,
            r#"{"message":"Cannot reply without permission to read message history","code":160002}"#,
            denied(
                "READ_MESSAGE_HISTORY is missing: Cannot reply without permission to read message history (status 400, code 160002)",
            ),
        ),
        (413, r#"{"message":"Request entity too large","code":40005}"#, Error::TooLarge),
        (
            400,
            r#"{"message":"Invalid Form Body","code":50035,"errors":{"content":{"_errors":[{"code":"BASE_TYPE_MAX_LENGTH","message":"Must be 2000 or fewer in length."}]}}}"#,
            Error::TooLarge,
        ),
        (
            400,
            r#"{"message":"Invalid Form Body","code":50035,"errors":{"nonce":{}}}"#,
            Error::Rejected(Some(r#"Invalid Form Body (status 400, code 50035): {"nonce":{}}"#.into())),
        ),
        (
            400,
            r#"{"message":"Cannot send an empty message","code":50006}"#,
            Error::Rejected(Some("Cannot send an empty message (status 400, code 50006)".into())),
        ),
        (502, "<html>", Error::Unavailable(Some("no explanation (status 502, code 0)".into()))),
    ] {
        assert_eq!(post(FakeHost::new().reply(status, body)), expected, "{status} {body}");
    }
}

#[test]
fn a_path_that_is_not_there_is_a_wrong_server() {
    for body in ["<html>nginx</html>", r#"{"message":"404: Not Found","code":0}"#] {
        let error = post(FakeHost::new().reply(404, body));
        assert!(matches!(&error, Error::Other(Some(said)) if said.contains("api-base")), "{error:?}");
    }
}

#[test]
fn seconds_to_wait_become_milliseconds_rounded_up() {
    for (headers, body, expected) in [
        (vec![("retry-after", "65")], r#"{"retry_after":64.5709,"global":true}"#, Some(64_571)),
        (vec![("retry-after", "65")], "<html>", Some(65_000)),
        (vec![], r#"{"retry_after":1}"#, Some(1000)),
        (vec![], r#"{"retry_after":-1}"#, None),
        (vec![], r#"{"retry_after":1e300}"#, None),
        (vec![("retry-after", "soon")], "", None),
    ] {
        let host = FakeHost::new().reply_with(429, &headers, body);
        assert_eq!(post(host), Error::RateLimited(expected), "{headers:?} {body}");
    }
}

#[test]
fn a_reply_that_makes_no_sense_is_asked_again() {
    for body in ["", "{", "[]", "{}", r#"{"id":200,"channel_id":"100"}"#, r#"{"id":"x","channel_id":"100"}"#] {
        let error = post(FakeHost::new().reply(200, body));
        assert!(matches!(error, Error::Unavailable(Some(_))), "{body}: {error:?}");
    }
    assert_eq!(post(FakeHost::new().fail(HttpError::Deadline)), Error::Deadline);
}
