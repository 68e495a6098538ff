//! Files that people send.

use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::testing::FakeHost;
use dmplz_provider_sdk::{Event, Provider, SentFile, Watch};

use crate::{discord, message};

/// Returns the files of a message with these attachments.
fn files(attachments: &[Value]) -> Vec<SentFile> {
    let written = json!([{ "id": "301", "channel_id": "100", "type": 0, "content": "", "attachments": attachments,
        "author": { "id": "5", "username": "kim" } }]);
    let host = FakeHost::new().reply(200, written.to_string());
    let watching = [Watch { message: message(200), choices: Vec::new(), text: true }];
    let events = discord().receive(&host, "", &watching, 0).unwrap().events;
    let files = events.into_iter().flat_map(|event| match event {
        Event::Said(said) => said.files,
        Event::Chosen(press) => panic!("a press: {press:?}"),
    });
    files.collect()
}

#[test]
fn the_files_of_a_message_are_its_attachments() {
    let url = |number: u64| format!("https://cdn.discordapp.com/attachments/100/{number}/a.png?ex=1&hm=2");
    let attachment = |number| json!({ "id": "9", "filename": "a.png", "size": 12, "url": url(number) });
    let [file] = &files(&[attachment(1)])[..] else { panic!("one file") };
    assert_eq!((file.id.as_str(), file.name.as_str(), file.size), (url(1).as_str(), "a.png", Some(12)));
    let download = discord().locate(&FakeHost::new(), file.clone()).unwrap();
    assert_eq!((download.url, download.headers.len()), (url(1), 0), "its URL is signed, and needs no token");
    assert_eq!(files(&(0..12).map(attachment).collect::<Vec<_>>()).len(), 10);
    let long =
        json!({ "id": "9", "filename": "a.png", "url": format!("https://cdn.discordapp.com/{}", "x".repeat(512)) });
    assert_eq!(files(&[long, json!({ "filename": "a.png" }), json!(null)]), []);
}
