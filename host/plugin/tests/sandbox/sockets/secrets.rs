//! Secrets in frames and URLs.

use super::{connected, follow, reaching};
use crate::bench::{SPARE, Sockets, TOKEN};

#[tokio::test]
async fn a_secret_is_filled_into_a_frame_and_into_the_path() {
    let mut server = Sockets::start().await;
    let bench = reaching(&server.origin);
    let provider = bench.start().await;
    let script = format!("connect {}/{{secret:token}}\nsend {{\"token\":\"{{secret:token}}\"}}", server.origin);
    assert_eq!(follow(&provider, &script).await, "connected\nok");
    assert_eq!(server.accept().await.hear().await, format!("{{\"token\":\"{TOKEN}\"}}"));
    assert!(server.heads()[0].starts_with(&format!("/{TOKEN}\n")), "{}", server.heads()[0]);
    assert!(!bench.log().contains(TOKEN));
}

#[tokio::test]
async fn a_secret_leaves_once_in_a_frame_and_only_for_its_own_origin() {
    let mut server = Sockets::start().await;
    let bench = reaching(&server.origin).set("elsewhere", "http://127.0.0.1:1");
    let provider = bench.start().await;
    follow(&provider, &format!("connect {}", server.origin)).await;
    let mut peer = server.accept().await;
    let spare = follow(&provider, "send [\"{secret:spare}\"]").await;
    assert_eq!(spare, format!("refused: the secret spare does not belong to {}", server.origin));
    assert_eq!(follow(&provider, "send [\"{secret:none}\"]").await, "refused: there is no secret none");
    let twice = follow(&provider, "send [\"{secret:token}\",\"{secret:token}\"]").await;
    assert!(twice.starts_with("refused: a secret may stand once"), "{twice}");
    for words in
        [r#"{"name":"a {secret:token}"}"#, r#"{"name":"\"{secret:token}\""}"#, "{secret:token", "{secret:spare}"]
    {
        assert_eq!(follow(&provider, &format!("send {words}")).await, "ok");
        assert_eq!(peer.hear().await, words, "words are sent as they are");
    }
    assert!(bench.log().contains("Warn hostile: a frame was refused: the secret spare"), "{}", bench.log());
}

#[tokio::test]
async fn a_secret_does_not_stand_in_a_query() {
    let server = Sockets::start().await;
    let provider = reaching(&server.origin).start().await;
    let saw = follow(&provider, &format!("connect {}/?token={{secret:token}}", server.origin)).await;
    assert!(saw.starts_with("refused: a secret may stand once"), "{saw}");
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
