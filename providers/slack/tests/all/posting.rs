use dmplz_provider_sdk::serde_json::{Value, from_slice};
use dmplz_provider_sdk::{Attachment, Block, Card, Chosen, Error, Provider, Style, User};
use insta::assert_snapshot;

use crate::{FakeHost, POSTED, card, channel, choice, message, slack, write};

fn question() -> Card {
    let body = vec![
        Block::Text("in *here*".into()),
        Block::Code("git push <main>".into()),
        Block::Hint("type `no` to skip".into()),
    ];
    let choices = vec![choice("approve", "✅ Approve", Style::Success), write()];
    Card { choices, ..card("🔐 May I <run> & go?", body) }
}

fn sent(host: &FakeHost, number: usize) -> Value {
    from_slice(&host.requests()[number].body).unwrap()
}

#[test]
fn a_card_is_rich_text_with_a_row_of_buttons() {
    let host = FakeHost::new().reply(200, POSTED);
    let posted = slack().post(&host, channel(), question()).unwrap();
    assert_eq!(posted, message("1800000000.000100"));
    assert_snapshot!(host.sent(), @r#"
    Post https://slack.example/api/chat.postMessage
    {
      "blocks": [
        {
          "elements": [
            {
              "elements": [
                {
                  "style": {
                    "bold": true
                  },
                  "text": "🔐 May I <run> & go?",
                  "type": "text"
                },
                {
                  "text": "\n",
                  "type": "text"
                },
                {
                  "text": "in *here*",
                  "type": "text"
                }
              ],
              "type": "rich_text_section"
            },
            {
              "elements": [
                {
                  "text": "git push <main>",
                  "type": "text"
                }
              ],
              "type": "rich_text_preformatted"
            },
            {
              "elements": [
                {
                  "text": "type ",
                  "type": "text"
                },
                {
                  "style": {
                    "code": true
                  },
                  "text": "no",
                  "type": "text"
                },
                {
                  "text": " to skip",
                  "type": "text"
                }
              ],
              "type": "rich_text_section"
            }
          ],
          "type": "rich_text"
        },
        {
          "elements": [
            {
              "action_id": "approve",
              "style": "primary",
              "text": {
                "emoji": false,
                "text": "✅ Approve",
                "type": "plain_text"
              },
              "type": "button",
              "value": "tag1:approve"
            },
            {
              "action_id": "deny",
              "style": "danger",
              "text": {
                "emoji": false,
                "text": "❌ Deny",
                "type": "plain_text"
              },
              "type": "button",
              "value": "tag1:deny:3000"
            }
          ],
          "type": "actions"
        }
      ],
      "channel": "C012AB3CD",
      "link_names": false,
      "parse": "none",
      "text": "🔐 May I &lt;run&gt; &amp; go?\nin *here*\ngit push &lt;main&gt;\ntype `no` to skip",
      "unfurl_links": false,
      "unfurl_media": false
    }
    "#);
}

#[test]
fn a_revised_card_keeps_no_button_and_mentions_nobody() {
    let host = FakeHost::new().reply(200, POSTED);
    slack().revise(&host, message("1800000000.000100"), card("✅ Approved", vec![Block::Text("jin".into())])).unwrap();
    assert_snapshot!(host.sent(), @r#"
    Post https://slack.example/api/chat.update
    {
      "blocks": [
        {
          "elements": [
            {
              "elements": [
                {
                  "style": {
                    "bold": true
                  },
                  "text": "✅ Approved",
                  "type": "text"
                },
                {
                  "text": "\n",
                  "type": "text"
                },
                {
                  "text": "jin",
                  "type": "text"
                }
              ],
              "type": "rich_text_section"
            }
          ],
          "type": "rich_text"
        }
      ],
      "channel": "C012AB3CD",
      "link_names": false,
      "parse": "none",
      "text": "✅ Approved\njin",
      "ts": "1800000000.000100"
    }
    "#);
}

#[test]
fn a_reply_stands_in_the_thread_and_in_the_channel_unless_its_message_is_gone() {
    let reply = Card { reply_to: Some(message("1800000000.000001")), ..card("Why?", Vec::new()) };
    let host = FakeHost::new().reply(200, r#"{"ok":false,"error":"thread_not_found"}"#).reply(200, POSTED);
    slack().post(&host, channel(), reply).unwrap();
    let (first, second) = (sent(&host, 0), sent(&host, 1));
    assert_eq!(
        (first["thread_ts"].as_str(), first["reply_broadcast"].as_bool()),
        (Some("1800000000.000001"), Some(true))
    );
    assert!(second.get("thread_ts").is_none() && second.get("reply_broadcast").is_none(), "{second}");
}

#[test]
fn files_are_shared_before_the_card_and_not_again_when_it_is_posted_again() {
    let file =
        Attachment { name: "whole & all.txt".into(), media_type: "text/plain".into(), data: b"all of it".to_vec() };
    let card = Card { body: vec![Block::File(file)], ..card("Long", Vec::new()) };
    let place = r#"{"ok":true,"upload_url":"https://files.slack.com/upload/v1/x","file_id":"F1"}"#;
    let host = FakeHost::new()
        .reply(200, place)
        .reply(200, "OK - 9")
        .reply(200, r#"{"ok":true,"files":[{"id":"F1"}]}"#)
        .reply(502, "<html>")
        .reply(200, POSTED);
    let mut slack = slack();
    assert!(matches!(slack.post(&host, channel(), card.clone()), Err(Error::Unavailable(_))));
    slack.post(&host, channel(), card).unwrap();
    let requests = host.requests();
    let paths: Vec<_> = requests.iter().map(|request| request.url.rsplit('/').next().unwrap()).collect();
    let expected =
        ["files.getUploadURLExternal", "x", "files.completeUploadExternal", "chat.postMessage", "chat.postMessage"];
    assert_eq!(paths, expected);
    assert_eq!(String::from_utf8_lossy(&requests[0].body), "filename=whole%20%26%20all.txt&length=9");
    assert_eq!(requests[1].body, b"all of it");
    assert!(requests[1].headers.iter().all(|header| header.name != "authorization"), "the URL is secret enough");
}

#[test]
fn what_slack_cannot_show_whole_is_not_sent() {
    let host = FakeHost::new();
    let long = card("t", vec![Block::Code("x".repeat(8001))]);
    assert_eq!(slack().post(&host, channel(), long.clone()), Err(Error::TooLarge));
    assert_eq!(slack().revise(&host, message("1800000000.000100"), long), Err(Error::TooLarge));
    let many = (0..26).map(|number| choice(&format!("c{number}"), "x", Style::Secondary)).collect();
    assert_eq!(slack().post(&host, channel(), Card { choices: many, ..card("t", Vec::new()) }), Err(Error::TooLarge));
    assert!(host.requests().is_empty());
}

#[test]
fn a_notice_is_for_the_person_who_pressed_and_one_who_left_is_no_error() {
    let user = User { id: "U012AB3CD".into(), name: "jin".into(), is_bot: false };
    let (message, tag) = (message("1800000000.000100"), Some("tag1".into()));
    let press = Chosen { message, tag, choice: "deny".into(), user, token: String::new(), text: None };
    let host = FakeHost::new().reply(200, r#"{"ok":true}"#).reply(200, r#"{"ok":false,"error":"user_not_in_channel"}"#);
    slack().acknowledge(&host, press.clone(), None).unwrap();
    assert!(host.requests().is_empty());
    slack().acknowledge(&host, press.clone(), Some("Too <late>.".into())).unwrap();
    let told = sent(&host, 0);
    assert_eq!((told["user"].as_str(), told["text"].as_str()), (Some("U012AB3CD"), Some("Too &lt;late&gt;.")));
    assert_eq!(told["blocks"][0]["elements"][0]["elements"][0]["text"], "Too <late>.");
    slack().acknowledge(&host, press, Some("again".into())).unwrap();
}

#[test]
fn a_card_without_words_is_not_without_a_text() {
    let host = FakeHost::new().reply(200, POSTED);
    slack().post(&host, channel(), card("", vec![Block::Text(String::new())])).unwrap();
    assert_eq!(sent(&host, 0)["text"], "…");
}
