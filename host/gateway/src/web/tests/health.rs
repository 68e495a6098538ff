//! The routes for supervisors and monitoring.

use std::time::Duration;

use serde_json::{Value, json};

use super::desk::{Answer, Gateway};
use crate::health::Polled;

async fn get(gateway: &Gateway, path: &str) -> Answer {
    gateway.send(&format!("GET {path}"), &[("host", &gateway.host())], None).await
}

async fn scrape(gateway: &Gateway, token: &str) -> Answer {
    let (host, bearer) = (gateway.host(), format!("Bearer {token}"));
    gateway.send("GET /metrics", &[("host", &host), ("authorization", &bearer)], None).await
}

/// Returns the status of `/readyz` and the codes of its reasons.
async fn missing(gateway: &Gateway) -> (u16, Vec<Value>) {
    let answer = get(gateway, "/readyz").await;
    let reasons = answer.json()["reasons"].as_array().unwrap().iter().map(|reason| reason["code"].clone()).collect();
    assert_eq!(answer.json()["ready"], answer.status == 200);
    (answer.status, reasons)
}

#[tokio::test]
async fn a_process_that_serves_says_so_to_anybody_and_nothing_else() {
    let gateway = Gateway::start().await;
    let answer = get(&gateway, "/healthz").await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "alive": true })));
}

#[tokio::test]
async fn a_gateway_is_ready_while_nothing_is_missing() {
    let mut gateway = Gateway::start().await;
    assert_eq!(missing(&gateway).await, (200, vec![]));
    let health = gateway.health.clone();
    health.expect("telegram");
    assert_eq!(missing(&gateway).await, (503, vec![json!("messenger_starting")]));
    health.unreachable("telegram", "reach https://example.org/bot123:secret");
    let answer = get(&gateway, "/readyz").await;
    insta::assert_snapshot!(answer.json(), @r#"{"ready":false,"reasons":[{"code":"messenger_unreachable","message":"telegram cannot be reached"}]}"#);
    health.reachable("telegram");
    assert_eq!(missing(&gateway).await, (200, vec![]));
    health.socket(Some("it is gone".to_owned()));
    gateway.surface.take();
    assert_eq!(missing(&gateway).await, (503, vec![json!("socket_unreachable"), json!("no_surface")]));
}

#[tokio::test]
async fn a_gateway_whose_store_cannot_be_written_to_is_not_ready() {
    let gateway = Gateway::start().await;
    let database = rusqlite::Connection::open(gateway.state.join("state.db")).unwrap();
    database.execute_batch("DROP TABLE invocations").unwrap();
    assert_eq!(missing(&gateway).await, (503, vec![json!("store_failing")]));
    gateway.health.is_alive(Duration::from_secs(30)).await.then_some(()).expect("a store that fails answers");
}

#[tokio::test]
async fn metrics_are_for_either_token_and_the_one_for_metrics_is_for_nothing_else() {
    let gateway = Gateway::start().await;
    for (token, status) in [(&*gateway.metrics_token, 200), (&gateway.token, 200), ("", 401), (&"0".repeat(64), 401)] {
        assert_eq!(scrape(&gateway, token).await.status, status, "{token}");
    }
    let (host, bearer) = (gateway.host(), format!("Bearer {}", gateway.metrics_token));
    for line in ["GET /api/v1/approvals", "GET /api/v1/metrics", "GET /ws"] {
        let answer = gateway.send(line, &[("host", &host), ("authorization", &bearer)], None).await;
        assert_eq!(answer.status, 401, "{line}");
    }
}

#[tokio::test]
async fn a_caller_without_a_token_is_told_which_file_has_it() {
    let gateway = Gateway::start().await;
    for (path, file) in [("/metrics", "metrics.token"), ("/api/v1/metrics", "gateway.token")] {
        let answer = get(&gateway, path).await;
        let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
        assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some("Bearer")), "{path}");
        assert!(message.starts_with(&format!("show the token of {file} as `Authorization: Bearer`")), "{message}");
        assert!(
            !message.contains(gateway.state.to_str().unwrap()),
            "where it really is, is for the operator: {message}"
        );
    }
}

/// Returns the samples of a text, after checking that each belongs to a declared family.
fn samples(text: &str) -> Vec<(String, f64)> {
    let (mut family, mut samples) = (String::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        match words[..] {
            ["#", "HELP", name, help] => assert!(!help.is_empty() && name != family, "{line}"),
            ["#", "TYPE", name, kind] => {
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                assert_eq!(name.ends_with("_total"), kind == "counter", "{line}");
                family = name.to_owned();
            }
            _ => {
                let (name, value) = line.rsplit_once(' ').unwrap();
                let plain = name.split('{').next().unwrap();
                let suffixes = ["", "_bucket", "_sum", "_count"];
                assert!(suffixes.iter().any(|suffix| plain == format!("{family}{suffix}")), "{line} in {family}");
                samples.push((name.to_owned(), value.parse().unwrap()));
            }
        }
    }
    samples
}

#[tokio::test]
async fn metrics_tell_what_waits_what_ended_and_how_messengers_do() {
    let gateway = Gateway::start().await;
    let health = gateway.health.clone();
    health.expect("telegram");
    health.reachable("telegram");
    health.unreachable("discord", "token");
    for how in [Polled::Ok, Polled::Ok, Polled::Conflict] {
        health.polled("telegram", how);
    }
    let waiting = health.waiting("telegram");
    waiting.set(3);
    gateway.asked("Bash", json!({ "command": "true" })).await;
    let id = gateway.asked("Bash", json!({ "command": "secret words" })).await;
    gateway.program(&format!("POST /api/v1/approvals/{id}/answer"), Some(&json!({ "decision": "deny" }))).await;
    let answer = scrape(&gateway, &gateway.metrics_token).await;
    let text = String::from_utf8(answer.body).unwrap();
    assert!(!text.contains("secret words") && !text.contains(&gateway.token));
    let samples = samples(&text);
    let value =
        |name: &str| samples.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name}\n{text}")).1;
    for (name, expected) in [
        ("dmplz_build_info{version=\"0.1.0\"}", 1.0),
        ("dmplz_open_requests", 1.0),
        ("dmplz_requests_total", 2.0),
        ("dmplz_requests_ended_total{outcome=\"rejected_no_reason\",surface=\"rest\"}", 1.0),
        ("dmplz_surfaces{surface=\"other\"}", 1.0),
        ("dmplz_messenger_up{messenger=\"telegram\"}", 1.0),
        ("dmplz_messenger_up{messenger=\"discord\"}", 0.0),
        ("dmplz_messenger_waiting_requests{messenger=\"telegram\"}", 3.0),
        ("dmplz_messenger_polls_total{messenger=\"telegram\",result=\"ok\"}", 2.0),
        ("dmplz_messenger_polls_total{messenger=\"telegram\",result=\"conflict\"}", 1.0),
        ("dmplz_store_commit_failures_total", 0.0),
    ] {
        assert_eq!(value(name), expected, "{name}");
    }
    assert!(value("dmplz_messenger_last_poll_age_seconds{messenger=\"telegram\"}") >= 0.0);
    assert!(value("dmplz_store_bytes{file=\"database\"}") > 0.0);
    let buckets: Vec<f64> = samples
        .iter()
        .filter(|(name, _)| name.starts_with("dmplz_store_commit_seconds_bucket"))
        .map(|it| it.1)
        .collect();
    assert!(buckets.is_sorted() && buckets.last() == Some(&value("dmplz_store_commit_seconds_count")), "{buckets:?}");
    if cfg!(target_os = "linux") {
        assert!(value("process_resident_memory_bytes") > 1e6 && value("process_open_fds") > 3.0);
        assert!(value("process_max_fds") > 3.0 && value("process_cpu_seconds_total") >= 0.0);
    }
    drop(waiting);
    let text = String::from_utf8(scrape(&gateway, &gateway.metrics_token).await.body).unwrap();
    assert!(text.contains("dmplz_messenger_waiting_requests{messenger=\"telegram\"} 0\n"));
}
