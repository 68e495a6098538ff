use dmplz_provider_sdk::serde_json::json;
use dmplz_provider_sdk::{Command, Error, Event, OpenChat, Provider, Watch, Words};

use crate::gateway::{dispatch, greeted, host, ready};
use crate::{FakeHost, SENT, card, channel, discord, gateway, message};

fn thread() -> OpenChat {
    OpenChat { id: "300".into(), owner: None }
}

/// What Discord refuses with, and its code.
fn refused(code: u32) -> String {
    json!({ "code": code, "message": "no" }).to_string()
}

#[test]
fn a_thread_is_opened_without_a_message_in_a_channel_of_texts() {
    let host = FakeHost::new().reply(200, r#"{"id":"100","type":0}"#).reply(201, r#"{"id":"300","type":11}"#);
    assert_eq!(discord().open_thread(&host, channel(), "site · *fix*"), Ok(Some(thread())));
    insta::assert_snapshot!(host.sent(), @r#"
    Get https://discord.com/api/v10/channels/100

    Post https://discord.com/api/v10/channels/100/threads
    {
      "auto_archive_duration": 10080,
      "name": "site · *fix*",
      "type": 11
    }
    "#);
    for kind in [1, 2, 11, 15] {
        let host = FakeHost::new().reply(200, format!(r#"{{"id":"100","type":{kind}}}"#));
        assert_eq!(discord().open_thread(&host, channel(), "site"), Ok(None), "{kind}");
    }
    let direct = OpenChat { owner: Some("5".into()), ..channel() };
    assert_eq!(discord().open_thread(&FakeHost::new(), direct, "site"), Ok(None));
    let host = FakeHost::new().reply(200, r#"{"id":"100","type":0}"#).reply(403, refused(50013));
    let error = discord().open_thread(&host, channel(), "site").unwrap_err();
    assert!(matches!(&error, Error::Denied(Some(why)) if why.contains("CREATE_PUBLIC_THREADS")), "{error:?}");
}

#[test]
fn a_thread_is_closed_by_archiving_it() {
    let host = FakeHost::new().reply(200, r#"{"id":"300"}"#);
    assert_eq!(discord().set_thread(&host, thread(), "over", true), Ok(()));
    insta::assert_snapshot!(host.sent(), @r#"
    Patch https://discord.com/api/v10/channels/300
    {
      "archived": true,
      "name": "over"
    }
    "#);
    let archived = FakeHost::new().reply(400, refused(50083));
    assert_eq!(discord().set_thread(&archived, thread(), "over", true), Ok(()), "somebody archived it before");
    let gone = FakeHost::new().reply(404, refused(10003));
    assert_eq!(discord().set_thread(&gone, thread(), "over", true), Err(Error::NotFound));
}

#[test]
fn a_thread_is_opened_again_although_discord_takes_no_name_for_now() {
    let limited = json!({ "message": "You are being rate limited.", "retry_after": 582.0, "global": false });
    for provider in [discord, gateway] {
        let host = FakeHost::new()
            .reply_with(429, &[("x-ratelimit-remaining", "4")], limited.to_string())
            .reply(200, r#"{"id":"300"}"#);
        assert_eq!(provider().set_thread(&host, thread(), "again", false), Ok(()));
        let sent: Vec<_> = host.requests().iter().map(|it| body(&it.body)).collect();
        assert_eq!(sent, [json!({ "archived": false, "name": "again" }), json!({ "archived": false })]);
    }
}

#[test]
fn a_card_in_an_archived_thread_is_edited_and_the_thread_stays_archived() {
    for provider in [discord, gateway] {
        let host = FakeHost::new()
            .reply(400, refused(50083))
            .reply(200, r#"{"id":"300"}"#)
            .reply(200, SENT)
            .reply(200, r#"{"id":"300"}"#);
        assert_eq!(provider().revise(&host, message(200), card("over", vec![])), Ok(()));
        let sent: Vec<_> =
            host.requests().iter().map(|it| (it.url.clone(), body(&it.body)["archived"].clone())).collect();
        let (thread, card) =
            ("https://discord.com/api/v10/channels/100", "https://discord.com/api/v10/channels/100/messages/200");
        let wanted = [(card, json!(null)), (thread, json!(false)), (card, json!(null)), (thread, json!(true))];
        assert_eq!(sent, wanted.map(|(url, archived)| (url.to_owned(), archived)));
    }
}

fn body(bytes: &[u8]) -> dmplz_provider_sdk::serde_json::Value {
    dmplz_provider_sdk::serde_json::from_slice(bytes).unwrap()
}

#[test]
fn texts_of_a_deleted_thread_keep_nobody_from_being_read() {
    let said = r#"[{"id":"210","channel_id":"100","type":0,"content":"x","author":{"id":"5","username":"kim"}}]"#;
    let host = FakeHost::new().reply(200, said).reply(404, refused(10003));
    let at = |chat: &str| Watch {
        message: dmplz_provider_sdk::MessageRef { chat: chat.into(), ..message(200) },
        choices: vec![],
        text: true,
    };
    let batch = discord().receive(&host, "", &[at("100"), at("300")], 0).unwrap();
    assert_eq!(batch.events.len(), 1);
    let gone = FakeHost::new().reply(404, refused(10003));
    assert_eq!(discord().receive(&gone, "", &[at("100")], 0), Err(Error::NotFound), "the chat itself");
}

#[test]
fn commands_are_those_of_the_server_and_take_one_text_and_a_file() {
    let words = |en: &str, ko: &str| Words { en: en.into(), ko: ko.into() };
    let new =
        Command { name: "new".into(), help: words("start it", "시작"), takes: Some(words("FOLDER", "")), file: true };
    let host = FakeHost::new()
        .reply(200, r#"{"id":"77"}"#)
        .reply(200, r#"{"id":"100","type":0,"guild_id":"9"}"#)
        .reply(200, "[]");
    assert_eq!(gateway().set_commands(&host, channel(), &[new]), Ok(()));
    insta::assert_snapshot!(host.sent(), @r#"
    Get https://discord.com/api/v10/applications/@me

    Get https://discord.com/api/v10/channels/100

    Put https://discord.com/api/v10/applications/77/guilds/9/commands
    [
      {
        "description": "start it",
        "description_localizations": {
          "ko": "시작"
        },
        "name": "new",
        "options": [
          {
            "description": "FOLDER",
            "max_length": 3000,
            "name": "text",
            "type": 3
          },
          {
            "description": "an image or another file",
            "description_localizations": {
              "ko": "이미지나 다른 파일"
            },
            "name": "file",
            "type": 11
          }
        ],
        "type": 1
      }
    ]
    "#);
    let host = FakeHost::new().reply(200, r#"{"id":"77"}"#).reply(200, r#"{"id":"100","type":1}"#).reply(200, "[]");
    assert_eq!(gateway().set_commands(&host, channel(), &[]), Ok(()));
    assert_eq!(host.requests()[2].url, "https://discord.com/api/v10/applications/77/commands", "of direct messages");
}

#[test]
fn a_command_is_a_text_and_only_its_person_sees_the_receipt() {
    let used = |channel: &str, parent: &str| {
        let data = json!({ "id": "1", "name": "new", "type": 1, "options": [{ "name": "text", "type": 3, "value": "site *fix*" }] });
        let used = json!({
            "id": "700", "type": 2, "token": "aW50", "application_id": "77", "channel_id": channel, "data": data,
            "channel": { "id": channel, "parent_id": parent },
            "member": { "user": { "id": "5", "username": "kim" } },
        });
        greeted().frame(ready()).frame(dispatch("INTERACTION_CREATE", 2, used))
    };
    let watching = [Watch { message: message(200), choices: vec![], text: true }];
    let host = host().reply(204, "").socket(used("100", "7"));
    let batch = gateway().receive(&host, "", &watching, 1000).unwrap();
    let [Event::Said(said)] = batch.events.as_slice() else { panic!("{batch:?}") };
    assert_eq!((said.text.as_str(), &said.message, said.user.id.as_str()), ("/new site *fix*", &message(700), "5"));
    let answer = body(&host.requests()[1].body);
    assert_eq!((&answer["type"], &answer["data"]["flags"]), (&json!(4), &json!(68)), "seen by one person");
    assert_eq!(answer["data"]["content"], "/new site \\*fix\\*");
    let host = crate::gateway::host().reply(204, "").socket(used("300", "100"));
    let batch = gateway().receive(&host, "", &watching, 1000).unwrap();
    assert!(matches!(&batch.events[..], [Event::Said(said)] if said.message.chat == "300"), "a new thread: {batch:?}");
    let host = crate::gateway::host().socket(used("999", "998"));
    assert_eq!(gateway().receive(&host, "", &watching, 1000).unwrap().events, vec![], "another channel");
    assert_eq!(host.requests().len(), 1);
}
