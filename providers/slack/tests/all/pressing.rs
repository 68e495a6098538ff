use dmplz_provider_sdk::serde_json::{from_slice, json};
use dmplz_provider_sdk::{Chosen, Event, Provider};
use insta::assert_snapshot;

use crate::{FakeHost, connected, envelope, hello, message, press, slack, watching, write};

fn pressed(host: &FakeHost) -> Vec<Chosen> {
    let batch = slack().receive(host, "", &watching(vec![write()]), 10_000).unwrap();
    let chosen = |event| match event {
        Event::Chosen(chosen) => chosen,
        Event::Said(said) => panic!("{said:?}"),
    };
    batch.events.into_iter().map(chosen).collect()
}

#[test]
fn a_press_is_acknowledged_and_told() {
    let host = connected(hello().frame(envelope("interactive", &press("tag1:approve"))));
    let presses = pressed(&host);
    assert_eq!(presses.len(), 1);
    assert_eq!((&presses[0].message, presses[0].choice.as_str()), (&message("1800000000.000100"), "approve"));
    assert_eq!((presses[0].tag.as_deref(), presses[0].text.as_deref()), (Some("tag1"), None));
    assert_eq!((presses[0].user.id.as_str(), presses[0].user.name.as_str()), ("U012AB3CD", "jin"));
    let frames = host.frames();
    assert_eq!(frames[..2], ["connect wss://wss-primary.slack.com/link/?ticket=1", r#"send {"envelope_id":"e1"}"#]);
}

#[test]
fn a_button_that_asks_for_words_opens_a_modal_and_its_words_come_with_the_choice() {
    let host = connected(hello().frame(envelope("interactive", &press("tag1:deny:3000")))).reply(200, r#"{"ok":true}"#);
    assert!(pressed(&host).is_empty());
    assert_snapshot!(host.sent(), @r#"
    Post https://slack.example/api/apps.connections.open

    Post https://slack.example/api/views.open
    {
      "trigger_id": "13345224609.738474920.8fd887",
      "view": {
        "blocks": [
          {
            "block_id": "dmplz-words",
            "element": {
              "action_id": "dmplz-words",
              "max_length": 3000,
              "multiline": true,
              "placeholder": {
                "emoji": false,
                "text": "because",
                "type": "plain_text"
              },
              "type": "plain_text_input"
            },
            "label": {
              "emoji": false,
              "text": "A reason",
              "type": "plain_text"
            },
            "type": "input"
          }
        ],
        "callback_id": "dmplz-words",
        "private_metadata": "C012AB3CD 1800000000.000100 tag1:deny",
        "submit": {
          "text": "OK",
          "type": "plain_text"
        },
        "title": {
          "emoji": false,
          "text": "A title that is longer t",
          "type": "plain_text"
        },
        "type": "modal"
      }
    }
    "#);
    let body: dmplz_provider_sdk::serde_json::Value = from_slice(&host.requests()[1].body).unwrap();
    let mut view = body["view"].clone();
    view["state"] = json!({ "values": { "dmplz-words": { "dmplz-words": { "value": "not *now*" } } } });
    let payload = json!({ "type": "view_submission", "user": { "id": "U012AB3CD", "name": "jin" }, "view": view });
    let presses = pressed(&connected(hello().frame(envelope("interactive", &payload))));
    assert_eq!((presses[0].choice.as_str(), presses[0].text.as_deref()), ("deny", Some("not *now*")));
    assert_eq!((&presses[0].message, presses[0].tag.as_deref()), (&message("1800000000.000100"), Some("tag1")));
}

#[test]
fn a_press_is_not_lost_when_no_modal_opens() {
    let host = connected(hello().frame(envelope("interactive", &press("tag1:deny:300"))))
        .reply(200, r#"{"ok":false,"error":"expired_trigger_id"}"#);
    let presses = pressed(&host);
    assert_eq!((presses[0].choice.as_str(), presses[0].text.as_deref()), ("deny", None));
}

#[test]
fn what_no_button_of_ours_says_is_no_press_and_is_acknowledged() {
    let none = json!(null);
    let mut elsewhere = press("tag1:deny");
    elsewhere["container"] = json!({ "type": "view" });
    let mut nobody = press("tag1:deny");
    nobody["user"] = json!({});
    for payload in [none, json!([]), json!({}), press("deny"), press("tag1:deny:9999"), elsewhere, nobody] {
        let host = connected(hello().frame(envelope("interactive", &payload)));
        assert!(pressed(&host).is_empty(), "{payload}");
        assert_eq!(host.frames()[1], r#"send {"envelope_id":"e1"}"#, "{payload}");
    }
}
