//! Secrets in frames and URLs.

use serde_json::{Value, json};

use super::{connected, follow, reaching};
use crate::bench::{SPARE, Sockets, TOKEN};

#[tokio::test]
async fn a_secret_is_filled_into_a_frame_and_into_the_path() {
    let mut server = Sockets::start().await;
    let bench = reaching(&server.origin);
    let provider = bench.start().await;
    assert_eq!(follow(&provider, &format!("connect {}/{{secret:token}}", server.origin)).await, "connected");
    let mut peer = server.accept().await;
    assert!(server.heads()[0].starts_with(&format!("/{TOKEN}\n")), "{}", server.heads()[0]);
    for (frame, sent) in [
        (r#"{"op":2,"d":{"token":"{secret:token}"}}"#, json!({ "op": 2, "d": { "token": TOKEN } })),
        (r#"{"op":2,"d":{"token":"\u007bsecret:token}"}}"#, json!({ "op": 2, "d": { "token": TOKEN } })),
        (r#"{"token":"{secret:token}","type":"auth"}"#, json!({ "type": "auth", "token": TOKEN })),
        (r#""{secret:token}""#, json!(TOKEN)),
    ] {
        assert_eq!(follow(&provider, &format!("send {frame}")).await, "ok", "{frame}");
        assert_eq!(serde_json::from_str::<Value>(&peer.hear().await).unwrap(), sent, "{frame}");
    }
    assert_eq!(follow(&provider, "send {secret:token}").await, "ok");
    assert_eq!(peer.hear().await, TOKEN);
    assert!(!bench.log().contains(TOKEN));
}

/// Covers all known ways to make a server show the token to others, or read another frame than the host does.
#[tokio::test]
async fn a_component_cannot_publish_a_secret_in_a_frame() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    let misplaced = "refused: the manifest names no such place for the secret token";
    let twice = "refused: a secret may stand only once in a request or frame";
    let key_twice = "refused: an object in the frame names one key twice";
    for (frame, answer) in [
        // A presence text, nested deeper or not, with the kind that may carry the token and with another.
        (r#"{"op":3,"d":{"activities":[{"name":"{secret:token}"}]}}"#, misplaced),
        (r#"{"op":2,"d":{"presence":{"activities":[{"state":"{secret:token}"}]}}}"#, misplaced),
        (r#"{"op":2,"d":{"x":{"d":{"token":"{secret:token}"}}}}"#, misplaced),
        (r#"{"op":2,"d":[{"token":"{secret:token}"}]}"#, misplaced),
        (r#"{"op":2,"d":{"token":["{secret:token}"]}}"#, misplaced),
        (r#"[{"op":2,"d":{"token":"{secret:token}"}}]"#, misplaced),
        // The right place in another kind of frame, or in one that only looks similar.
        (r#"{"op":3,"d":{"token":"{secret:token}"}}"#, misplaced),
        (r#"{"op":"2","d":{"token":"{secret:token}"}}"#, misplaced),
        (r#"{"op":2.0,"d":{"token":"{secret:token}"}}"#, misplaced),
        (r#"{"d":{"op":2,"token":"{secret:token}"}}"#, misplaced),
        (r#"{"type":"message","token":"{secret:token}"}"#, misplaced),
        // Escaped as JSON allows, elsewhere.
        (r#"{"op":3,"d":{"name":"\u007bsecret:token}"}}"#, misplaced),
        (r#"{"op":3,"d":{"name":"{\u0073ecret\u003Atoken\u007d"}}"#, misplaced),
        (r#"{"op":2,"d/token":"{secret:token}"}"#, misplaced),
        (r#"{"op":2,"d":{"to~ken":"{secret:token}"}}"#, misplaced),
        // As a key.
        (r#"{"op":2,"d":{"{secret:token}":1}}"#, misplaced),
        (r#"{"op":2,"d":{"\u007bsecret:token}":1}}"#, misplaced),
        (r#"{"op":2,"d":{"token":"{secret:token}","{secret:token}":1}}"#, misplaced),
        // Twice.
        (r#"{"op":2,"d":{"token":"{secret:token}","name":"{secret:token}"}}"#, twice),
        (r#"{"op":2,"d":{"token":"{secret:token}","name":"\u007bsecret:token}"}}"#, twice),
        // A duplicate key, of which the server may use the other one.
        (r#"{"op":3,"op":2,"d":{"token":"{secret:token}"}}"#, key_twice),
        (r#"{"op":2,"\u006fp":3,"d":{"token":"{secret:token}"}}"#, key_twice),
        (r#"{"op":2,"d":{"token":"x","token":"{secret:token}"}}"#, key_twice),
        (r#"{"op":2,"d":{"token":"{secret:token}"},"d":{"name":"x"}}"#, key_twice),
        (r#"{"op":1,"d":{"a":1,"a":1}}"#, key_twice),
    ] {
        assert_eq!(follow(&provider, &format!("send {frame}")).await, answer, "{frame}");
    }
    assert_eq!(follow(&provider, "send the connection lives").await, "ok");
    assert_eq!(peer.hear().await, "the connection lives", "nothing else was sent");
}

#[tokio::test]
async fn a_longer_text_with_a_placeholder_is_sent_as_it_is() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    for frame in [
        r#"{"name":"a {secret:token}"}"#,
        r#"{"name":"\"{secret:token}\""}"#,
        r#"{"op":2,"d":{"token":"{secret:token} "}}"#,
        r#"{"op":2, "d":{"token":"Bot {secret:token}"}, "big": 123456789012345678901234567890}"#,
        r#"{"a {secret:token}":1}"#,
        r#"{"name":"{secret:TOKEN}"}"#,
        "{secret:token",
        "{\"name\": \"{secret:token}\"",
        "say {secret:spare} aloud",
    ] {
        assert_eq!(follow(&provider, &format!("send {frame}")).await, "ok", "{frame}");
        assert_eq!(peer.hear().await, frame);
    }
}

#[tokio::test]
async fn a_secret_leaves_in_a_frame_only_for_its_own_origin() {
    let mut server = Sockets::start().await;
    let bench = reaching(&server.origin).set("elsewhere", "http://127.0.0.1:1");
    let provider = bench.start().await;
    follow(&provider, &format!("connect {}", server.origin)).await;
    server.accept().await;
    let elsewhere = format!("refused: the secret spare does not belong to {}", server.origin);
    assert_eq!(follow(&provider, "send [\"{secret:spare}\"]").await, elsewhere);
    assert_eq!(follow(&provider, "send {secret:spare}").await, elsewhere);
    assert_eq!(follow(&provider, "send [\"{secret:none}\"]").await, "refused: there is no secret none");
    assert!(bench.log().contains("Warn hostile: a frame was refused: the secret spare"), "{}", bench.log());
}

#[tokio::test]
async fn a_secret_does_not_stand_in_a_query() {
    let server = Sockets::start().await;
    let provider = reaching(&server.origin).start().await;
    let saw = follow(&provider, &format!("connect {}/?token={{secret:token}}", server.origin)).await;
    assert!(saw.starts_with("refused: the manifest names no such place"), "{saw}");
    assert!(server.heads().is_empty());
}

#[tokio::test]
async fn a_frame_that_holds_a_secret_closes_the_connection_and_is_not_seen() {
    let hex: String = TOKEN.bytes().map(|byte| format!("{byte:02x}")).collect();
    for echo in [TOKEN.to_owned(), TOKEN.replace('A', "\\u0041"), SPARE.to_owned(), hex] {
        let mut server = Sockets::start().await;
        let (provider, mut peer) = connected(&mut server).await;
        peer.say("harmless").await;
        peer.say(format!("{{\"d\":{{\"token\":\"{echo}\"}}}}")).await;
        peer.say("after").await;
        let saw = follow(&provider, "receive 5000\nreceive 5000\nreceive 5000\nsend x").await;
        let refused = "refused: a frame that arrived holds a secret";
        assert_eq!(saw, format!("harmless\n{refused}\n{refused}\n{refused}"));
        assert_eq!(peer.hear().await, "close 1008");
    }
}
