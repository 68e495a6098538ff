use dmplz_protocol::Kind;
use dmplz_protocol::health::ReasonCode;
use futures_util::FutureExt;
use serde_json::json;
use tokio::time::advance;

use super::*;
use crate::approvals::Rules;
use crate::bus::{Bus, Subscription};

const START_MS: u64 = 1_790_000_000_000;

fn watched() -> (Health, Subscription) {
    let reason = dmplz_core::reason::ReasonRules { max_chars: 300, skip_keywords: vec![] };
    let rules = Rules { expiry: Duration::from_secs(300), reason_timeout: Duration::from_secs(60), reason };
    let approvals = Approvals::new(Bus::default(), rules, Arc::new(|| START_MS));
    let told = approvals.bus().subscribe(Kind::MESSENGERS);
    let health = Health::new(approvals, None);
    tokio::spawn(health.clone().watch());
    (health, told)
}

/// Lets the watch run until nothing is due, and returns the messages it published.
async fn news(told: &mut Subscription) -> Vec<serde_json::Value> {
    for _ in 0..8 {
        tokio::task::yield_now().await;
    }
    std::iter::from_fn(|| told.take()).map(|event| serde_json::to_value(&event.message).unwrap()).collect()
}

#[tokio::test(start_paused = true)]
async fn an_outage_is_told_once_after_a_minute_and_once_when_it_is_over() {
    let (health, mut told) = watched();
    health.expect("telegram");
    health.reachable("telegram");
    assert_eq!(news(&mut told).await, Vec::<serde_json::Value>::new());
    health.unreachable("telegram", "reach\u{202e} it");
    news(&mut told).await;
    advance(Duration::from_secs(30)).await;
    health.unreachable("telegram", "reach it at all");
    assert!(news(&mut told).await.is_empty() && !health.messengers()[0].alert);
    advance(Duration::from_secs(31)).await;
    let expected = json!({ "type": "messenger.unreachable", "messenger": "telegram", "sinceMs": START_MS, "why": "reach it at all" });
    assert_eq!(news(&mut told).await, [expected]);
    insta::assert_snapshot!(
        serde_json::to_string(&health.messengers()).unwrap(),
        @r#"[{"name":"telegram","reachable":false,"sinceMs":1790000000000,"why":"reach it at all","alert":true}]"#
    );
    advance(Duration::from_secs(3_600)).await;
    health.unreachable("telegram", "still");
    assert!(news(&mut told).await.is_empty());
    health.reachable("telegram");
    health.reachable("telegram");
    assert_eq!(news(&mut told).await, [json!({ "type": "messenger.reachable", "messenger": "telegram" })]);
    assert!(health.messengers()[0].reachable);
}

#[tokio::test(start_paused = true)]
async fn a_messenger_that_comes_and_goes_within_the_minute_is_no_alert() {
    let (health, mut told) = watched();
    for _ in 0..20 {
        health.unreachable("telegram", "flaps");
        news(&mut told).await;
        advance(Duration::from_secs(50)).await;
        health.reachable("telegram");
        assert!(news(&mut told).await.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_messenger_that_never_starts_is_an_alert_without_a_reason() {
    let (health, mut told) = watched();
    health.expect("discord");
    news(&mut told).await;
    advance(Duration::from_secs(61)).await;
    assert_eq!(
        news(&mut told).await,
        [json!({ "type": "messenger.unreachable", "messenger": "discord", "sinceMs": START_MS })]
    );
}

#[tokio::test(start_paused = true)]
async fn a_reason_shows_nothing_that_deceives_and_is_bounded() {
    let (health, _told) = watched();
    health.unreachable("telegram", &format!("\u{202e}\n{}", "x".repeat(10_000)));
    let why = health.messengers()[0].why.clone().unwrap();
    assert!(!why.contains(['\u{202e}', '\n']) && why.chars().count() == WHY, "{why}");
}

#[tokio::test]
async fn a_store_whose_threads_hang_or_have_ended_is_not_alive() {
    let dir = tempfile::tempdir().unwrap();
    let state = dmplz_state::StateDir::open(dir.path()).unwrap();
    let (disk, recovered) = Disk::open(&state, Default::default(), START_MS).await.unwrap();
    let (health, _told) = watched();
    let approvals = Approvals::over(
        disk.clone(),
        recovered,
        Bus::default(),
        health.shared.approvals.rules().clone(),
        Arc::new(|| START_MS),
    );
    let health = Health::new(approvals, Some(disk.clone()));
    assert!(health.is_alive(Duration::from_secs(30)).await);
    assert!(health.readiness().await.reasons.iter().all(|reason| reason.code == ReasonCode::NoSurface));
    // Another connection holds the database, so the writer waits.
    let database = rusqlite::Connection::open(dir.path().join("state.db")).unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut waiting = Box::pin(disk.probe());
    assert!((&mut waiting).now_or_never().is_none());
    assert!(!health.is_alive(Duration::from_millis(300)).await);
    database.execute_batch("ROLLBACK").unwrap();
    waiting.await.unwrap();
    assert!(health.is_alive(Duration::from_secs(30)).await);
    disk.close().await;
    assert!(!health.is_alive(Duration::from_secs(30)).await);
}
