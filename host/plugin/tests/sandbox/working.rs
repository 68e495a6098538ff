//! Tests of a component that behaves.

use std::time::Duration;

use dmplz_core::messenger::ProviderError;

use crate::bench::{Bench, LONG, Reply, Server, TOKEN, card, message, post, press, room};

#[tokio::test]
async fn every_export_answers() {
    let provider = Bench::new().start().await;
    assert_eq!(provider.manifest().name, "hostile");
    assert_eq!(provider.open(&room(), LONG).await.unwrap().id, "room");
    assert_eq!(provider.diagnose(&room(), LONG).await.unwrap().bot_name, "hostile");
    assert_eq!(post(&provider, LONG).await.unwrap(), message());
    provider.revise(&message(), &card(), LONG).await.unwrap();
    assert_eq!(provider.receive("7", &[], Duration::ZERO, LONG).await.unwrap().cursor, "7");
    provider.acknowledge(&press(), Some("noted"), LONG).await.unwrap();
}

#[tokio::test]
async fn a_request_carries_the_secret_where_it_belongs_and_the_component_never_sees_it() {
    let server = Server::start(|_| Reply::text("hello")).await;
    let bench = Bench::fetching(&server.url("/any/path/bot{secret:token}/sendMessage?x=1#f"))
        .set("base", &server.url("/any/path/"))
        .set("method", "POST")
        .set("headers", "content-type: text/plain\nX-One: 1")
        .set("body", "{secret:token} stays as it is");
    let saw = bench.post().await;
    assert!(saw.starts_with("200") && saw.ends_with("hello"), "{saw}");
    let seen = server.seen();
    assert_eq!(seen[0].line, format!("POST /any/path/bot{TOKEN}/sendMessage?x=1 HTTP/1.1"));
    assert_eq!(seen[0].body, "{secret:token} stays as it is");
    assert!(seen[0].headers.contains(&"x-one: 1".to_owned()));
    assert!(seen[0].headers.contains(&format!("host: {}", server.origin.trim_start_matches("http://"))));
    assert!(!saw.contains("AAHdq") && !bench.log().contains("AAHdq"));
    let traced = format!("POST {} -> 200 (", server.url("/any/path/bot{secret:token}/sendMessage?x=1#f"));
    assert!(bench.log().contains(&traced), "{}", bench.log());
}

#[tokio::test]
async fn a_secret_goes_into_a_header_for_credentials() {
    let server = Server::start(|_| Reply::text("ok")).await;
    for name in ["authorization", "X-Auth-Token", "x-api-key"] {
        let bench = Bench::fetching(&server.url("/")).set("base", &server.origin);
        bench.set("headers", &format!("{name}: Bot {{secret:token}}")).post().await;
        let sent = server.seen().pop().unwrap();
        assert!(sent.headers.contains(&format!("{}: Bot {TOKEN}", name.to_lowercase())), "{sent:?}");
    }
}

#[tokio::test]
async fn one_connection_serves_many_requests_and_instances() {
    let server = Server::start(|_| Reply::text("ok")).await;
    let provider = Bench::fetching(&server.url("/")).set("base", &server.origin).start().await;
    for _ in 0..3 {
        post(&provider, LONG).await.unwrap();
    }
    drop(provider.receive("", &[], Duration::ZERO, LONG));
    let (a, b) = tokio::join!(post(&provider, LONG), post(&provider, LONG));
    assert!(a.is_ok() && b.is_ok());
    let connections: Vec<_> = server.seen().iter().map(|seen| seen.connection).collect();
    assert_eq!(connections[..4], [0, 0, 0, 0]);
    assert!(connections.iter().all(|connection| *connection <= 1));
}

#[tokio::test]
async fn a_kept_connection_that_the_server_closed_is_replaced() {
    let server = Server::start(|seen| match seen.connection {
        0 => Reply::Http(200, vec![("connection", "close".to_owned())], b"first".to_vec()),
        _ => Reply::text("second"),
    })
    .await;
    let provider = Bench::fetching(&server.url("/")).set("base", &server.origin).start().await;
    assert!(post(&provider, LONG).await.unwrap().id.ends_with("first"));
    assert!(post(&provider, LONG).await.unwrap().id.ends_with("second"));
}

#[tokio::test]
async fn a_redirect_inside_the_origin_is_followed() {
    let server = Server::start(|seen| match seen.line.as_str() {
        "GET /old HTTP/1.1" => Reply::Http(302, vec![("location", "new?y=2".to_owned())], Vec::new()),
        line => Reply::text(line),
    })
    .await;
    let saw = Bench::fetching(&server.url("/old")).set("base", &server.origin).post().await;
    assert!(saw.ends_with("GET /new?y=2 HTTP/1.1"), "{saw}");
}

#[tokio::test]
async fn what_the_provider_answers_as_an_error_is_that_error_and_keeps_its_instance() {
    let bench = Bench::doing("fail", "post").set("text", "no such thing");
    let provider = bench.start().await;
    assert_eq!(post(&provider, LONG).await, Err(ProviderError::Other(Some("no such thing".to_owned()))));
    assert!(!bench.log().contains("thrown away"));
}

#[tokio::test]
async fn it_is_told_a_deadline_before_the_real_one() {
    let bench = Bench::doing("say", "post").set("text", "a\u{1b}[31mb\nc\u{202e}");
    let left: u64 = bench.post().await.parse().unwrap();
    assert!((19_500..=19_900).contains(&left), "{left}");
    insta::assert_snapshot!(bench.log(), @"Warn hostile: a␛[31mb␊c⟨U+202E⟩");
}

/// The desk may move calls between threads.
#[test]
fn calls_may_be_spawned() {
    fn spawnable<F: Future + Send>(_: fn() -> F) {}
    spawnable(|| async {
        let provider = Bench::new().start().await;
        let _ = post(&provider, LONG).await;
        let _ = provider.receive("", &[], LONG, LONG).await;
        let _ = provider.acknowledge(&press(), None, LONG).await;
    });
}
