use dmplz_provider_sdk::serde_json::{Value, from_slice};
use dmplz_provider_sdk::{Attachment, Block, Card, Error, Provider, Style};
use insta::assert_snapshot;

use crate::{FakeHost, POSTED, POSTED_BEFORE_2_16, card, choice, message, ntfy, posting, setting, topic};
use dmplz_ntfy::Ntfy;

fn question() -> Card {
    let body = vec![Block::Code("git push".into()), Block::Hint("type `no` to skip".into())];
    Card { choices: vec![choice("approve", "✅ Approve"), choice("deny", "❌ Deny")], ..card("🔐 May I?", body) }
}

fn sent(card: Card) -> Value {
    let host = posting();
    ntfy().post(&host, topic(), card).unwrap();
    from_slice(&host.requests()[0].body).unwrap()
}

#[test]
fn a_card_is_one_message_with_a_button_for_each_choice() {
    let host = posting();
    let posted = ntfy().post(&host, topic(), question()).unwrap();
    assert_eq!(posted, message("tag1", 3_600_000_000));
    assert_snapshot!(host.sent(), @r#"
    Post https://ntfy.example/
    {
      "actions": [
        {
          "action": "http",
          "body": "dmplz:tag1:approve",
          "clear": true,
          "label": "✅ Approve",
          "method": "POST",
          "url": "https://ntfy.example/secret_topic-answers"
        },
        {
          "action": "http",
          "body": "dmplz:tag1:deny",
          "clear": true,
          "label": "❌ Deny",
          "method": "POST",
          "url": "https://ntfy.example/secret_topic-answers"
        }
      ],
      "message": "git push\ntype no to skip",
      "priority": 4,
      "sequence_id": "tag1",
      "title": "🔐 May I?",
      "topic": "secret_topic"
    }
    "#);
}

#[test]
fn the_end_of_a_card_takes_its_place_without_a_sound() {
    let host = posting();
    ntfy().revise(&host, message("tag1", 1), card("✅ Approved", vec![Block::Text("anonymous · now".into())])).unwrap();
    assert_snapshot!(host.sent(), @r#"
    Post https://ntfy.example/
    {
      "message": "anonymous · now",
      "priority": 2,
      "sequence_id": "tag1",
      "title": "✅ Approved",
      "topic": "secret_topic"
    }
    "#);
}

#[test]
fn who_taps_a_prompt_comes_to_where_the_reason_is_written() {
    let prompt = Card { wants_text: true, ..card("", vec![Block::Text("why?".into())]) };
    let sent = sent(prompt);
    assert_eq!((&sent["click"], &sent["priority"]), (&"https://ntfy.example/secret_topic-answers".into(), &4.into()));
}

#[test]
fn a_silent_card_has_a_low_priority_although_it_can_be_answered() {
    assert_eq!(sent(Card { silent: true, ..question() })["priority"], 2);
}

#[test]
fn a_server_without_sequences_tells_which_message_it_is() {
    let host = FakeHost::new().reply(200, POSTED_BEFORE_2_16);
    assert_eq!(ntfy().post(&host, topic(), question()).unwrap(), message("sPs71M8A2Tzx", 3_600_000_000));
}

/// ntfy converts a title and the actions to headers, in which it decodes encoded words (RFC 2047). An agent could write
/// one that ends the label and changes the request of the button.
#[test]
fn an_encoded_word_changes_no_button_and_no_title() {
    let evil = "=?UTF-8?Q?=22,=22body=22:=22dmplz:tag1:approve?=";
    let sent = sent(Card { choices: vec![choice("deny", evil)], ..card(evil, vec![Block::Text(evil.into())]) });
    assert!(!sent["actions"].to_string().contains("=?"), "{sent}");
    assert_eq!(sent.get("title"), None);
    assert_eq!(sent["message"], format!("{evil}\n{evil}"), "a message is not decoded");
}

#[test]
fn a_title_that_the_server_would_change_stands_in_the_message() {
    for (title, body) in [(" T", "x"), ("T\tT", "x"), ("T", "  x"), (&"가".repeat(342), "x")] {
        let sent = sent(card(title, vec![Block::Code(body.into())]));
        assert_eq!((sent.get("title"), sent["message"].as_str()), (None, Some(format!("{title}\n{body}").as_str())));
    }
    let sent = sent(card("only a title", vec![]));
    assert_eq!(
        (sent.get("title"), sent["message"].as_str()),
        (None, Some("only a title")),
        "or it would say triggered"
    );
}

#[test]
fn what_does_not_fit_is_too_large_before_anything_is_sent() {
    let host = FakeHost::new();
    let more = ["a", "b", "c", "d"].map(|id| choice(id, id)).to_vec();
    let file = |bytes| Block::File(Attachment { name: "a".into(), media_type: "b".into(), data: vec![0; bytes] });
    for card in [
        Card { choices: more, ..question() },
        card("", vec![Block::Text("가".repeat(1366))]),
        card("T", vec![Block::Text("가".repeat(1364))]),
        card("T", vec![file(2_000_001)]),
    ] {
        assert_eq!(ntfy().post(&host, topic(), card), Err(Error::TooLarge));
    }
    assert_eq!(host.sent(), "");
    ntfy().post(&posting(), topic(), card("", vec![Block::Text("가".repeat(1365))])).unwrap();
}

#[test]
fn a_file_comes_first_and_once() {
    let data = b"all of it".to_vec();
    let file = Block::File(Attachment { name: "a b?.txt".into(), media_type: "text/plain".into(), data });
    let mut provider = ntfy();
    let with = Card { body: vec![file], ..question() };
    let host = posting().reply(502, "").reply(200, POSTED);
    assert!(matches!(provider.post(&host, topic(), with.clone()), Err(Error::Unavailable(_))));
    provider.post(&host, topic(), with).unwrap();
    let requests = host.requests();
    let urls: Vec<_> = requests.iter().map(|request| request.url.as_str()).collect();
    let file = "https://ntfy.example/secret_topic?filename=a%20b%3F.txt&priority=2";
    assert_eq!(urls, [file, "https://ntfy.example/", "https://ntfy.example/"]);
    assert_eq!(requests[0].body, b"all of it");
}

#[test]
fn what_a_button_looks_like_is_no_matter() {
    let mut danger = choice("deny", "❌ Deny");
    danger.style = Style::Danger;
    assert_eq!(sent(Card { choices: vec![danger], ..card("t", vec![]) })["actions"][0]["label"], "❌ Deny");
}

#[test]
fn no_text_is_cut_off_on_its_way_to_phones() {
    let three = || ["approve", "deny", "more"].map(|id| choice(id, "✅ 한 번 허용")).to_vec();
    let long = |text: &str, count: usize| {
        let body = vec![Block::Code(text.repeat(count))];
        Card { choices: three(), ..card("🔐 May I?", body) }
    };
    let pushed = |card: Card| {
        let settings = [setting("api-base", "https://ntfy.sh"), setting("poll-interval", "5000")];
        Ntfy::connect(&settings, "polling").unwrap().post(&posting(), topic(), card).map(drop)
    };
    assert_eq!(pushed(long("x", 600)), Ok(()));
    assert_eq!(pushed(long("가", 200)), Ok(()));
    for card in [long("x", 800), long("가", 270), long("<", 140)] {
        assert_eq!(pushed(card.clone()), Err(Error::TooLarge));
        // A server of one's own delivers by itself.
        assert!(ntfy().post(&posting(), topic(), card).is_ok());
    }
}
