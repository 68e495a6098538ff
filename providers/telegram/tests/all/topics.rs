use dmplz_provider_sdk::{Attachment, Block, Command, Error, Event, OpenChat, Provider, Watch, Words};

use crate::{FakeHost, answering, card, message, private_chat, telegram};

fn group() -> OpenChat {
    OpenChat { id: "-1001".into(), owner: None }
}

fn topic() -> OpenChat {
    OpenChat { id: "-1001/45".into(), owner: None }
}

fn refused(description: &str) -> String {
    format!(r#"{{"ok":false,"error_code":400,"description":"Bad Request: {description}"}}"#)
}

#[test]
fn a_topic_is_opened_only_where_the_chat_has_them() {
    let host = answering(r#"{"id":-1001,"type":"supergroup","is_forum":true}"#)
        .reply(200, r#"{"ok":true,"result":{"message_thread_id":45,"name":"site","icon_color":1}}"#);
    assert_eq!(telegram().open_thread(&host, group(), "site · *fix*"), Ok(Some(topic())));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/getChat
    {
      "chat_id": -1001
    }

    Post https://api.telegram.org/bot{secret:bot-token}/createForumTopic
    {
      "chat_id": -1001,
      "name": "site · *fix*"
    }
    "#);
    let host = answering(r#"{"id":-1001,"type":"supergroup"}"#);
    assert_eq!(telegram().open_thread(&host, group(), "site"), Ok(None));
    let host = answering(r#"{"id":1,"is_bot":true,"first_name":"b","has_topics_enabled":false}"#);
    assert_eq!(telegram().open_thread(&host, private_chat(), "site"), Ok(None));
    assert_eq!(telegram().open_thread(&FakeHost::new(), topic(), "a topic has none"), Ok(None));
}

#[test]
fn a_private_chat_has_topics_where_the_bot_has() {
    let host = answering(r#"{"id":1,"is_bot":true,"first_name":"b","has_topics_enabled":true}"#)
        .reply(200, r#"{"ok":true,"result":{"message_thread_id":9,"name":"site","icon_color":1}}"#);
    let opened = OpenChat { id: "42/9".into(), owner: Some("42".into()) };
    assert_eq!(telegram().open_thread(&host, private_chat(), "site"), Ok(Some(opened.clone())));
    let host = answering("true");
    assert_eq!(telegram().set_thread(&host, opened, "its topics cannot be closed", true), Ok(()));
    assert_eq!(host.requests().len(), 1);
}

#[test]
fn a_missing_right_is_told_and_a_deleted_topic_is_not_found() {
    let forum = || answering(r#"{"id":-1001,"type":"supergroup","is_forum":true}"#);
    let host = forum().reply(400, refused("not enough rights to create a topic"));
    assert!(matches!(telegram().open_thread(&host, group(), "site"), Err(Error::Denied(_))));
    for gone in ["TOPIC_ID_INVALID", "TOPIC_DELETED", "message thread not found"] {
        let host = FakeHost::new().reply(400, refused(gone));
        assert_eq!(telegram().set_thread(&host, topic(), "site", true), Err(Error::NotFound), "{gone}");
        let host = FakeHost::new().reply(400, refused(gone));
        assert_eq!(telegram().post(&host, topic(), card("x", vec![])), Err(Error::NotFound), "{gone}");
    }
    assert_eq!(telegram().set_thread(&FakeHost::new(), group(), "no topic", true), Err(Error::NotFound));
}

#[test]
fn a_card_with_a_file_is_posted_in_the_chat_where_its_topic_was_closed() {
    let file = Attachment { name: "a.txt".into(), media_type: "text/plain".into(), data: b"a".to_vec() };
    for body in [vec![], vec![Block::File(file)]] {
        let host = FakeHost::new().reply(400, refused("TOPIC_CLOSED"));
        assert_eq!(telegram().post(&host, topic(), card("x", body.clone())), Err(Error::NotFound), "{body:?}");
        let host = FakeHost::new().reply(400, refused("TOPIC_CLOSED"));
        let general = telegram().post(&host, group(), card("x", body));
        assert!(matches!(general, Err(Error::Denied(_))), "{general:?}");
    }
}

#[test]
fn files_that_went_into_a_topic_which_was_deleted_are_sent_again_in_the_chat() {
    let file = Attachment { name: "a.txt".into(), media_type: "text/plain".into(), data: b"a".to_vec() };
    let (mut telegram, card) = (telegram(), card("x", vec![Block::File(file)]));
    let sent = |id: i64| format!(r#"{{"ok":true,"result":{{"message_id":{id},"chat":{{"id":-1001}}}}}}"#);
    let host = FakeHost::new().reply(200, sent(50)).reply(400, refused("message thread not found"));
    assert_eq!(telegram.post(&host, topic(), card.clone()), Err(Error::NotFound));
    let host = FakeHost::new().reply(200, sent(51)).reply(200, sent(52));
    assert_eq!(telegram.post(&host, group(), card), Ok(message("-1001", 52)));
    assert!(host.sent().contains("a.txt") && host.sent().contains(r#""message_id": 51"#), "{}", host.sent());
}

#[test]
fn a_topic_that_is_so_already_is_no_error() {
    let same = || refused("TOPIC_NOT_MODIFIED");
    let host = FakeHost::new().reply(400, same()).reply(400, same());
    assert_eq!(telegram().set_thread(&host, topic(), "site", false), Ok(()));
    let methods: Vec<_> =
        host.requests().iter().map(|request| request.url.rsplit('/').next().unwrap().to_owned()).collect();
    assert_eq!(methods, ["editForumTopic", "reopenForumTopic"]);
}

#[test]
fn a_message_of_a_topic_carries_it_and_what_begins_the_topic_is_no_reply() {
    let said = |id: i64, reply: i64, more: &str| {
        format!(
            r#"{{"update_id":{id},"message":{{"message_id":{id},"chat":{{"id":-1001}},"text":"x",
            "from":{{"id":5,"is_bot":false,"first_name":"A"}}{more},
            "reply_to_message":{{"message_id":{reply},"chat":{{"id":-1001}}{more}}}}}}}"#
        )
    };
    let inside = r#","message_thread_id":45,"is_topic_message":true"#;
    // A thread of replies in a group without topics is no topic.
    let updates = [said(50, 45, inside), said(51, 46, inside), said(52, 46, r#","message_thread_id":46"#)].join(",");
    let watching = ["-1001", "-1001/45"].map(|chat| Watch { message: message(chat, 7), choices: vec![], text: true });
    let batch = telegram().receive(&answering(&format!("[{updates}]")), "", &watching, 0).unwrap();
    let seen: Vec<_> = batch
        .events
        .into_iter()
        .map(|event| match event {
            Event::Said(said) => (said.message, said.reply_to),
            Event::Chosen(press) => panic!("{press:?}"),
        })
        .collect();
    assert_eq!(
        seen,
        [
            (message("-1001/45", 50), None),
            (message("-1001/45", 51), Some(message("-1001/45", 46))),
            (message("-1001", 52), Some(message("-1001", 46))),
        ]
    );
}

#[test]
fn commands_are_registered_for_the_chat_in_both_languages() {
    let words = |en: &str, ko: &str| Words { en: en.into(), ko: ko.into() };
    let new = Command {
        name: "new".into(),
        help: words("start it", "시작"),
        takes: Some(words("FOLDER", "폴더")),
        file: true,
    };
    let help = Command { name: "help".into(), help: words("this list", ""), takes: None, file: false };
    let host = answering("true").reply(200, r#"{"ok":true,"result":true}"#);
    assert_eq!(telegram().set_commands(&host, group(), &[new, help]), Ok(()));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://api.telegram.org/bot{secret:bot-token}/setMyCommands
    {
      "commands": [
        {
          "command": "new",
          "description": "start it: FOLDER"
        },
        {
          "command": "help",
          "description": "this list"
        }
      ],
      "language_code": "",
      "scope": {
        "chat_id": -1001,
        "type": "chat"
      }
    }

    Post https://api.telegram.org/bot{secret:bot-token}/setMyCommands
    {
      "commands": [
        {
          "command": "new",
          "description": "시작: 폴더"
        },
        {
          "command": "help",
          "description": "this list"
        }
      ],
      "language_code": "ko",
      "scope": {
        "chat_id": -1001,
        "type": "chat"
      }
    }
    "#);
}

#[test]
fn a_draft_goes_to_the_private_chat_or_its_topic_without_any_markup() {
    let topic = OpenChat { id: "42/9".into(), owner: Some("42".into()) };
    for chat in [private_chat(), topic] {
        let host = answering("true");
        assert_eq!(telegram().draft(&host, chat, 7, "expects *two* <b>decimals</b>"), Ok(()));
        let [sent] = host.requests().try_into().unwrap();
        assert!(sent.url.ends_with("/sendMessageDraft"), "{}", sent.url);
        insta::allow_duplicates! {
            insta::assert_snapshot!(host.sent().replace(",\n  \"message_thread_id\": 9", ""), @r#"
            Post https://api.telegram.org/bot{secret:bot-token}/sendMessageDraft
            {
              "chat_id": 42,
              "draft_id": 7,
              "text": "expects *two* <b>decimals</b>"
            }
            "#);
        }
    }
    let host = FakeHost::new().reply(400, refused("the method is available only in private chats"));
    assert!(telegram().draft(&host, private_chat(), 7, "x").is_err());
}

#[test]
fn a_text_that_begins_a_topic_of_its_own_in_a_private_chat_is_one_of_the_chat() {
    let said = |chat: i64| {
        format!(
            r#"[{{"update_id":50,"message":{{"message_id":50,"chat":{{"id":{chat}}},"text":"because","message_thread_id":49,
            "is_topic_message":true,"from":{{"id":5,"is_bot":false,"first_name":"A"}}}}}}]"#
        )
    };
    let heard = |chat: i64, watched: &[&str]| {
        let watch = |chat: &&str| Watch { message: message(chat, 7), choices: vec![], text: true };
        let watching: Vec<_> = watched.iter().map(watch).collect();
        let batch = telegram().receive(&answering(&said(chat)), "", &watching, 0).unwrap();
        let place = |event| match event {
            Event::Said(said) => said.message,
            Event::Chosen(press) => panic!("{press:?}"),
        };
        batch.events.into_iter().map(place).collect::<Vec<_>>()
    };
    assert_eq!(heard(42, &["42"]), [message("42", 50)]);
    assert_eq!(heard(42, &["42", "42/49"]), [message("42/49", 50)]);
    // In a group it is another topic, in which nobody asked.
    assert_eq!(heard(-1001, &["-1001"]), []);
}
