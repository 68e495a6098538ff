//! Files that people send.

use dmplz_provider_sdk::testing::FakeHost;
use dmplz_provider_sdk::{Error, Event, Provider, SentFile, Watch};

use crate::{answering, message, telegram};

/// Returns the files of a message with these fields.
fn files(fields: &str) -> Vec<SentFile> {
    let updates = format!(
        r#"{{"ok":true,"result":[{{"update_id":100,"message":{{"message_id":9,"date":1,"chat":{{"id":42}},
        "from":{{"id":42,"is_bot":false,"first_name":"A"}}{fields}}}}}]}}"#
    );
    let host = FakeHost::new().reply(200, updates);
    let watching = [Watch { message: message("42", 7), choices: Vec::new(), text: true }];
    let events = telegram().receive(&host, "", &watching, 0).unwrap().events;
    let files = events.into_iter().flat_map(|event| match event {
        Event::Said(said) => said.files,
        Event::Chosen(press) => panic!("a press: {press:?}"),
    });
    files.collect()
}

#[test]
fn every_kind_of_file_is_told_of_with_a_name() {
    for (fields, expected) in [
        (r#","document":{"file_id":"D1","file_name":"a b.pdf","file_size":5}"#, Some(("D1", "a b.pdf", Some(5)))),
        (r#","document":{"file_id":"D1","file_name":""}"#, Some(("D1", "file", None))),
        (
            r#","photo":[{"file_id":"S","file_size":1},{"file_id":"L","file_size":900}],"caption":"see""#,
            Some(("L", "photo.jpg", Some(900))),
        ),
        (r#","voice":{"file_id":"V","file_size":7}"#, Some(("V", "voice.ogg", Some(7)))),
        (r#","video":{"file_id":"V","file_name":"x.mov"}"#, Some(("V", "x.mov", None))),
        (r#","document":{"file_name":"no id"}"#, None),
        (r#","sticker":{"file_id":"S"}"#, None),
        (r#","text":"words""#, None),
    ] {
        let found = files(fields);
        let found = found.iter().map(|file| (file.id.as_str(), file.name.as_str(), file.size)).collect::<Vec<_>>();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{fields}");
    }
}

#[test]
fn a_file_is_where_telegram_says_and_the_token_is_a_placeholder() {
    let file = || SentFile { id: "D1".into(), name: "a.pdf".into(), size: None };
    let host = answering(r#"{"file_id":"D1","file_unique_id":"u","file_path":"documents/file 1?.pdf"}"#);
    let download = telegram().locate(&host, file()).unwrap();
    assert_eq!(download.url, "https://api.telegram.org/file/bot{secret:bot-token}/documents/file%201%3F.pdf");
    assert!(download.headers.is_empty());
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/getFile
    {
      "file_id": "D1"
    }
    "#);
    for (said, expected) in [
        ("Bad Request: file is too big", Error::TooLarge),
        ("Bad Request: invalid file_id", Error::NotFound),
        ("Bad Request: wrong file_id or the file is temporarily unavailable", Error::NotFound),
    ] {
        let refusal = format!(r#"{{"ok":false,"error_code":400,"description":"{said}"}}"#);
        assert_eq!(telegram().locate(&FakeHost::new().reply(400, refusal), file()), Err(expected), "{said}");
    }
}
