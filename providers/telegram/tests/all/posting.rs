use dmplz_provider_sdk::text::units;
use dmplz_provider_sdk::{Attachment, Block, Card, Choice, Error, OpenChat, Provider, TextField, serde_json};

use crate::{FakeHost, SENT, answering, card, choice, message, private_chat, telegram};

fn post(card: Card) -> String {
    let host = answering(SENT);
    assert_eq!(telegram().post(&host, private_chat(), card), Ok(message("42", 7)));
    host.sent()
}

#[test]
fn a_card_is_one_message_with_entities_and_a_row_of_buttons() {
    let mut card = card(
        "🔐 권한 요청",
        vec![
            Block::Text("도구: Bash".into()),
            Block::Code("rm -rf *_`[x](y)` <b>😀</b>".into()),
            Block::Hint("건너뛰려면 `no_reason` 입력".into()),
        ],
    );
    card.choices = vec![choice("approve", "✅ 승인"), choice("session", "🔄 세션 허용"), choice("deny", "❌ 거부")];
    insta::assert_snapshot!(post(card), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/sendMessage
    {
      "chat_id": 42,
      "entities": [
        {
          "length": 8,
          "offset": 0,
          "type": "bold"
        },
        {
          "length": 27,
          "offset": 18,
          "type": "pre"
        },
        {
          "length": 9,
          "offset": 52,
          "type": "code"
        }
      ],
      "link_preview_options": {
        "is_disabled": true
      },
      "reply_markup": {
        "inline_keyboard": [
          [
            {
              "callback_data": "tag1:approve",
              "text": "✅ 승인"
            },
            {
              "callback_data": "tag1:session",
              "text": "🔄 세션 허용"
            },
            {
              "callback_data": "tag1:deny",
              "text": "❌ 거부"
            }
          ]
        ]
      },
      "text": "🔐 권한 요청\n도구: Bash\nrm -rf *_`[x](y)` <b>😀</b>\n건너뛰려면 no_reason 입력"
    }
    "#);
}

#[test]
fn no_word_of_a_text_is_a_command_or_a_mention() {
    let text = "in /home/user/project: ask @mina (or /stop@bot), a/b, me@mail.example, 1 / 2 and @ alone";
    let live = |card: Card| {
        let sent = post(card);
        let body: serde_json::Value = serde_json::from_str(sent.split_once('\n').unwrap().1).unwrap();
        let shown: Vec<u16> = body["text"].as_str().unwrap().encode_utf16().collect();
        let entities = body["entities"].as_array().unwrap().iter();
        let at = |entity: &serde_json::Value, key: &str| usize::try_from(entity[key].as_u64().unwrap()).unwrap();
        let code = entities.filter(|entity| entity["type"] == "code").map(|entity| {
            let begin = at(entity, "offset");
            String::from_utf16(&shown[begin..begin + at(entity, "length")]).unwrap()
        });
        code.collect::<Vec<_>>()
    };
    assert_eq!(live(card("😀 title", vec![Block::Text(text.into())])), ["/home/user/project:", "@mina", "/stop@bot),"]);
    // Telegram takes a hundred entities.
    let many = live(card("t", vec![Block::Text("@mina ".repeat(200))]));
    assert!(many.len() < 100, "{}", many.len());
}

#[test]
fn long_labels_get_a_row_each() {
    let mut card = card("t", vec![]);
    card.choices = vec![choice("a", "✅ Approve"), choice("s", "🔄 Allow for this session"), choice("d", "❌ Deny")];
    let sent = post(card);
    let body: serde_json::Value = serde_json::from_str(sent.split_once('\n').unwrap().1).unwrap();
    let rows = body["reply_markup"]["inline_keyboard"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row.as_array().unwrap().len()).collect::<Vec<_>>(), [1, 1, 1]);
}

#[test]
fn rows_stand_as_they_are_asked_for_and_what_asks_for_words_is_a_button_like_any() {
    let row = |row, choice: Choice| Choice { row, ..choice };
    let field =
        TextField { title: "Tell Claude".into(), label: "Instead".into(), placeholder: String::new(), max: 4000 };
    let options = ["1", "2", "3", "4", "5"].map(|number| row(1, choice(&format!("o{number}"), number)));
    let mut card = card("t", vec![]);
    card.choices = vec![row(0, choice("approve", "✅ 승인")), row(0, choice("deny", "❌ 거부"))];
    card.choices.extend(options);
    card.choices.push(row(2, choice("always", "✅ 예, 이 프로젝트(나만)에서 항상 <Bash> 허용")));
    card.choices.push(row(2, choice("scope", "🔁 범위")));
    card.choices.push(Choice { field: Some(field), ..row(3, choice("tell", "✏️ 대신 할 일 알려주기")) });
    let sent = post(card);
    let body: serde_json::Value = serde_json::from_str(sent.split_once('\n').unwrap().1).unwrap();
    let rows = body["reply_markup"]["inline_keyboard"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row.as_array().unwrap().len()).collect::<Vec<_>>(), [2, 5, 1, 1, 1]);
    assert_eq!(rows[4][0], serde_json::json!({ "text": "✏️ 대신 할 일 알려주기", "callback_data": "tag1:tell" }));
}

#[test]
fn text_and_keyboard_change_together() {
    let host = answering(SENT);
    let mut card = card("Scope: all projects", vec![]);
    card.choices = vec![choice("scope", "🔁 all projects")];
    assert_eq!(telegram().revise(&host, message("42", 7), card), Ok(()));
    let [request] = host.requests().try_into().unwrap_or_else(|_| panic!("one request"));
    let sent = host.sent();
    assert!(request.url.ends_with("/editMessageText"), "{sent}");
    assert!(sent.contains("Scope: all projects") && sent.contains("tag1:scope"), "{sent}");
}

#[test]
fn the_longest_tag_and_choice_make_a_payload_that_telegram_takes() {
    let mut card = card("t", vec![]);
    (card.tag, card.choices) = ("T".repeat(22), vec![choice(&"c".repeat(16), "x")]);
    assert!(post(card).contains(&format!("{}:{}", "T".repeat(22), "c".repeat(16))));
}

#[test]
fn a_silent_card_is_sent_without_a_notification() {
    let silent = Card { silent: true, ..card("t", vec![]) };
    assert!(
        post(silent).contains("\"disable_notification\": true")
            && !post(card("t", vec![])).contains("disable_notification")
    );
}

#[test]
fn a_prompt_answers_its_card_and_never_forces_a_reply() {
    let mut card = card("", vec![Block::Text("거부 사유를 입력해주세요 (선택).".into())]);
    card.wants_text = true;
    card.reply_to = Some(message("42", 5));
    card.choices = vec![choice("skip", "사유 없이 거부")];
    insta::assert_snapshot!(post(card), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/sendMessage
    {
      "chat_id": 42,
      "link_preview_options": {
        "is_disabled": true
      },
      "reply_markup": {
        "inline_keyboard": [
          [
            {
              "callback_data": "tag1:skip",
              "text": "사유 없이 거부"
            }
          ]
        ]
      },
      "reply_parameters": {
        "allow_sending_without_reply": true,
        "message_id": 5
      },
      "text": "거부 사유를 입력해주세요 (선택)."
    }
    "#);
}

#[test]
fn a_reply_to_another_chat_is_left_out() {
    let mut card = card("t", vec![]);
    card.reply_to = Some(message("-100", 5));
    assert!(!post(card).contains("reply_parameters"));
}

#[test]
fn entity_offsets_count_utf_16_units() {
    for (title, code) in [("", "x"), ("😀", "😀"), ("a\u{10FFFF}가", "👨‍👩‍👧"), ("e\u{301}", "\u{1F1F0}\u{1F1F7}")]
    {
        let sent = post(card(title, vec![Block::Text("𝒳y".into()), Block::Code(code.into())]));
        let body: serde_json::Value = serde_json::from_str(sent.split_once('\n').unwrap().1).unwrap();
        let text = body["text"].as_str().unwrap().encode_utf16().collect::<Vec<_>>();
        let pre = body["entities"].as_array().unwrap().iter().find(|entity| entity["type"] == "pre").unwrap();
        let (offset, length) = (pre["offset"].as_u64().unwrap() as usize, pre["length"].as_u64().unwrap() as usize);
        assert_eq!(String::from_utf16(&text[offset..offset + length]).unwrap(), code, "{title:?}");
    }
}

#[test]
fn the_longest_message_goes_out_and_one_unit_more_is_too_large_before_any_request() {
    for (character, count) in [("x", 4096), ("😀", 2048)] {
        let text = character.repeat(count);
        assert_eq!(units(&text), 4096);
        post(card("", vec![Block::Text(text.clone())]));
        let host = FakeHost::new();
        let result = telegram().post(&host, private_chat(), card("", vec![Block::Text(text + "x")]));
        assert_eq!((result, host.requests().len()), (Err(Error::TooLarge), 0));
    }
}

#[test]
fn a_payload_that_telegram_would_refuse_is_never_sent() {
    for (tag, id) in
        [("tag:1", "a"), ("", "a"), ("tag", ""), ("tag", "A"), ("a234567890123456789012", "1234567890123456-")]
    {
        let mut card = card("t", vec![]);
        card.tag = tag.into();
        card.choices = vec![choice(id, "x")];
        let host = FakeHost::new();
        let result = telegram().post(&host, private_chat(), card);
        assert!(matches!(result, Err(Error::Rejected(Some(_)))), "{tag:?} {id:?}: {result:?}");
        assert_eq!(host.requests().len(), 0);
    }
}

fn file(name: &str, data: &str) -> Block {
    Block::File(Attachment { name: name.into(), media_type: "text/plain; charset=utf-8".into(), data: data.into() })
}

#[test]
fn files_go_ahead_in_silence_and_the_card_answers_the_last_of_them() {
    let host = FakeHost::new()
        .reply(200, r#"{"ok":true,"result":{"message_id":5,"chat":{"id":42}}}"#)
        .reply(200, format!(r#"{{"ok":true,"result":{SENT}}}"#));
    let card = card("전체 내용은 파일에", vec![file("command.txt", "echo \"\u{1F600}\"")]);
    assert_eq!(telegram().post(&host, private_chat(), card), Ok(message("42", 7)));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/sendDocument
    --dmplz-boundary-00000000
    Content-Disposition: form-data; name="chat_id"

    42
    --dmplz-boundary-00000000
    Content-Disposition: form-data; name="disable_notification"

    true
    --dmplz-boundary-00000000
    Content-Disposition: form-data; name="disable_content_type_detection"

    true
    --dmplz-boundary-00000000
    Content-Disposition: form-data; name="document"; filename="command.txt"
    Content-Type: text/plain; charset=utf-8

    echo "😀"
    --dmplz-boundary-00000000--


    Post https://api.telegram.org/bot{secret:bot-token}/sendMessage
    {
      "chat_id": 42,
      "entities": [
        {
          "length": 10,
          "offset": 0,
          "type": "bold"
        }
      ],
      "link_preview_options": {
        "is_disabled": true
      },
      "reply_parameters": {
        "allow_sending_without_reply": true,
        "message_id": 5
      },
      "text": "전체 내용은 파일에"
    }
    "#);
}

#[test]
fn a_file_that_got_through_is_not_sent_again_with_the_same_card() {
    let mut telegram = telegram();
    let card = card("t", vec![file("a.txt", "a"), file("b.txt", "b")]);
    let host = FakeHost::new().reply(200, r#"{"ok":true,"result":{"message_id":5,"chat":{"id":42}}}"#).reply(
        429,
        r#"{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":3}}"#,
    );
    assert_eq!(telegram.post(&host, private_chat(), card.clone()), Err(Error::RateLimited(Some(3000))));
    let host = FakeHost::new()
        .reply(200, r#"{"ok":true,"result":{"message_id":6,"chat":{"id":42}}}"#)
        .reply(200, format!(r#"{{"ok":true,"result":{SENT}}}"#));
    assert_eq!(telegram.post(&host, private_chat(), card), Ok(message("42", 7)));
    let sent = host.sent();
    assert!(!sent.contains("a.txt") && sent.contains("b.txt") && sent.contains(r#""message_id": 6"#), "{sent}");
}

#[test]
fn a_file_larger_than_a_request_takes_is_too_large_before_any_request() {
    let host = FakeHost::new();
    let file = Attachment { name: "x".into(), media_type: "text/plain".into(), data: vec![0; (24 << 20) + 1] };
    let result = telegram().post(&host, private_chat(), card("t", vec![Block::File(file)]));
    assert_eq!((result, host.requests().len()), (Err(Error::TooLarge), 0));
}

#[test]
fn a_group_is_addressed_by_its_number_to_the_last_digit() {
    let host = answering(r#"{"message_id":9,"chat":{"id":-9007199254740993}}"#);
    let chat = OpenChat { id: "-9007199254740993".into(), owner: None };
    assert_eq!(telegram().post(&host, chat, card("t", vec![])), Ok(message("-9007199254740993", 9)));
    assert!(host.sent().contains("\"chat_id\": -9007199254740993"));
}

#[test]
fn a_revised_card_without_choices_takes_the_buttons_away() {
    let host = answering(SENT);
    let card = card("✅ 승인됨", vec![Block::Code("ls".into()), file("a.txt", "not again")]);
    assert_eq!(telegram().revise(&host, message("42", 7), card), Ok(()));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/editMessageText
    {
      "chat_id": 42,
      "entities": [
        {
          "length": 5,
          "offset": 0,
          "type": "bold"
        },
        {
          "length": 2,
          "offset": 6,
          "type": "pre"
        }
      ],
      "link_preview_options": {
        "is_disabled": true
      },
      "message_id": 7,
      "text": "✅ 승인됨\nls"
    }
    "#);
}

#[test]
fn a_card_that_shows_already_is_no_error() {
    let reply = r#"{"ok":false,"error_code":400,"description":"Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"}"#;
    let host = FakeHost::new().reply(400, reply);
    assert_eq!(telegram().revise(&host, message("42", 7), card("t", vec![])), Ok(()));
}
