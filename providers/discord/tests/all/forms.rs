//! Choices that ask for words, and words to one person.

use dmplz_provider_sdk::http::HttpError;
use dmplz_provider_sdk::serde_json::{Value, from_slice, json};
use dmplz_provider_sdk::{Choice, Chosen, Error, Event, Provider, TextField};

use crate::gateway::{at, batch, chosen, dispatch, greeted, heard, press, pressed, ready, watch};
use crate::{FakeHost, choice, gateway, message};

fn tell() -> Choice {
    let field = TextField {
        title: "대신 할 일".into(),
        label: "Claude에게 할 말".into(),
        placeholder: "예: 먼저 ls로 확인해 주세요".into(),
        max: 300,
    };
    Choice { field: Some(field), ..choice("tell", "💬 tell", "💬") }
}

/// Plays a press of "tell", on a card that the host watches or not.
fn press_tell(host: &FakeHost, is_watched: bool) -> Vec<Event> {
    let watching = if is_watched { vec![watch(message(200), vec![tell()])] } else { vec![] };
    gateway().receive(host, "", &watching, 100).unwrap().events
}

fn host() -> FakeHost {
    crate::gateway::host().socket(greeted().frame(ready()).frame(pressed(2, "tag1:tell:300")))
}

/// Returns the form in the response.
fn form(host: &FakeHost) -> Value {
    let response: Value = from_slice(&host.requests()[1].body).unwrap();
    response["data"].clone()
}

#[test]
fn a_choice_that_asks_for_words_opens_a_form_and_is_no_press_yet() {
    let host = host().reply(204, "");
    assert_eq!(press_tell(&host, true), []);
    insta::assert_snapshot!(host.sent().split_once("\n\n").unwrap().1, @r#"
    Post https://discord.com/api/v10/interactions/700/aW50/callback
    {
      "data": {
        "components": [
          {
            "component": {
              "custom_id": "text",
              "max_length": 300,
              "placeholder": "예: 먼저 ls로 확인해 주세요",
              "required": true,
              "style": 2,
              "type": 4
            },
            "label": "Claude에게 할 말",
            "type": 18
          }
        ],
        "custom_id": "tag1:tell",
        "title": "대신 할 일"
      },
      "type": 9
    }
    "#);
}

#[test]
fn on_a_card_that_is_newer_than_the_call_the_form_says_what_the_button_says() {
    let host = host().reply(204, "");
    assert_eq!(press_tell(&host, false), []);
    let (form, words) = (form(&host), "💬 Tell Claude what to do instead");
    assert_eq!((&form["title"], &form["components"][0]["label"]), (&json!(words), &json!(words)));
    assert_eq!(form["components"][0]["component"]["max_length"], 300);
}

#[test]
fn words_that_are_too_long_for_a_form_are_cut_where_a_character_ends() {
    let words = "말".repeat(44) + "😀😀";
    let field = TextField { title: words.clone(), label: words, placeholder: "x".repeat(101), max: 9999 };
    let long = Choice { field: Some(field), ..tell() };
    let host = host().reply(204, "");
    gateway().receive(&host, "", &[watch(message(200), vec![long])], 100).unwrap();
    let form = form(&host);
    assert_eq!(form["title"], json!("말".repeat(44)));
    assert_eq!(form["components"][0]["component"]["placeholder"], json!("x".repeat(100)));
}

#[test]
fn a_form_that_was_sent_is_the_press_with_the_words() {
    let field = json!({ "type": 4, "custom_id": "text", "value": "ls 먼저\n그 다음 rm" });
    for row in [json!({ "type": 18, "component": field }), json!({ "type": 1, "components": [field] })] {
        let mut sent = press("tag1:tell");
        sent["type"] = json!(5);
        sent["data"] = json!({ "custom_id": "tag1:tell", "components": [row] });
        let socket = greeted().frame(ready()).frame(dispatch("INTERACTION_CREATE", 2, sent));
        let host = crate::gateway::host().reply(204, "").socket(socket);
        let expected = batch(vec![chosen("tell", Some("ls 먼저\n그 다음 rm"))], &at(2));
        assert_eq!(gateway().receive(&host, "", &[], 100), expected);
        assert!(host.sent().ends_with("{\n  \"type\": 6\n}"));
    }
}

#[test]
fn where_no_form_can_be_opened_the_press_is_told_without_words() {
    let host = host().reply(404, r#"{"message":"Unknown interaction","code":10062}"#);
    assert_eq!(press_tell(&host, true), [chosen("tell", None)]);
}

#[test]
fn a_form_that_was_opened_already_is_no_press() {
    let open = r#"{"message":"Interaction has already been acknowledged.","code":40060}"#;
    assert_eq!(press_tell(&host().reply(400, open), true), [], "in an earlier life");
    assert_eq!(press_tell(&host().fail(HttpError::Timeout).reply(400, open), true), [], "and the reply was lost");
}

#[test]
fn a_press_that_cannot_be_acknowledged_counts_all_the_same() {
    for host in [
        crate::gateway::host().reply(404, r#"{"message":"Unknown interaction","code":10062}"#),
        crate::gateway::host().fail(HttpError::Unreachable("x".into())).fail(HttpError::Timeout),
        crate::gateway::host().fail(HttpError::Timeout).reply(204, ""),
        crate::gateway::host().reply_with(429, &[("retry-after", "2")], "{}"),
    ] {
        let host = host.socket(greeted().frame(ready()).frame(pressed(2, "tag1:deny")));
        assert_eq!(gateway().receive(&host, "", &[], 100), batch(vec![chosen("deny", None)], &at(2)));
        assert_eq!(host.left(), 0, "tried again only where it is not known whether it arrived");
    }
}

#[test]
fn a_notice_is_whispered_to_the_one_who_pressed() {
    let host = FakeHost::new().reply(200, "{}");
    let notice = "이 권한 요청은 이미 만료되었습니다. *".to_owned();
    assert_eq!(gateway().acknowledge(&host, heard("deny", None), Some(notice)), Ok(()));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://discord.com/api/v10/webhooks/1/aW50
    {
      "allowed_mentions": {
        "parse": []
      },
      "content": "이 권한 요청은 이미 만료되었습니다. \\*",
      "flags": 68
    }
    "#);
    assert_eq!(gateway().acknowledge(&FakeHost::new(), heard("deny", None), None), Ok(()));
}

#[test]
fn a_press_too_old_to_be_spoken_to_is_no_error() {
    let whisper = |status, body: &str| {
        gateway().acknowledge(&FakeHost::new().reply(status, body), heard("deny", None), Some("late".into()))
    };
    assert_eq!(whisper(401, r#"{"message":"Invalid Webhook Token","code":50027}"#), Ok(()));
    assert_eq!(whisper(404, r#"{"message":"Unknown Webhook","code":10015}"#), Ok(()));
    assert!(matches!(whisper(502, "<html>"), Err(Error::Unavailable(_))));
    let tokenless = Chosen { token: String::new(), ..heard("deny", None) };
    assert_eq!(gateway().acknowledge(&FakeHost::new(), tokenless, Some("late".into())), Ok(()));
}
