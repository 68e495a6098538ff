use dmplz_provider_sdk::serde_json::{self, Value, json};
use dmplz_provider_sdk::{Error, Event, MessageRef, Provider, Said, User, Watch};

use crate::{FakeHost, discord, message};

fn watch(chat: &str, id: u64) -> Watch {
    let message = MessageRef { chat: chat.into(), id: id.to_string(), sequence: id };
    Watch { message, choices: Vec::new(), text: true }
}

/// Returns a message of a person, with further fields.
fn written(id: u64, fields: Value) -> Value {
    let mut message = json!({
        "id": id.to_string(), "channel_id": "100", "type": 0, "content": "words", "attachments": [], "embeds": [],
        "components": [], "author": { "id": "5", "username": "kim", "global_name": "Kim" },
    });
    for (key, value) in fields.as_object().unwrap() {
        message[key] = value.clone();
    }
    message
}

fn receive(cursor: &str, messages: &[Value]) -> (Vec<Said>, String, FakeHost) {
    let host = FakeHost::new().reply(200, Value::from(messages));
    let batch = discord().receive(&host, cursor, &[watch("100", 200)], 0).unwrap();
    let said = batch.events.into_iter().map(|event| match event {
        Event::Said(said) => said,
        Event::Chosen(chosen) => panic!("a press: {chosen:?}"),
    });
    (said.collect(), batch.cursor, host)
}

#[test]
fn texts_come_oldest_first_and_the_cursor_is_the_newest() {
    let reply = json!({ "type": 19, "message_reference": { "message_id": "200" }, "content": "둘 😀\n\"x\"" });
    let (said, cursor, host) = receive("", &[written(303, json!({})), written(302, reply), written(301, json!({}))]);
    let ids = said.iter().map(|said| said.message.sequence).collect::<Vec<_>>();
    assert_eq!((ids, cursor.as_str()), (vec![301, 302, 303], "100:303"));
    let expected = Said {
        message: message(302),
        reply_to: Some(message(200)),
        user: User { id: "5".into(), name: "Kim".into(), is_bot: false },
        text: "둘 😀\n\"x\"".into(),
        files: Vec::new(),
    };
    assert_eq!(said[1], expected);
    insta::assert_snapshot!(host.sent(), @"Get https://discord.com/api/v10/channels/100/messages?after=200&limit=100");
}

#[test]
fn reading_goes_on_after_the_later_of_cursor_and_card() {
    for (cursor, after) in [("", 200), ("100:150", 200), ("100:250", 250), ("7:250", 200), ("junk,100:x,:", 200)] {
        let (_, next, host) = receive(cursor, &[]);
        let expected = format!("https://discord.com/api/v10/channels/100/messages?after={after}&limit=100");
        assert_eq!(host.requests()[0].url, expected, "{cursor}");
        assert_eq!(next, if cursor.starts_with("100:") && !cursor.ends_with('x') { cursor } else { "" }, "{cursor}");
    }
}

#[test]
fn a_channel_is_read_once_from_its_oldest_card_on() {
    let host = FakeHost::new().reply(200, "[]").reply(200, "[]");
    let watching = [watch("100", 300), watch("100", 200), watch("101", 250), watch("100", 400)];
    discord().receive(&host, "", &watching, 0).unwrap();
    insta::assert_snapshot!(host.sent(), @"
    Get https://discord.com/api/v10/channels/100/messages?after=200&limit=100

    Get https://discord.com/api/v10/channels/101/messages?after=250&limit=100
    ");
}

#[test]
fn the_cursor_stays_small_however_many_channels_are_read() {
    let channels = (0..60_u64).map(|number| 1_000_000_000_000_000_000 + number).collect::<Vec<_>>();
    let watching = channels.iter().map(|channel| watch(&channel.to_string(), 200)).collect::<Vec<_>>();
    let newest = written(18_000_000_000_000_000_000, json!({}));
    let host = channels.iter().fold(FakeHost::new(), |host, _| host.reply(200, json!([newest])));
    let cursor = discord().receive(&host, "", &watching, 0).unwrap().cursor;
    assert!((900..=1024).contains(&cursor.len()), "{}", cursor.len());
}

#[test]
fn whoever_is_no_person_is_a_bot() {
    for (fields, is_bot) in [
        (json!({}), false),
        (json!({ "author": { "id": "5", "username": "x", "bot": true } }), true),
        (json!({ "author": { "id": "5", "username": "x", "system": true } }), true),
        (json!({ "webhook_id": "9" }), true),
    ] {
        let (said, ..) = receive("", &[written(301, fields.clone())]);
        assert_eq!(said.iter().map(|said| said.user.is_bot).collect::<Vec<_>>(), [is_bot], "{fields}");
    }
}

#[test]
fn a_person_whose_text_is_withheld_wrote_something_unreadable() {
    let (said, _, host) = receive("", &[written(301, json!({ "content": "" }))]);
    assert_eq!(said.iter().map(|said| said.text.as_str()).collect::<Vec<_>>(), [""]);
    assert_eq!(host.lines(), ["Warn: a message came without its text: the bot lacks the message content intent"]);
}

#[test]
fn what_has_no_words_is_no_text_and_is_passed() {
    for fields in [
        json!({ "content": "", "attachments": [{ "id": "1" }] }),
        json!({ "content": "", "sticker_items": [{ "id": "1" }] }),
        json!({ "content": "", "poll": {} }),
        json!({ "content": "", "message_snapshots": [{}] }),
        json!({ "content": "", "author": { "id": "5", "username": "x", "bot": true } }),
        json!({ "type": 6 }),
        json!({ "type": 18 }),
        json!({ "author": null }),
    ] {
        let (said, cursor, host) = receive("", &[written(301, fields.clone())]);
        assert_eq!((said, cursor.as_str(), host.lines().len()), (vec![], "100:301", 0), "{fields}");
    }
}

#[test]
fn messages_that_make_no_sense_are_passed_and_a_reply_that_makes_none_is_asked_again() {
    let (said, cursor, _) = receive("", &[json!(7), json!({ "id": 301 }), json!({}), written(302, json!({}))]);
    assert_eq!((said.len(), cursor.as_str()), (1, "100:302"));
    let host = FakeHost::new().reply(200, "{}");
    let result = discord().receive(&host, "", &[watch("100", 200)], 0);
    assert!(matches!(result, Err(Error::Unavailable(Some(_)))), "{result:?}");
}

#[test]
fn ids_are_exact_to_64_bits() {
    let (said, cursor, _) = receive("", &[written(18_446_744_073_709_551_615, json!({}))]);
    assert_eq!(said[0].message.sequence, u64::MAX);
    assert_eq!(cursor, "100:18446744073709551615");
    assert!(serde_json::from_str::<Value>(&cursor).is_err(), "a cursor is no JSON");
}
