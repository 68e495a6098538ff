//! WebSockets that work.

use std::time::Duration;

use dmplz_plugin::Provider;
use tokio_tungstenite::tungstenite::Message;

use crate::bench::{Bench, LONG, Sockets, TOKEN, post};

/// A component that follows scripts, and may reach that server.
fn bench(server: &Sockets) -> Bench {
    Bench::doing("socket", "post").set("base", &server.origin.replace("ws://", "http://"))
}

/// Has `receive` follow a script, and answers what came of each line.
async fn follow(provider: &Provider, script: &str) -> String {
    provider.receive(script, &[], Duration::ZERO, LONG).await.unwrap().cursor
}

#[tokio::test]
async fn frames_go_both_ways_and_a_connection_lives_across_receives() {
    let mut server = Sockets::start().await;
    let bench = bench(&server);
    let provider = bench.start().await;
    assert_eq!(
        follow(&provider, &format!("connect {}/gateway?v=10\nsend hello", server.origin)).await,
        "connected\nok"
    );
    let mut peer = server.accept().await;
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
async fn pings_are_answered_while_no_export_runs() {
    let mut server = Sockets::start().await;
    let provider = bench(&server).start().await;
    follow(&provider, &format!("connect {}", server.origin)).await;
    let mut peer = server.accept().await;
    peer.send(Message::Ping("are you there".into())).await;
    assert_eq!(peer.hear().await, "pong");
}

#[tokio::test]
async fn a_secret_is_filled_into_a_frame_and_into_the_path() {
    let mut server = Sockets::start().await;
    let bench = bench(&server);
    let provider = bench.start().await;
    let script = format!("connect {}/{{secret:token}}\nsend {{\"token\":\"{{secret:token}}\"}}", server.origin);
    assert_eq!(follow(&provider, &script).await, "connected\nok");
    let mut peer = server.accept().await;
    assert_eq!(peer.hear().await, format!("{{\"token\":\"{TOKEN}\"}}"));
    assert!(server.heads()[0].starts_with(&format!("/{TOKEN}\n")), "{}", server.heads()[0]);
}
