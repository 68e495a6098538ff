//! Tests of where sockets may not go, and of invalid handshakes.

use super::{follow, reaching};
use crate::bench::{Bench, LONG, SOON, Sockets, answering, post};

/// Returns what a component sees when it connects to a URL.
async fn connecting(bench: &Bench, url: &str) -> String {
    follow(&bench.start().await, &format!("connect {url}")).await
}

#[tokio::test]
async fn an_origin_that_is_not_granted_is_refused() {
    let server = Sockets::start().await;
    let elsewhere = Sockets::start().await;
    for url in [
        elsewhere.origin.as_str(),
        "wss://evil.example/",
        "wss://granted.example:444/",
        "ws://granted.example/",
        "wss://a.b.granted.example/",
        "wss://evilgranted.example/",
        "wss://fallback.example/",
    ] {
        let bench = reaching(&server.origin);
        let saw = connecting(&bench, url).await;
        assert!(saw.starts_with("refused: ") && saw.ends_with(" is not granted"), "{url}: {saw}");
        assert!(bench.log().contains("Warn hostile: a socket was refused: "), "{}", bench.log());
    }
    assert!(server.heads().is_empty() && elsewhere.heads().is_empty());
}

#[tokio::test]
async fn a_url_that_is_none_or_of_another_scheme_is_refused() {
    let server = Sockets::start().await;
    let host = server.origin.trim_start_matches("ws://");
    for url in [
        format!("http://{host}/"),
        format!("https://{host}/"),
        format!("//{host}/"),
        format!("WS://{host}/"),
        format!("ws:{host}/"),
        format!("ws://evil.example@{host}/"),
        format!("ws://evil.example\\@{host}/"),
        "ws://".to_owned(),
        String::new(),
    ] {
        let saw = connecting(&reaching(&server.origin), &url).await;
        assert!(saw.starts_with("refused: ") || saw.is_empty(), "{url}: {saw}");
    }
    let saw = Bench::fetching(&server.origin).set("base", &server.origin).post().await;
    assert_eq!(saw, "Error::Refused(\"the request is malformed: its URL must be absolute, http or https\")");
    assert!(server.heads().is_empty());
}

#[tokio::test]
async fn a_granted_name_that_resolves_to_a_private_address_is_not_followed() {
    for address in ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1"] {
        for name in ["granted.example", "eu-1.granted.example"] {
            let saw =
                connecting(&Bench::doing("socket", "post").resolving(name, address), &format!("wss://{name}/")).await;
            assert!(saw.ends_with("resolves to no address that may be reached"), "{address}: {saw}");
        }
    }
}

#[tokio::test]
async fn nothing_is_granted_by_asking_and_part_of_it_by_listing_that_part() {
    let bench = |grants: &[&str]| {
        Bench::doing("socket", "post").granting(grants).resolving("eu-1.granted.example", "127.0.0.1")
    };
    let to = "wss://eu-1.granted.example/";
    for grants in [&[][..], &["wss://granted.example"], &["https://eu-1.granted.example"], &["wss://*.example"]] {
        assert!(connecting(&bench(grants), to).await.ends_with(" is not granted"), "{grants:?}");
    }
    for grants in [["wss://eu-1.granted.example"], ["wss://*.granted.example"]] {
        let saw = connecting(&bench(&grants), to).await;
        assert!(saw.ends_with("resolves to no address that may be reached"), "{grants:?}: {saw}");
    }
}

#[tokio::test]
async fn there_are_no_sockets_in_connect() {
    let server = Sockets::start().await;
    let bench = reaching(&server.origin).set("at", "connect").set("script", &format!("connect {}", server.origin));
    bench.start().await;
    assert!(bench.log().contains("a socket was refused: there is no network here"), "{}", bench.log());
    assert!(server.heads().is_empty());
}

#[tokio::test]
async fn a_handshake_that_is_none_is_told() {
    for (answer, told) in [
        ("HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\n\r\n", "refused: a redirect from ORIGIN leads elsewhere"),
        (
            "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n",
            "unreachable: ORIGIN: the server answered 401 Unauthorized",
        ),
        ("HTTP/1.1 200 OK\r\n\r\nhello", "unreachable: ORIGIN: the server answered 200 OK"),
        (
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: x\r\n\r\n",
            "unreachable: ORIGIN: the server's handshake is not one of a WebSocket",
        ),
        ("SSH-2.0-OpenSSH\r\n\r\n", "unreachable: ORIGIN: "),
    ] {
        let origin = answering(answer).await;
        let saw = connecting(&reaching(&origin), &origin).await;
        assert!(saw.starts_with(&told.replace("ORIGIN", &origin)), "{saw}");
    }
}

#[tokio::test]
async fn what_was_not_asked_for_in_a_handshake_is_not_taken() {
    let server = Sockets::adding("sec-websocket-extensions", "permessage-deflate").await;
    let saw = connecting(&reaching(&server.origin), &server.origin).await;
    assert_eq!(saw, "refused: the reply is compressed");
    let server = Sockets::adding("sec-websocket-protocol", "chat").await;
    let saw = connecting(&reaching(&server.origin), &server.origin).await;
    assert!(saw.starts_with("unreachable: "), "{saw}");
}

#[tokio::test]
async fn an_endless_answer_to_a_handshake_is_not_read() {
    static ENDLESS: std::sync::LazyLock<String> =
        std::sync::LazyLock::new(|| format!("HTTP/1.1 101 Switching Protocols\r\nx: {}", "x".repeat(4 << 20)));
    let origin = answering(&ENDLESS).await;
    let saw = connecting(&reaching(&origin), &origin).await;
    assert_eq!(saw, "toolarge");
}

#[tokio::test]
async fn nobody_there_is_told() {
    let saw = connecting(&reaching("http://127.0.0.1:1"), "ws://127.0.0.1:1/").await;
    assert!(saw.starts_with("unreachable: ws://127.0.0.1:1: "), "{saw}");
}

#[tokio::test(start_paused = true)]
async fn a_handshake_has_its_time_and_no_more_than_the_export() {
    let origin = answering("").await;
    let saw = connecting(&reaching(&origin), &origin).await;
    assert_eq!(saw, format!("unreachable: {origin}: no handshake in time"));
    let script = format!("connect {origin}\nconnect {origin}");
    let provider = reaching(&origin).set("script", &script).start().await;
    assert_eq!(post(&provider, SOON).await.unwrap().id, "deadline\ndeadline");
    assert!(post(&provider, LONG).await.is_ok());
}
