//! Tests of WebSockets that work, and of those that do not.

mod ending;
mod limits;
mod refusing;
mod secrets;

use std::time::Duration;

use dmplz_plugin::Provider;
use tokio_tungstenite::tungstenite::Message;

use crate::bench::{Bench, LONG, Peer, Sockets, post};

/// Returns a bench whose component runs scripts in a persistent transport, and may reach this server.
fn reaching(origin: &str) -> Bench {
    let mut bench = Bench::doing("socket", "post").set("base", &origin.replace("ws://", "http://"));
    bench.account.transport = Some("persistent".to_owned());
    bench
}

/// Runs a script in `receive`. Returns the result of each line.
async fn follow(provider: &Provider, script: &str) -> String {
    provider.receive(script, &[], Duration::ZERO, LONG).await.unwrap().cursor
}

/// Returns a provider with an open connection, and the other side of it.
async fn connected(server: &mut Sockets) -> (Provider, Peer) {
    let provider = reaching(&server.origin).start().await;
    assert_eq!(follow(&provider, &format!("connect {}", server.origin)).await, "connected");
    (provider, server.accept().await)
}

#[tokio::test]
async fn frames_go_both_ways_and_a_connection_lives_across_receives() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    assert_eq!(follow(&provider, "send hello").await, "ok");
    assert_eq!(peer.hear().await, "hello");
    peer.say("안녕").await;
    post(&provider, LONG).await.unwrap();
    assert_eq!(follow(&provider, "receive 5000\nreceive 0").await, "안녕\nnothing");
    peer.say("{}").await;
    assert_eq!(follow(&provider, "receive 5000\nsend again").await, "{}\nok");
    assert_eq!(peer.hear().await, "again");
    assert_eq!(server.heads().len(), 1);
}

#[tokio::test]
async fn a_handshake_carries_nothing_but_what_it_must() {
    let mut server = Sockets::start().await;
    let provider = reaching(&server.origin).start().await;
    follow(&provider, &format!("connect {}/gateway?v=10&encoding=json#part", server.origin)).await;
    server.accept().await;
    let head = server.heads().remove(0).replace(server.origin.trim_start_matches("ws://"), "HOST");
    let head =
        head.split('\n').map(|line| if line.starts_with("sec-websocket-key") { "sec-websocket-key" } else { line });
    insta::assert_snapshot!(head.collect::<Vec<_>>().join("\n"), @"
    /gateway?v=10&encoding=json
    connection: Upgrade
    upgrade: websocket
    sec-websocket-version: 13
    sec-websocket-key
    user-agent: dmplz/0.1.0
    accept: */*
    host: HOST
    ");
}

#[tokio::test]
async fn pings_are_answered_while_no_export_runs() {
    let mut server = Sockets::start().await;
    let (_provider, mut peer) = connected(&mut server).await;
    peer.send(Message::Ping("are you there".into())).await;
    assert_eq!(peer.hear().await, "pong");
}

#[tokio::test]
async fn an_instance_of_another_export_has_connections_of_its_own() {
    let mut server = Sockets::start().await;
    let script = format!("receive 0\nconnect {}\nsend mine", server.origin);
    let provider = reaching(&server.origin).set("script", &script).start().await;
    follow(&provider, &format!("connect {}", server.origin)).await;
    let mut listening = server.accept().await;
    assert_eq!(post(&provider, LONG).await.unwrap().id, "none is open\nconnected\nok");
    assert_eq!(server.accept().await.hear().await, "mine");
    let both = tokio::join!(
        provider.receive("sleep 50\nsend first", &[], Duration::ZERO, LONG),
        provider.receive("receive 0", &[], Duration::ZERO, LONG),
    );
    assert_eq!((both.0.unwrap().cursor, both.1.unwrap().cursor), ("slept\nok".to_owned(), "none is open".to_owned()));
    assert_eq!(listening.hear().await, "first");
}

#[tokio::test]
async fn in_a_way_that_is_not_standing_receive_uses_the_instances_of_the_others() {
    let mut server = Sockets::start().await;
    let mut bench = reaching(&server.origin).set("script", &format!("connect {}", server.origin));
    bench.account.transport = None;
    let provider = bench.start().await;
    post(&provider, LONG).await.unwrap();
    assert_eq!(follow(&provider, "send the very same").await, "ok");
    assert_eq!(server.accept().await.hear().await, "the very same");
}

#[tokio::test]
async fn waiting_ends_by_itself_or_with_the_export_and_harms_no_connection() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    tokio::time::pause();
    let begun = tokio::time::Instant::now();
    assert_eq!(follow(&provider, "receive 15000").await, "nothing");
    assert!((15_000..15_100).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
    assert_eq!(follow(&provider, "receive 4000000000\nreceive 0\nsend x").await, "deadline\ndeadline\ndeadline");
    tokio::time::resume();
    peer.say("late").await;
    assert_eq!(follow(&provider, "receive 5000\nsend on time").await, "late\nok");
    assert_eq!(peer.hear().await, "on time");
}
