use dmplz_provider_sdk::serde_json::{Value, from_slice};
use dmplz_provider_sdk::{Attachment, Block, Card, Error, Provider};
use insta::assert_snapshot;

use crate::{FakeHost, card, matrix, message, paths, plain, posted, question, refused, room, sent};

/// The script of a card with three choices.
fn posting() -> FakeHost {
    let host = sent(plain(), "$card").reply(200, posted());
    sent(sent(sent(host, "$1"), "$2"), "$3")
}

fn content(card: Card) -> Value {
    let host = posting();
    matrix().post(&host, room(), card).unwrap();
    from_slice(&host.requests()[1].body).unwrap()
}

#[test]
fn a_card_is_a_message_and_a_reaction_for_each_choice_answers_first() {
    let host = posting();
    assert_eq!(matrix().post(&host, room(), question()).unwrap(), message());
    assert_snapshot!(host.sent(), @r#"
    Get https://matrix.example/_matrix/client/v3/rooms/%21room%3Aexample.org/state/m.room.encryption/

    Put https://matrix.example/_matrix/client/v3/rooms/%21room%3Aexample.org/send/m.room.message/tag1
    {
      "body": "🔐 May I?\ngit push",
      "dmplz.card": {
        "choices": {
          "✅": "approve",
          "❌": "deny",
          "🔄": "session"
        },
        "tag": "tag1"
      },
      "format": "org.matrix.custom.html",
      "formatted_body": "<strong>🔐 May I?</strong><pre><code>git push</code></pre>",
      "m.mentions": {},
      "msgtype": "m.text"
    }

    Get https://matrix.example/_matrix/client/v3/rooms/%21room%3Aexample.org/event/%24card

    Put https://matrix.example/_matrix/client/v3/rooms/%21room%3Aexample.org/send/m.reaction/tag1-approve
    {
      "m.relates_to": {
        "event_id": "$card",
        "key": "✅",
        "rel_type": "m.annotation"
      }
    }

    Put https://matrix.example/_matrix/client/v3/rooms/%21room%3Aexample.org/send/m.reaction/tag1-deny
    {
      "m.relates_to": {
        "event_id": "$card",
        "key": "❌",
        "rel_type": "m.annotation"
      }
    }

    Put https://matrix.example/_matrix/client/v3/rooms/%21room%3Aexample.org/send/m.reaction/tag1-session
    {
      "m.relates_to": {
        "event_id": "$card",
        "key": "🔄",
        "rel_type": "m.annotation"
      }
    }
    "#);
}

#[test]
fn a_silent_card_is_a_notice_which_rings_nowhere() {
    let kind = |silent| content(Card { silent, ..card("t", vec![]) })["msgtype"].clone();
    assert_eq!((kind(true), kind(false)), ("m.notice".into(), "m.text".into()));
}

#[test]
fn html_is_escaped_and_its_blanks_are_kept() {
    for (text, html) in [
        ("<b>&amp;</b>", "&lt;b&gt;&amp;amp;&lt;/b&gt;"),
        ("a  b\n  c", "a &nbsp;b<br>&nbsp; c"),
        (
            "<a href=\"https://matrix.to/#/@jin:example.org\">",
            "&lt;a href=\"https://matrix.to/#/@jin:example.org\"&gt;",
        ),
    ] {
        let shown = content(card("", vec![Block::Text(text.into())]));
        assert_eq!((shown["body"].as_str(), shown["formatted_body"].as_str()), (Some(text), Some(html)));
    }
    let code = content(card("", vec![Block::Code("a  <b>\n\t&".into()), Block::Text("z".into())]));
    assert_eq!(code["formatted_body"], "<pre><code>a  &lt;b&gt;\n\t&amp;</code></pre>z");
}

#[test]
fn a_file_is_a_message_of_its_own_before_the_card() {
    let file = Attachment { name: "a b.txt".into(), media_type: "text/plain".into(), data: b"abc".to_vec() };
    let host = plain().reply(200, r#"{"content_uri":"mxc://example.org/x"}"#);
    let host = sent(sent(host, "$file"), "$card").reply(200, posted());
    matrix().post(&host, room(), card("t", vec![Block::File(file)])).unwrap();
    let requests = host.requests();
    assert_eq!(requests[1].url, "https://matrix.example/_matrix/media/v3/upload?filename=a%20b.txt");
    assert_eq!(requests[1].body, b"abc");
    let file: Value = from_slice(&requests[2].body).unwrap();
    assert_eq!((file["msgtype"].as_str(), file["url"].as_str()), (Some("m.file"), Some("mxc://example.org/x")));
    assert_eq!(file["info"]["size"], 3);
}

#[test]
fn an_encrypted_room_gets_nothing() {
    let host = FakeHost::new().reply(200, r#"{"algorithm":"m.megolm.v1.aes-sha2"}"#);
    let refused = matrix().post(&host, room(), question());
    assert!(matches!(&refused, Err(Error::Denied(Some(said))) if said.contains("encrypted")), "{refused:?}");
    assert_eq!(host.requests().len(), 1);
}

#[test]
fn the_invitation_to_the_configured_room_is_accepted() {
    let host = refused(refused(FakeHost::new(), 403, "M_FORBIDDEN").reply(200, "{}"), 404, "M_NOT_FOUND");
    matrix().post(&sent(host, "$card").reply(200, posted()), room(), card("t", vec![])).unwrap();
    let host = refused(refused(FakeHost::new(), 403, "M_FORBIDDEN"), 403, "M_FORBIDDEN");
    let error = matrix().post(&host, room(), card("t", vec![]));
    assert_eq!(error, Err(Error::Denied(Some("the bot is not in the room: invite it there".into()))));
    assert_eq!(paths(&host)[1], "v3/rooms/%21room%3Aexample.org/join");
}

#[test]
fn a_menu_waits_for_a_slow_homeserver_while_there_is_time() {
    let limited = r#"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":5000}"#;
    let host = sent(sent(plain(), "$card").reply(200, posted()), "$1").reply(429, limited);
    let host = sent(sent(host, "$2").reply(429, limited), "$3");
    assert_eq!(matrix().post(&host, room(), question()).unwrap(), message());
    assert_eq!((host.slept(), host.left()), (10_000, 0));
    // The host posts again later, with the same transactions.
    let host = sent(plain(), "$card").reply(200, posted());
    let host = (0..13).fold(host, |host, _| host.reply(429, limited));
    assert_eq!(matrix().post(&host, room(), question()), Err(Error::RateLimited(Some(5000))));
}

#[test]
fn a_reaction_that_is_there_already_is_no_error() {
    let host = sent(plain(), "$card").reply(200, posted());
    let host = refused(sent(sent(host, "$1"), "$2"), 400, "M_DUPLICATE_ANNOTATION");
    assert_eq!(matrix().post(&host, room(), question()).unwrap(), message());
}

#[test]
fn a_card_that_nobody_can_answer_is_taken_back() {
    let host = refused(sent(plain(), "$card").reply(200, posted()), 403, "M_FORBIDDEN");
    let host = sent(host, "$gone");
    assert!(matches!(matrix().post(&host, room(), question()), Err(Error::Denied(_))));
    assert_eq!(paths(&host).last().unwrap(), "v3/rooms/%21room%3Aexample.org/redact/%24card/gone-%24card");
}

#[test]
fn too_much_text_is_refused_unsent() {
    for text in ["가".repeat(8_001), "&".repeat(8_000) + &"\u{1}".repeat(8_000)] {
        let host = FakeHost::new();
        assert_eq!(matrix().post(&host, room(), card("", vec![Block::Text(text)])), Err(Error::TooLarge));
        assert_eq!(host.requests().len(), 0);
    }
}
