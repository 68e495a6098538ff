//! Tests of how connections end.

use std::time::Duration;

use dmplz_core::messenger::ProviderError;

use super::{connected, follow};
use crate::bench::{LONG, SOON, Sockets, TOKEN, post};

#[tokio::test]
async fn what_the_server_said_last_is_told_after_what_it_said_before_and_again() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    peer.say("before").await;
    peer.close(4004, "Authentication failed.").await;
    assert_eq!(peer.hear().await, "close 4004");
    insta::assert_snapshot!(follow(&provider, "receive 5000\nreceive 5000\nreceive 0\nsend x\ndrop").await, @r#"
    before
    closed Some(4004) "Authentication failed."
    closed Some(4004) "Authentication failed."
    closed Some(4004) "Authentication failed."
    true
    "#);
}

#[tokio::test]
async fn a_reason_that_holds_a_secret_is_withheld() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    peer.close(4004, format!("bad token {TOKEN}")).await;
    assert_eq!(follow(&provider, "receive 5000").await, "closed Some(4004) \"(withheld: it held a secret)\"");
}

#[tokio::test]
async fn a_server_that_goes_away_without_a_word_gave_no_code() {
    let mut server = Sockets::start().await;
    let (provider, peer) = connected(&mut server).await;
    drop(peer);
    assert_eq!(follow(&provider, "receive 5000").await, "closed None \"\"");
}

/// Lets seconds pass for the connection alone: the time of an export must not be over.
async fn pass(seconds: u64) {
    tokio::time::pause();
    for _ in 0..seconds {
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    tokio::time::resume();
}

#[tokio::test]
async fn a_server_that_answers_pings_is_no_silent_one() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    for _ in 0..4 {
        pass(21).await;
        assert_eq!(peer.next().await, "ping");
        // The answer leaves with the next frame.
        peer.say("here").await;
        assert_eq!(follow(&provider, "receive 5000").await, "here");
    }
}

#[tokio::test]
async fn a_connection_over_which_nothing_came_for_a_minute_is_broken() {
    let mut server = Sockets::start().await;
    let (provider, _peer) = connected(&mut server).await;
    pass(61).await;
    assert_eq!(follow(&provider, "receive 5000").await, "unreachable: the server is silent");
}

#[tokio::test]
async fn the_component_says_goodbye_with_a_code_of_its_own() {
    for (code, said) in [(1000, 1000), (1001, 1001), (3000, 3000), (4999, 4999), (1005, 4000), (0, 4000), (9999, 4000)]
    {
        let mut server = Sockets::start().await;
        let (provider, mut peer) = connected(&mut server).await;
        peer.say("never fetched").await;
        let closed = format!("closed Some({said}) \"\"");
        let saw = follow(&provider, &format!("close {code}\nreceive 50\nsend x\nclose 1000\nreceive 0")).await;
        assert_eq!(saw, format!("said\n{closed}\n{closed}\nsaid\n{closed}"));
        assert_eq!(peer.hear().await, format!("close {said}"));
        assert_eq!(peer.hear().await, "end");
    }
}

#[tokio::test]
async fn a_connection_that_is_dropped_says_so_without_farewell() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    assert_eq!(follow(&provider, "drop\nreceive 0").await, "true\nnone is open");
    assert_eq!(peer.hear().await, "close 4000");
    assert_eq!(peer.hear().await, "end");
}

#[tokio::test]
async fn no_connection_outlives_its_instance() {
    for (deed, within) in [("trap", LONG), ("spin", SOON), ("receive 60000", LONG)] {
        let mut server = Sockets::start().await;
        let (provider, mut peer) = connected(&mut server).await;
        let waiting = provider.receive(deed, &[], Duration::ZERO, within);
        match tokio::time::timeout(SOON * 3, waiting).await {
            Ok(outcome) => {
                assert!(matches!(&outcome, Err(ProviderError::Broken(_) | ProviderError::Deadline)), "{deed}")
            }
            Err(_) => assert!(deed.starts_with("receive"), "{deed} does not end"),
        }
        assert_eq!(peer.hear().await, "close 4000", "{deed}");
        assert_eq!(follow(&provider, "receive 0").await, "none is open", "{deed}");
    }
}

#[tokio::test]
async fn no_connection_outlives_its_provider() {
    let mut server = Sockets::start().await;
    let (provider, mut peer) = connected(&mut server).await;
    post(&provider, LONG).await.unwrap();
    drop(provider);
    assert_eq!(peer.hear().await, "close 4000");
    assert_eq!(peer.hear().await, "end");
}
