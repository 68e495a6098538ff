//! The provider on this machine, without WebAssembly: a scripted host answers, and shows what was sent.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests: what is not as it should be fails loudly")]

use acme::Acme;
use dmplz_provider_sdk::serde_json::{Value, from_slice, json};
use dmplz_provider_sdk::testing::{self, FakeHost, choice};
use dmplz_provider_sdk::{Block, Card, Error, Event, OpenChat, Provider, Setting};

fn connected() -> Acme {
    let server = Setting { name: "server".to_owned(), value: "https://chat.acme.example/".to_owned() };
    Acme::connect(&[server], "polling").unwrap()
}

fn room() -> OpenChat {
    OpenChat { id: "r1".to_owned(), owner: None }
}

fn card(text: &str) -> Card {
    let choices = vec![choice("approve", "✅ Approve", "✅"), choice("deny", "❌ Deny", "❌")];
    Card { tag: "Tag1".to_owned(), choices, ..testing::card("May I?", vec![Block::Code(text.to_owned())]) }
}

#[test]
fn a_card_is_posted_with_its_buttons_and_the_placeholder_of_the_token() {
    let host = FakeHost::new().reply(200, json!({ "id": "m1", "number": 7 }));
    let posted = connected().post(&host, room(), card("rm -rf ./target")).unwrap();
    assert_eq!((posted.id.as_str(), posted.sequence), ("m1", 7));
    let sent = host.requests().pop().unwrap();
    assert_eq!(sent.url, "https://chat.acme.example/rooms/r1/messages");
    assert!(sent.headers.iter().any(|header| header.value == "Bearer {secret:token}"));
    let body: Value = from_slice(&sent.body).unwrap();
    assert_eq!(body["text"], "May I?\nrm -rf ./target");
    assert_eq!(body["buttons"][1], json!({ "id": "deny", "label": "❌ Deny" }));
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_sent() {
    let host = FakeHost::new();
    assert_eq!(connected().post(&host, room(), card(&"x".repeat(4_000))), Err(Error::TooLarge));
    assert!(host.requests().is_empty());
}

#[test]
fn presses_and_words_are_brought_and_nonsense_is_passed_over() {
    let by = json!({ "id": "u1", "name": "Jin" });
    let press = json!({ "room": "r1", "message": { "id": "m1", "number": 7 }, "button": "deny", "nonce": "Tag1", "press": "p1", "user": by });
    let words = json!({ "room": "r1", "message": { "id": "m2", "number": 8 }, "text": "not today", "user": by });
    let host = FakeHost::new().reply(200, json!({ "events": [press, {}, null, words], "next": "c2" }));
    let batch = connected().receive(&host, "c1", &[], 0).unwrap();
    assert_eq!(batch.cursor, "c2");
    let [Event::Chosen(chosen), Event::Said(said)] = batch.events.as_slice() else { panic!("{:?}", batch.events) };
    assert_eq!((chosen.choice.as_str(), chosen.tag.as_deref(), chosen.token.as_str()), ("deny", Some("Tag1"), "p1"));
    assert_eq!((said.text.as_str(), said.user.id.as_str()), ("not today", "u1"));
}

#[test]
fn each_status_is_the_error_that_the_host_acts_on() {
    for (status, error) in [
        (401, Error::Unauthorized),
        (403, Error::Denied(None)),
        (404, Error::NotFound),
        (413, Error::TooLarge),
        (429, Error::RateLimited(None)),
        (502, Error::Unavailable(Some("status 502".to_owned()))),
    ] {
        let host = FakeHost::new().reply(status, "");
        assert_eq!(connected().post(&host, room(), card("x")), Err(error), "{status}");
    }
    let host = FakeHost::new().reply_with(429, &[("retry-after", "1.5")], "");
    assert_eq!(connected().post(&host, room(), card("x")), Err(Error::RateLimited(Some(1_500))));
}
