use dmplz_provider_sdk::http::HttpError;
use dmplz_provider_sdk::{Chosen, Error, Event, Provider, Said, User, Watch, serde_json};

use crate::{FakeHost, answering, message, telegram};

fn watching(chat: &str) -> Vec<Watch> {
    vec![Watch { message: message(chat, 7), choices: Vec::new(), text: true }]
}

fn person(id: &str, name: &str) -> User {
    User { id: id.into(), name: name.into(), is_bot: false }
}

/// Returns the events, the cursor and the requests of one reply to `getUpdates`, watching the chat 42.
fn receive(updates: &str) -> (Vec<Event>, String, Vec<String>) {
    let host = answering(updates);
    let batch = telegram().receive(&host, "100", &watching("42"), 25_000).unwrap();
    (batch.events, batch.cursor, host.lines())
}

#[test]
fn a_reply_that_is_too_large_is_asked_for_in_smaller_ones() {
    let host =
        FakeHost::new().fail(HttpError::TooLarge).fail(HttpError::TooLarge).reply(200, r#"{"ok":true,"result":[]}"#);
    telegram().receive(&host, "100", &watching("42"), 25_000).unwrap();
    let asked =
        host.requests().into_iter().map(|request| serde_json::from_slice::<serde_json::Value>(&request.body).unwrap());
    assert_eq!(asked.map(|body| body["limit"].clone()).collect::<Vec<_>>(), [100, 20, 1]);
}

#[test]
fn a_long_poll_asks_for_presses_and_messages_from_the_cursor_on() {
    let host = answering("[]");
    let batch = telegram().receive(&host, "100", &watching("42"), 25_900).unwrap();
    assert_eq!((batch.events, batch.cursor.as_str(), host.slept()), (vec![], "100", 0));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/getUpdates
    {
      "allowed_updates": [
        "callback_query",
        "message"
      ],
      "limit": 100,
      "offset": 100,
      "timeout": 25
    }
    "#);
    assert_eq!(host.requests()[0].timeout, Some(30_900));
}

#[test]
fn the_wait_is_bounded_by_telegram_by_the_call_and_by_the_host() {
    for (wait, slept_before, seconds) in [(600_000, 0, 50), (25_000, 0, 25), (25_000, 50_000, 9), (0, 0, 0)] {
        let host = answering("[]");
        dmplz_provider_sdk::Host::sleep(&host, slept_before);
        telegram().receive(&host, "", &[], wait).unwrap();
        let body: serde_json::Value = serde_json::from_slice(&host.requests()[0].body).unwrap();
        assert_eq!((&body["timeout"], &body["offset"]), (&seconds.into(), &serde_json::Value::Null), "{wait}");
    }
}

#[test]
fn a_wait_under_a_second_is_slept_so_that_the_host_does_not_spin() {
    let host = answering("[]");
    telegram().receive(&host, "", &[], 400).unwrap();
    assert_eq!(host.slept(), 400);
    let host = answering(r#"[{"update_id":1}]"#);
    telegram().receive(&host, "", &[], 400).unwrap();
    assert_eq!(host.slept(), 0);
}

#[test]
fn a_press_names_card_choice_and_person_in_any_chat() {
    let (events, cursor, _) = receive(
        r#"[{"update_id":100,"callback_query":{"id":"4382bfdwdsb323b2d9","from":{"id":9007199254740993,"is_bot":false,
        "first_name":"김","last_name":"철수","username":"kim"},"chat_instance":"1","data":"tag1:approve",
        "message":{"message_id":7,"date":1,"chat":{"id":-100123,"type":"supergroup","title":"t"},"text":"x"}}}]"#,
    );
    let chosen = Chosen {
        message: message("-100123", 7),
        tag: Some("tag1".into()),
        choice: "approve".into(),
        user: person("9007199254740993", "김 철수"),
        token: "4382bfdwdsb323b2d9".into(),
        text: None,
    };
    assert_eq!((events, cursor.as_str()), (vec![Event::Chosen(chosen)], "101"));
}

#[test]
fn a_press_on_a_message_that_is_no_longer_accessible_still_counts() {
    let (events, ..) = receive(
        r#"[{"update_id":100,"callback_query":{"id":"1","from":{"id":5,"is_bot":false,"first_name":"A"},
        "chat_instance":"1","data":"tag1:deny","message":{"message_id":7,"date":0,"chat":{"id":42,"type":"private"}}}}]"#,
    );
    assert!(matches!(&events[..], [Event::Chosen(chosen)] if chosen.message == message("42", 7)), "{events:?}");
}

#[test]
fn a_text_of_a_watched_chat_is_reported_with_what_it_answers() {
    let (events, ..) = receive(
        r#"[{"update_id":100,"message":{"message_id":9,"date":1,"chat":{"id":42,"type":"private"},
        "from":{"id":42,"is_bot":false,"first_name":"A"},"text":"위험\n\"해요\" 😀",
        "reply_to_message":{"message_id":8,"date":1,"chat":{"id":42,"type":"private"},"text":"?"}}}]"#,
    );
    let said = Said {
        message: message("42", 9),
        reply_to: Some(message("42", 8)),
        user: person("42", "A"),
        text: "위험\n\"해요\" 😀".into(),
        files: Vec::new(),
    };
    assert_eq!(events, vec![Event::Said(said)]);
}

#[test]
fn only_words_are_texts() {
    let in_chat = |rest: &str| {
        format!(
            r#"[{{"update_id":100,"message":{{"message_id":9,"date":1,"chat":{{"id":42}},
            "from":{{"id":42,"is_bot":false,"first_name":"A"}}{rest}}}}}]"#
        )
    };
    for (rest, expected) in [
        (r#","text":"words""#, Some("words")),
        (r#","photo":[{}],"caption":"a caption""#, Some("a caption")),
        (r#","photo":[{}]"#, None),
        (r#","sticker":{}"#, None),
        (r#","new_chat_members":[]"#, None),
    ] {
        let (events, cursor, lines) = receive(&in_chat(rest));
        let text = events.iter().map(|event| match event {
            Event::Said(said) => said.text.as_str(),
            Event::Chosen(_) => "a press",
        });
        assert_eq!(text.collect::<Vec<_>>(), expected.into_iter().collect::<Vec<_>>(), "{rest}");
        assert_eq!((cursor.as_str(), lines.len()), ("101", 0), "{rest}");
    }
}

#[test]
fn what_is_no_answer_is_passed_and_the_cursor_goes_on() {
    let from = r#""from":{"id":42,"is_bot":false,"first_name":"A"}"#;
    let message = r#""message":{"message_id":7,"chat":{"id":42}}"#;
    for update in [
        r#"{"update_id":100}"#.to_owned(),
        r#"{"update_id":100,"a_kind_of_next_year":{"id":1}}"#.to_owned(),
        format!(r#"{{"update_id":100,"edited_message":{{"message_id":9,"chat":{{"id":42}},{from},"text":"x"}}}}"#),
        format!(r#"{{"update_id":100,"message":{{"message_id":9,"chat":{{"id":43}},{from},"text":"elsewhere"}}}}"#),
        r#"{"update_id":100,"message":{"message_id":9,"chat":{"id":42},"text":"nobody"}}"#.to_owned(),
        format!(r#"{{"update_id":100,"callback_query":{{"id":"1",{from},{message},"data":"somebody-elses"}}}}"#),
        format!(r#"{{"update_id":100,"callback_query":{{"id":"1",{from},{message},"data":"a:b:c"}}}}"#),
        format!(r#"{{"update_id":100,"callback_query":{{"id":"1",{from},{message},"game_short_name":"g"}}}}"#),
        format!(
            r#"{{"update_id":100,"callback_query":{{"id":"1",{from},"inline_message_id":"i","data":"tag1:deny"}}}}"#
        ),
        format!(r#"{{"update_id":100,"callback_query":{{"id":1,{from},{message},"data":"tag1:deny"}}}}"#),
        r#"{"update_id":100,"callback_query":7}"#.to_owned(),
    ] {
        let (events, cursor, _) = receive(&format!("[{update}]"));
        assert_eq!((events, cursor.as_str()), (vec![], "101"), "{update}");
    }
}

#[test]
fn updates_are_read_by_their_number_however_they_come() {
    let press = |id: u32, choice: &str| {
        format!(
            r#"{{"update_id":{id},"callback_query":{{"id":"{id}","from":{{"id":5,"is_bot":false,"first_name":"A"}},
            "data":"tag1:{choice}","message":{{"message_id":7,"chat":{{"id":42}}}}}}}}"#
        )
    };
    let (events, cursor, lines) =
        receive(&format!(r#"[{},{},{{"no":"number"}},{}]"#, press(103, "c"), press(101, "a"), press(102, "b")));
    let choices = events.iter().map(|event| match event {
        Event::Chosen(chosen) => chosen.choice.as_str(),
        Event::Said(_) => "a text",
    });
    assert_eq!((choices.collect::<Vec<_>>(), cursor.as_str()), (vec!["a", "b", "c"], "104"));
    assert_eq!(lines, ["Warn: passed an update without an id"]);
}

#[test]
fn a_chat_that_speaks_and_a_message_that_was_scheduled_are_no_person() {
    for sign in [r#""sender_chat":{"id":-1}"#, r#""is_from_offline":true"#] {
        let (events, ..) = receive(&format!(
            r#"[{{"update_id":100,"message":{{"message_id":9,"chat":{{"id":42}},"text":"x",{sign},
            "from":{{"id":777000,"is_bot":false,"first_name":"Telegram"}}}}}}]"#
        ));
        assert!(matches!(&events[..], [Event::Said(said)] if said.user.is_bot), "{sign}: {events:?}");
    }
}

#[test]
fn a_person_without_a_visible_name_has_their_username() {
    let (events, ..) = receive(
        r#"[{"update_id":100,"message":{"message_id":9,"chat":{"id":42},"text":"x",
        "from":{"id":1,"is_bot":false,"first_name":" ","username":"kim"}}}]"#,
    );
    assert!(matches!(&events[..], [Event::Said(said)] if said.user == person("1", "kim")), "{events:?}");
}

#[test]
fn a_hundred_of_the_longest_messages_are_read() {
    let text = "가".repeat(4096);
    let updates = (0..100).map(|id| {
        format!(
            r#"{{"update_id":{id},"message":{{"message_id":{id},"chat":{{"id":42}},"text":"{text}",
            "from":{{"id":42,"is_bot":false,"first_name":"A"}}}}}}"#
        )
    });
    let (events, cursor, _) = receive(&format!("[{}]", updates.collect::<Vec<_>>().join(",")));
    assert_eq!((events.len(), cursor.as_str()), (100, "100"));
}

#[test]
fn a_cursor_of_nobody_starts_over_and_says_so() {
    let host = answering("[]");
    let batch = telegram().receive(&host, "not a number", &[], 0).unwrap();
    assert_eq!(batch.cursor, "not a number");
    assert!(!host.sent().contains("offset"));
    assert_eq!(host.lines().len(), 1);
}

#[test]
fn an_end_of_time_is_told_as_such() {
    for (error, expected) in [
        (HttpError::Deadline, Error::Deadline),
        (HttpError::Timeout, Error::Unavailable(Some("no reply in time".into()))),
        (HttpError::Unreachable("reset".into()), Error::Unavailable(Some("reset".into()))),
        (HttpError::Refused("origin".into()), Error::Refused("origin".into())),
    ] {
        assert_eq!(telegram().receive(&FakeHost::new().fail(error), "", &[], 0), Err(expected));
    }
}
