//! `acknowledge`.

use dmplz_conformance::{Bench, JIN, Platform, choice, every_provider, question, watch};
use dmplz_core::messenger::{Chosen, MessageRef, ProviderError};

every_provider! {
    a_notice_reaches_the_person_who_pressed,
    without_a_notice_nothing_is_said,
    a_press_too_old_to_be_acknowledged_is_no_error,
    the_longest_notice_arrives_whole,
    a_notice_is_literal_and_pings_nobody,
    a_fresh_instance_can_acknowledge,
}

/// Posts a card, and presses it.
async fn pressed<P: Platform>(it: &Bench<P>) -> (MessageRef, String, Chosen) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Pressed")).await.unwrap();
    let press = it.press(&message, &choice("deny"), JIN).await;
    let chosen = it.presses(&[watch(&message, &question("Pressed"), false)], 1).await.remove(0);
    (message, press, chosen)
}

async fn a_notice_reaches_the_person_who_pressed<P: Platform>(it: &Bench<P>) {
    let (message, press, chosen) = pressed(it).await;
    it.acknowledge(&chosen, Some("You may not answer this request.")).await.unwrap();
    assert!(it.platform.await_told(&press, &message, "You may not answer this request.").await);
}

async fn without_a_notice_nothing_is_said<P: Platform>(it: &Bench<P>) {
    let (message, _, chosen) = pressed(it).await;
    it.acknowledge(&chosen, None).await.unwrap();
    assert_eq!(it.platform.shown(&message.chat).iter().filter(|shown| shown.by_bot).count(), 1);
}

async fn a_press_too_old_to_be_acknowledged_is_no_error<P: Platform>(it: &Bench<P>) {
    let (message, press, chosen) = pressed(it).await;
    it.platform.outdate(&press, &message);
    assert_eq!(it.acknowledge(&chosen, None).await, Ok(()));
    assert_eq!(it.acknowledge(&chosen, Some("too late")).await, Ok(()));
}

async fn the_longest_notice_arrives_whole<P: Platform>(it: &Bench<P>) {
    let (message, press, chosen) = pressed(it).await;
    let most = it.transport().limits.notice;
    // Nothing is longer once it is escaped.
    let notice = "*_".repeat(most / 2);
    it.acknowledge(&chosen, Some(&notice)).await.unwrap();
    assert!(it.platform.await_told(&press, &message, &notice).await);
    let refused = it.acknowledge(&chosen, Some(&"가".repeat(P::LONGEST + 1))).await;
    assert_eq!(refused, Err(ProviderError::TooLarge));
}

async fn a_notice_is_literal_and_pings_nobody<P: Platform>(it: &Bench<P>) {
    let (message, press, chosen) = pressed(it).await;
    let notice = format!("**@everyone** <@{}> https://example.com/", JIN.id);
    it.acknowledge(&chosen, Some(&notice)).await.unwrap();
    assert!(it.platform.await_told(&press, &message, &notice).await);
    assert_eq!(it.platform.side_effects(&message.chat), Vec::<String>::new());
}

async fn a_fresh_instance_can_acknowledge<P: Platform>(it: &Bench<P>) {
    let (message, press, chosen) = pressed(it).await;
    let other = it.connect(it.account()).await.unwrap();
    other.acknowledge(&chosen, Some("It has expired."), dmplz_conformance::SOON).await.unwrap();
    assert!(it.platform.await_told(&press, &message, "It has expired.").await);
}
