use dmplz_provider_sdk::{Error, Provider};

use crate::{FakeHost, card, ntfy, topic};

fn post(host: &FakeHost) -> Error {
    ntfy().post(host, topic(), card("t", vec![])).unwrap_err()
}

fn said(words: &str) -> Option<String> {
    Some(words.to_owned())
}

#[test]
fn what_ntfy_refuses_becomes_what_the_host_acts_on() {
    for (status, code, error, expected) in [
        (401, 40101, "unauthorized", Error::Unauthorized),
        (403, 40301, "forbidden", Error::Denied(said("the server protects the topic: forbidden"))),
        (404, 40401, "page not found", Error::NotFound),
        (413, 41303, "JSON body too large", Error::TooLarge),
        (429, 42901, "limit reached: too many requests", Error::RateLimited(None)),
        (
            429,
            42908,
            "limit reached: daily message quota reached",
            Error::Unavailable(said("limit reached: daily message quota reached")),
        ),
        (
            400,
            40014,
            "attachments not allowed",
            Error::Denied(said("the server takes no attachments, and the text is long")),
        ),
        (400, 40009, "topic invalid", Error::Rejected(said("topic invalid"))),
        (500, 50001, "internal server error", Error::Unavailable(said("internal server error"))),
    ] {
        let reply = format!(r#"{{"code":{code},"http":{status},"error":"{error}"}}"#);
        assert_eq!(post(&FakeHost::new().reply(status, reply)), expected, "{status} {error}");
    }
    assert_eq!(post(&FakeHost::new().reply(502, "<html>")), Error::Unavailable(said("status 502")));
    let proxied = FakeHost::new().reply_with(429, &[("retry-after", "2")], "<html>");
    assert_eq!(post(&proxied), Error::RateLimited(Some(2000)));
}

#[test]
fn a_reply_that_makes_no_sense_is_asked_again() {
    for body in ["", "<html>", "{}", "[]", r#"{"id":"x"}"#, r#"{"id":7,"time":1}"#] {
        let error = post(&FakeHost::new().reply(200, body));
        assert!(matches!(error, Error::Unavailable(Some(_))), "{body}: {error:?}");
    }
}
