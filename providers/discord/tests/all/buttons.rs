//! Cards as embeds with buttons.

use dmplz_provider_sdk::serde_json::{Value, from_slice};
use dmplz_provider_sdk::text::units;
use dmplz_provider_sdk::{Block, Card, Choice, Error, Host, Provider, Style, TextField};

use crate::{FakeHost, SENT, card, channel, choice, choices, discord, file, gateway, message};

fn request() -> Card {
    let body = vec![
        Block::Text("도구: Bash".into()),
        Block::Code("rm -rf ./* && echo `id`".into()),
        Block::Hint("건너뛰려면 `no_reason` 를 입력하세요.".into()),
    ];
    let button = |id: &str, label: &str, style, row| Choice { style, row, ..choice(id, label, "✅") };
    let choices = vec![
        button("approve", "✅ 승인", Style::Success, 0),
        button("session", "🔄 세션 허용", Style::Primary, 0),
        button("deny", "❌ 거부", Style::Danger, 0),
        button("scope", "📍 범위", Style::Secondary, 1),
    ];
    Card { choices, ..card("🔐 권한 요청 *", body) }
}

fn body(host: &FakeHost) -> Value {
    from_slice(&host.requests()[0].body).unwrap()
}

fn buttons(row: &Value) -> &[Value] {
    row["components"].as_array().unwrap()
}

#[test]
fn t2_a_request_that_waits_is_an_embed_with_a_button_to_allow_and_one_to_deny() {
    let host = FakeHost::new().reply(200, SENT);
    let asked = Card { reply_to: Some(message(150)), ..request() };
    assert_eq!(gateway().post(&host, channel(), asked), Ok(message(200)));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://discord.com/api/v10/channels/100/messages
    {
      "allowed_mentions": {
        "parse": [],
        "replied_user": false
      },
      "components": [
        {
          "components": [
            {
              "custom_id": "tag1:approve",
              "label": "✅ 승인",
              "style": 3,
              "type": 2
            },
            {
              "custom_id": "tag1:session",
              "label": "🔄 세션 허용",
              "style": 1,
              "type": 2
            },
            {
              "custom_id": "tag1:deny",
              "label": "❌ 거부",
              "style": 4,
              "type": 2
            }
          ],
          "type": 1
        },
        {
          "components": [
            {
              "custom_id": "tag1:scope",
              "label": "📍 범위",
              "style": 2,
              "type": 2
            }
          ],
          "type": 1
        }
      ],
      "embeds": [
        {
          "color": 15844367,
          "description": "도구: Bash\n```\nrm -rf ./* && echo `id`\n```\n건너뛰려면 `no_reason` 를 입력하세요.",
          "title": "🔐 권한 요청 \\*"
        }
      ],
      "enforce_nonce": true,
      "message_reference": {
        "fail_if_not_exists": false,
        "message_id": "150"
      },
      "nonce": "tag1"
    }
    "#);
}

#[test]
fn a_card_whose_message_was_deleted_is_posted_anew_although_discord_knows_its_nonce() {
    let host = FakeHost::new().reply(404, r#"{"message":"Unknown Message","code":10008}"#).reply(200, SENT);
    assert_eq!(gateway().post(&host, channel(), request()), Ok(message(200)));
    let asked = host.requests().into_iter().map(|request| from_slice::<Value>(&request.body).unwrap());
    assert_eq!(asked.map(|body| body["enforce_nonce"].clone()).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn buttons_whose_card_discord_left_out_are_deleted() {
    let bare = r#"{"id":"200","channel_id":"100","embeds":[]}"#;
    let host = FakeHost::new().reply(200, bare).reply(204, "");
    assert_eq!(gateway().post(&host, channel(), request()), Err(Error::Denied(Some("EMBED_LINKS is missing".into()))));
    assert!(host.sent().ends_with("Delete https://discord.com/api/v10/channels/100/messages/200"), "{}", host.sent());
}

#[test]
fn a_card_that_has_ended_has_no_button_left_and_is_grey() {
    let host = FakeHost::new().reply(200, SENT);
    assert_eq!(gateway().revise(&host, message(200), card("✅ 승인됨", vec![Block::Text("Kim".into())])), Ok(()));
    insta::assert_snapshot!(host.sent(), @r#"
    Patch https://discord.com/api/v10/channels/100/messages/200
    {
      "allowed_mentions": {
        "parse": [],
        "replied_user": false
      },
      "components": [],
      "content": "",
      "embeds": [
        {
          "color": 9807270,
          "description": "Kim",
          "title": "✅ 승인됨"
        }
      ],
      "flags": 0
    }
    "#);
}

#[test]
fn a_card_that_goes_on_keeps_its_buttons() {
    let host = FakeHost::new().reply(200, SENT);
    assert_eq!(gateway().revise(&host, message(200), request()), Ok(()));
    let shown = body(&host);
    assert_eq!(buttons(&shown).len(), 2);
    assert_eq!(buttons(&shown["components"][0])[2]["custom_id"], "tag1:deny");
}

#[test]
fn files_go_with_the_embed() {
    let host = FakeHost::new().reply(200, SENT);
    let card = card("t", vec![file("a.txt", "one"), Block::Text("x".into())]);
    assert_eq!(gateway().post(&host, channel(), card), Ok(message(200)));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://discord.com/api/v10/channels/100/messages
    --dmplz-boundary-00000000
    Content-Disposition: form-data; name="payload_json"
    Content-Type: application/json

    {"allowed_mentions":{"parse":[],"replied_user":false},"attachments":[{"filename":"a.txt","id":0}],"components":[],"embeds":[{"color":9807270,"description":"x","title":"t"}],"enforce_nonce":true,"nonce":"tag1"}
    --dmplz-boundary-00000000
    Content-Disposition: form-data; name="files[0]"; filename="a.txt"
    Content-Type: text/plain; charset=utf-8

    one
    --dmplz-boundary-00000000--
    "#);
}

#[test]
fn rows_that_are_too_long_are_wrapped_and_rows_that_become_too_many_are_filled() {
    let rows = |rows: &[usize]| {
        let mut card = card("t", vec![]);
        for (row, count) in (0..).zip(rows) {
            card.choices.extend((0..*count).map(|at| Choice { row, ..choice(&format!("c{row}-{at}"), "x", "x") }));
        }
        let host = FakeHost::new().reply(200, SENT);
        gateway().post(&host, channel(), card)?;
        Ok::<_, Error>(buttons(&body(&host)).iter().map(|row| buttons(row).len()).collect::<Vec<_>>())
    };
    assert_eq!(rows(&[]), Ok(vec![]));
    assert_eq!(rows(&[3, 1, 2]), Ok(vec![3, 1, 2]));
    assert_eq!(rows(&[7, 1]), Ok(vec![5, 2, 1]));
    assert_eq!(rows(&[6, 6, 6]), Ok(vec![5, 5, 5, 3]));
    assert_eq!(rows(&[25]), Ok(vec![5; 5]));
    assert_eq!(rows(&[1; 6]), Ok(vec![5, 1]));
    assert_eq!(rows(&[26]), Err(Error::TooLarge));
}

#[test]
fn a_choice_that_asks_for_words_says_how_many_in_its_id() {
    let field = TextField { title: "t".into(), label: "l".into(), placeholder: String::new(), max: 300 };
    let choices = vec![Choice { field: Some(field), ..choice("tell", "", "💬") }];
    let host = FakeHost::new().reply(200, SENT);
    gateway().post(&host, channel(), Card { wants_text: true, choices, ..card("왜?", vec![]) }).unwrap();
    let shown = body(&host);
    let button = &buttons(&shown["components"][0])[0];
    assert_eq!((&button["custom_id"], &button["label"]), (&Value::from("tag1:tell:300"), &Value::from("💬")));
}

#[test]
fn the_longest_card_goes_out_and_one_unit_more_is_too_large_before_any_request() {
    for (text, grows_to) in [("x".repeat(4096), 4096), ("😀".repeat(2048), 4096), ("*".repeat(2048), 4096)] {
        let host = FakeHost::new().reply(200, SENT);
        gateway().post(&host, channel(), card("title", vec![Block::Text(text.clone())])).unwrap();
        assert_eq!(units(body(&host)["embeds"][0]["description"].as_str().unwrap()), grows_to);
        let host = FakeHost::new();
        let result = gateway().post(&host, channel(), card("title", vec![Block::Text(text + "x")]));
        assert_eq!((result, host.requests().len()), (Err(Error::TooLarge), 0));
    }
}

#[test]
fn a_title_that_is_too_long_for_one_is_the_first_line() {
    let first_line = format!("**{}**\nb", "x".repeat(257));
    for (title, has_title, description) in [("x".repeat(256), true, "b"), ("x".repeat(257), false, &first_line)] {
        let host = FakeHost::new().reply(200, SENT);
        gateway().post(&host, channel(), card(&title, vec![Block::Text("b".into())])).unwrap();
        let embed = &body(&host)["embeds"][0];
        assert_eq!((embed.get("title").is_some(), embed["description"].as_str()), (has_title, Some(description)));
    }
}

#[test]
fn what_no_message_takes_is_too_large_before_any_request() {
    let long_tag = Card { tag: "t".repeat(26), ..card("t", vec![]) };
    let large = card("t", vec![file("x", &"x".repeat((10 << 20) + 1))]);
    for card in [long_tag, large] {
        let host = FakeHost::new();
        assert_eq!((gateway().post(&host, channel(), card), host.requests().len()), (Err(Error::TooLarge), 0));
    }
}

#[test]
fn a_route_that_is_used_up_is_waited_for_or_left_to_the_host() {
    let used_up = |after: &str| {
        let headers = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset-after", after)];
        FakeHost::new().reply_with(200, &headers, SENT).reply(200, SENT).reply(200, SENT)
    };
    let notice = || card("t", vec![]);
    let (host, mut discord) = (used_up("0.7"), gateway());
    assert_eq!(discord.post(&host, channel(), notice()), Ok(message(200)));
    assert_eq!((discord.post(&host, channel(), notice()), host.slept()), (Ok(message(200)), 700));
    let (host, mut discord) = (used_up("4.2"), gateway());
    discord.post(&host, channel(), notice()).unwrap();
    assert_eq!(discord.post(&host, channel(), notice()), Err(Error::RateLimited(Some(4200))));
    assert_eq!(discord.revise(&host, message(200), notice()), Ok(()), "another route");
    assert_eq!((host.requests().len(), host.slept()), (2, 0));
    host.sleep(4200);
    assert_eq!(discord.post(&host, channel(), notice()), Ok(message(200)));
}

#[test]
fn after_a_refusal_for_all_routes_none_is_tried_until_its_time() {
    let global = [("x-ratelimit-global", "true")];
    let host = FakeHost::new().reply_with(429, &global, r#"{"retry_after":3.5,"global":true}"#);
    let mut discord = gateway();
    assert_eq!(discord.post(&host, channel(), card("t", vec![])), Err(Error::RateLimited(Some(3500))));
    assert_eq!(discord.revise(&host, message(200), card("t", vec![])), Err(Error::RateLimited(Some(3500))));
    assert_eq!(host.requests().len(), 1);
}

#[test]
fn each_way_retires_what_the_other_one_posted() {
    let reacted = r#"{"id":"200","reactions":[{"count":1,"me":true,"emoji":{"id":null,"name":"✅"}}]}"#;
    let host = FakeHost::new().reply(200, reacted).reply(204, "");
    assert_eq!(gateway().revise(&host, message(200), card("t", vec![])), Ok(()));
    assert!(host.sent().ends_with("Delete https://discord.com/api/v10/channels/100/messages/200/reactions"));
    let with_buttons = r#"{"id":"200","components":[{"type":1,"components":[{"type":2}]}]}"#;
    let host = FakeHost::new().reply(200, with_buttons).reply(200, SENT);
    assert_eq!(discord().revise(&host, message(200), card("t", vec![])), Ok(()));
    let last: Value = from_slice(&host.requests()[1].body).unwrap();
    assert_eq!(last.to_string(), r#"{"components":[],"embeds":[]}"#);
}

#[test]
fn a_button_tells_the_card_and_the_choice() {
    let host = FakeHost::new().reply(200, SENT);
    gateway().post(&host, channel(), Card { choices: choices(), ..card("t", vec![]) }).unwrap();
    let shown = body(&host);
    let ids = buttons(&shown["components"][0]).iter().map(|button| button["custom_id"].as_str().unwrap());
    assert_eq!(ids.collect::<Vec<_>>(), ["tag1:approve", "tag1:session", "tag1:deny"]);
}
