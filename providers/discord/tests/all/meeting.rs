use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::{Chat, Greeting, Provider};

use crate::gateway::{at, dispatch, greeted, hello, host, pressed, ready, sessions};
use crate::{FakeHost, gateway};

fn written(sequence: u64, content: &str, guild: Option<&str>) -> Value {
    let author = json!({ "id": "5", "username": "kim", "global_name": "Kim" });
    let mut message = json!({ "id": "900", "channel_id": "100", "author": author, "content": content });
    if let Some(guild) = guild {
        message["guild_id"] = guild.into();
    }
    dispatch("MESSAGE_CREATE", sequence, message)
}

/// Formats a greeting: who wrote which code, and where.
fn line(greeting: &Greeting) -> String {
    let (kind, id) = match &greeting.chat {
        Chat::Room(id) => ("room", id),
        Chat::Person(id) => ("person", id),
    };
    format!("{kind} {id} {} {}: {}", greeting.user.id, greeting.user.name, greeting.code)
}

#[test]
fn the_bot_is_invited_with_the_rights_that_it_needs_and_told_the_code() {
    let application = json!({ "id": "77", "flags": 0, "bot": { "id": "78", "username": "approvals", "bot": true } });
    let greets = dmplz_provider_sdk::testing::FakeSocket::new().frame(hello(41_250));
    let host = FakeHost::new().reply(200, application).reply(200, sessions(999)).socket(greets);
    let found = gateway().introduce(&host, "c0de").unwrap().unwrap();
    let invite = "https://discord.com/oauth2/authorize?client_id=77&scope=bot&permissions=309237763136";
    assert_eq!((found.invite.as_deref(), found.link, found.message.as_str()), (Some(invite), None, "c0de"));
    assert_eq!((found.bot.id.as_str(), found.bot.name.as_str()), ("78", "approvals"));
    assert!(found.checks.iter().all(|check| check.ok), "{:?}", found.checks);
}

#[test]
fn a_meeting_hears_direct_messages_and_mentions_and_presses_are_no_greetings() {
    let frames = greeted()
        .frame(ready())
        .frame(written(2, "c0de", None))
        .frame(written(3, "<@78>  c0de ", Some("9")))
        .frame(written(4, "", Some("9")))
        .frame(written(5, "", None));
    let host = host().socket(frames);
    let met = gateway().meet(&host, "", 25_000).unwrap();
    let lines: Vec<String> = met.greetings.iter().map(line).collect();
    assert_eq!(lines, ["person 5 5 Kim: c0de", "room 100 5 Kim: c0de", "person 5 5 Kim: "]);
    assert_eq!(met.cursor, at(5));
    assert!(host.frames()[1].contains(r#""intents":4608,"#), "{:?}", host.frames());
    let host = crate::gateway::host().reply(204, "").socket(greeted().frame(ready()).frame(pressed(2, "tag1:deny")));
    assert_eq!(gateway().meet(&host, "", 25_000).unwrap().greetings, []);
}

#[test]
fn what_is_written_is_nothing_to_a_desk() {
    let host = host().socket(greeted().frame(ready()).frame(written(2, "hello", None)));
    let batch = gateway().receive(&host, "", &[], 25_000).unwrap();
    assert_eq!((batch.events, batch.cursor), (vec![], at(2)));
}
