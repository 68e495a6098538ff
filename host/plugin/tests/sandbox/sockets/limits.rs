//! Too much of something.

use std::time::Duration;

use tokio_tungstenite::tungstenite::Message;

use super::{connected, follow, reaching};
use crate::bench::{LONG, Sockets, post};

#[tokio::test]
async fn an_instance_has_two_connections_at_a_time() {
    let server = Sockets::start().await;
    let provider = reaching(&server.origin).start().await;
    let connect = format!("connect {}", server.origin);
    let script = [&connect, &connect, &connect, "drop", &connect].join("\n");
    let saw = follow(&provider, &script);
    assert_eq!(saw.await, "connected\nconnected\nrefused: there are 2 connections already\ntrue\nconnected");
}

#[tokio::test]
async fn thousands_of_connections_are_opened_by_no_number_of_instances() {
    let server = Sockets::start().await;
    let script = format!("open 2000 {}", server.origin);
    let provider = reaching(&server.origin).set("script", &script).start().await;
    assert_eq!(follow(&provider, &script).await, "120 ok, 1880 overflow");
    assert_eq!(post(&provider, LONG).await.unwrap().id, "2000 overflow");
    assert_eq!(server.waiting(), 120);
}

#[tokio::test]
async fn a_frame_that_is_too_large_does_not_leave() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    assert_eq!(follow(&provider, "giant 65537\ngiant 65536\nsend small").await, "toolarge\nok\nok");
    assert_eq!(peer.hear().await.len(), 65_536);
    assert_eq!(peer.hear().await, "small");
}

#[tokio::test]
async fn too_many_frames_do_not_leave_and_the_connection_stays() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    assert_eq!(follow(&provider, "flood 5000").await, "120 ok, 4880 overflow");
    for _ in 0..2 {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(30)).await;
        tokio::time::resume();
        // A server that says nothing for a minute would be given up.
        peer.say("here").await;
        assert_eq!(follow(&provider, "receive 5000").await, "here");
    }
    assert_eq!(follow(&provider, "flood 1\nclose 1000").await, "1 ok\nsaid");
    assert_eq!(peer.count().await, (121, "close 1000".to_owned()));
}

#[tokio::test]
async fn who_does_not_listen_costs_the_export_its_time_and_nothing_more() {
    let mut server = Sockets::start().await;
    let (provider, peer) = connected(&mut server).await;
    let sent = provider.receive("giants 120", &[], Duration::ZERO, Duration::from_secs(2)).await.unwrap().cursor;
    assert!(sent.contains(" deadline") && sent.contains(" ok"), "{sent}");
    drop(provider);
    drop(peer);
}

#[tokio::test]
async fn a_frame_that_arrives_too_large_closes_the_connection() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    peer.say("x".repeat(4 << 20)).await;
    assert_eq!(follow(&provider, "receive 5000").await, "4194304 bytes");
    peer.say("x".repeat((4 << 20) + 1)).await;
    assert_eq!(follow(&provider, "receive 5000\nreceive 0\nsend x").await, "toolarge\ntoolarge\ntoolarge");
}

#[tokio::test]
async fn fragments_count_together() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    for fragment in 0..5 {
        let mut bytes = vec![u8::from(fragment == 0), 127, 0, 0, 0, 0, 0, 0x10, 0, 0];
        bytes.resize(10 + (1 << 20), b'x');
        peer.write(&bytes).await;
    }
    assert_eq!(follow(&provider, "receive 5000").await, "toolarge");
}

#[tokio::test]
async fn frames_that_are_not_text_close_the_connection() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    peer.send(Message::Binary(vec![0xff; 8].into())).await;
    assert_eq!(follow(&provider, "receive 5000").await, "refused: a frame that arrived is not text");
    assert_eq!(peer.hear().await, "close 1003");
    for (bytes, what) in [
        (&[0x81, 0x02, 0xc3, 0x28][..], "not UTF-8"),
        (&[0xc1, 0x00], "a compressed frame"),
        (&[0x81, 0x81, 0, 0, 0, 0, b'x'], "a masked frame"),
        (&[0x80, 0x00], "the rest of nothing"),
        (&[b'H'; 128], "no frame at all"),
    ] {
        let (provider, mut peer) = connected(&mut server).await;
        peer.write(bytes).await;
        let saw = follow(&provider, "receive 5000").await;
        assert!(saw.starts_with("unreachable: "), "{what}: {saw}");
        assert_eq!(peer.hear().await, "close 1002", "{what}");
    }
}

#[tokio::test]
async fn what_nobody_fetches_is_kept_up_to_a_count() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    for _ in 0..1_002 {
        peer.say("").await;
    }
    assert_eq!(peer.hear().await, "close 1008");
    assert_eq!(follow(&provider, "all 0\nsend x").await, "1000, overflow\noverflow");
}

#[tokio::test]
async fn what_nobody_fetches_is_kept_up_to_a_size() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    for _ in 0..3 {
        peer.say("x".repeat(3 << 20)).await;
    }
    assert_eq!(peer.hear().await, "close 1008");
    assert_eq!(follow(&provider, "all 0").await, "2, overflow");
}
