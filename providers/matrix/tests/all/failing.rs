use dmplz_provider_sdk::{Error, Provider};

use crate::{FakeHost, card, matrix, plain, refused, room};

fn post(host: &FakeHost) -> Error {
    matrix().post(host, room(), card("t", vec![])).unwrap_err()
}

#[test]
fn what_a_homeserver_refuses_becomes_what_the_host_acts_on() {
    let said = |code: &str| Some(format!("{code} it is"));
    for (status, code, expected) in [
        (401, "M_UNKNOWN_TOKEN", Error::Unauthorized),
        (401, "M_MISSING_TOKEN", Error::Unauthorized),
        (403, "M_USER_DEACTIVATED", Error::Unauthorized),
        (403, "M_FORBIDDEN", Error::Denied(said("M_FORBIDDEN"))),
        (403, "M_CONSENT_NOT_GIVEN", Error::Denied(said("M_CONSENT_NOT_GIVEN"))),
        (404, "M_NOT_FOUND", Error::NotFound),
        (404, "M_UNKNOWN", Error::NotFound),
        (404, "M_UNRECOGNIZED", Error::Other(Some("status 404 for a path of Matrix; is homeserver right?".into()))),
        (413, "M_TOO_LARGE", Error::TooLarge),
        (400, "M_BAD_JSON", Error::Rejected(said("M_BAD_JSON"))),
        (429, "M_LIMIT_EXCEEDED", Error::RateLimited(None)),
        (500, "M_UNKNOWN", Error::Unavailable(said("M_UNKNOWN"))),
    ] {
        assert_eq!(post(&refused(plain(), status, code)), expected, "{status} {code}");
    }
    assert_eq!(post(&plain().reply(502, "<html>")), Error::Unavailable(Some("status 502".into())));
}

#[test]
fn a_wait_is_in_the_body_or_in_a_header() {
    let limited = plain().reply(429, r#"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":1234}"#);
    assert_eq!(post(&limited), Error::RateLimited(Some(1234)));
    let limited = plain().reply_with(429, &[("retry-after", "2")], "<html>");
    assert_eq!(post(&limited), Error::RateLimited(Some(2000)));
}

#[test]
fn a_reply_that_makes_no_sense_is_asked_again() {
    for body in ["", "<html>", "{}", "[]", r#"{"event_id":7}"#] {
        let error = post(&plain().reply(200, body));
        assert!(matches!(error, Error::Unavailable(Some(_))), "{body}: {error:?}");
    }
}
