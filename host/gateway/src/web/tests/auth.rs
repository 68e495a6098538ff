use std::sync::atomic::Ordering;

use serde_json::json;

use super::desk::{Answer, Gateway, START_MS};
use crate::web::sessions::LIFE_SECONDS;

const LIST: &str = "GET /api/v1/approvals";

/// Headers with the host filled in.
async fn send(gateway: &Gateway, line: &str, headers: &[(&str, &str)]) -> Answer {
    let host = gateway.host();
    let headers: Vec<_> = [("host", host.as_str())].into_iter().chain(headers.iter().copied()).collect();
    gateway.send(line, &headers, line.starts_with("POST").then(|| json!({})).as_ref()).await
}

#[tokio::test]
async fn only_the_token_or_a_session_gets_in() {
    let gateway = Gateway::start().await;
    let cookie = gateway.paired().await;
    let secret = cookie.split_once('=').unwrap().1;
    let (bearer, lower) = (format!("Bearer {}", gateway.token), format!("bearer  {}", gateway.token));
    let (basic, twice) = (format!("Basic {}", gateway.token), format!("Bearer {} {}", gateway.token, gateway.token));
    let (wrong, short) = (format!("Bearer {}", "0".repeat(64)), format!("Bearer {}", &gateway.token[..63]));
    let upper = format!("Bearer {}", gateway.token.to_uppercase());
    let (tossed, as_token) = (format!("dmplz_session=x; {cookie}"), format!("Bearer {secret}"));
    let other_name = format!("DMPLZ_SESSION={secret}");
    let token_as_cookie = format!("dmplz_session={}", gateway.token);
    let cases: &[(&[(&str, &str)], u16)] = &[
        (&[], 401),
        (&[("authorization", &bearer)], 200),
        (&[("authorization", &lower)], 200),
        (&[("authorization", &basic)], 401),
        (&[("authorization", &twice)], 401),
        (&[("authorization", &wrong)], 401),
        (&[("authorization", &short)], 401),
        (&[("authorization", &upper)], 401),
        (&[("authorization", "Bearer")], 401),
        (&[("authorization", "Bearer ")], 401),
        (&[("authorization", &as_token)], 401),
        (&[("authorization", &bearer), ("authorization", &bearer)], 401),
        (&[("authorization", &wrong), ("cookie", &cookie)], 401),
        (&[("cookie", &cookie)], 200),
        (&[("cookie", &tossed)], 200),
        (&[("cookie", &other_name)], 401),
        (&[("cookie", &token_as_cookie)], 401),
        (&[("cookie", "dmplz_session=")], 401),
        (&[("cookie", "dmplz_session")], 401),
        (&[("cookie", &cookie[..cookie.len() - 1])], 401),
    ];
    for (headers, status) in cases {
        assert_eq!(send(&gateway, LIST, headers).await.status, *status, "{headers:?}");
    }
    let refused = send(&gateway, LIST, &[]).await;
    assert_eq!((refused.header("www-authenticate"), refused.code().as_str()), (Some("Bearer"), "unauthorized"));
}

#[tokio::test]
async fn host_and_origin_come_before_everything() {
    let gateway = Gateway::start().await;
    let cookie = gateway.paired().await;
    let (bearer, own, ours) = (format!("Bearer {}", gateway.token), gateway.origin(), gateway.host());
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    let answer = format!("POST /api/v1/approvals/{id}/answer");
    let rebound = format!("evil.example:{}", gateway.port);
    let rebound_origin = format!("http://{rebound}");
    // Host, Origin, by cookie, what becomes of GET, what becomes of POST with a body that cannot be understood.
    let cases: &[(&str, Option<&str>, bool, u16, u16)] = &[
        (&ours, None, true, 200, 403),
        (&ours, None, false, 200, 400),
        (&ours, Some(&own), true, 200, 400),
        (&ours, Some(&own), false, 200, 400),
        (&ours, Some("null"), true, 403, 403),
        (&ours, Some("null"), false, 403, 403),
        (&ours, Some("https://evil.example"), true, 403, 403),
        (&ours, Some("https://evil.example"), false, 403, 403),
        (&ours, Some("http://localhost:3000"), true, 403, 403),
        (&rebound, None, true, 403, 403),
        (&rebound, None, false, 403, 403),
        (&rebound, Some(&rebound_origin), true, 403, 403),
        (&rebound, Some(&own), true, 403, 403),
        ("dm.example.org", Some("https://dm.example.org"), true, 200, 400),
        ("dm.example.org", Some("http://dm.example.org"), true, 403, 403),
        (&ours, Some("https://dm.example.org"), true, 200, 400),
    ];
    for (host, origin, by_cookie, get, post) in cases {
        let mut headers = vec![("host", *host)];
        headers.extend(origin.map(|origin| ("origin", origin)));
        headers.push(if *by_cookie { ("cookie", cookie.as_str()) } else { ("authorization", bearer.as_str()) });
        for (line, status, body) in [(LIST, get, None), (&*answer, post, Some(json!({ "decision": "no" })))] {
            let got = gateway.send(line, &headers, body.as_ref()).await;
            assert_eq!(got.status, *status, "{line} {headers:?}");
        }
    }
    let none = gateway.raw(b"GET /api/v1/approvals HTTP/1.1\r\n\r\n").await;
    assert_eq!((none.status, none.code().as_str()), (400, "bad_request"));
}

#[tokio::test]
async fn a_form_of_another_site_does_nothing() {
    let gateway = Gateway::start().await;
    let cookie = gateway.paired().await;
    let id = gateway.asked("Bash", json!({ "command": "rm" })).await;
    let (host, body) = (gateway.host(), "{\"decision\":\"approve\",\"reason\":null}");
    let key = gateway.key(&cookie).unwrap();
    for (headers, status) in [
        ("origin: https://evil.example\r\nsec-fetch-site: cross-site\r\ncontent-type: text/plain".to_owned(), 403),
        ("sec-fetch-site: cross-site\r\ncontent-type: text/plain".to_owned(), 403),
        ("sec-fetch-site: same-site\r\ncontent-type: application/json".to_owned(), 403),
        ("content-type: text/plain".to_owned(), 403),
        (format!("origin: {}\r\ncontent-type: text/plain", gateway.origin()), 415),
        (format!("origin: {}\r\ncontent-type: application/x-www-form-urlencoded", gateway.origin()), 415),
        (format!("origin: {}\r\nx-none: 1", gateway.origin()), 415),
    ] {
        let text = format!(
            "POST /api/v1/approvals/{id}/answer HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\nx-dmplz-key: {key}\r\n{headers}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        assert_eq!(gateway.raw(text.as_bytes()).await.status, status, "{headers}");
    }
    assert_eq!(gateway.approvals.open().len(), 1);
}

#[tokio::test]
async fn a_code_lets_one_browser_in() {
    let gateway = Gateway::start().await;
    let code = gateway.pairing.create().unwrap().code;
    let answer = gateway.page("POST /api/v1/pair", "", Some(&json!({ "code": code.to_lowercase() }))).await;
    let key = answer.json()["key"].as_str().unwrap().to_owned();
    let text = String::from_utf8(answer.body.clone()).unwrap();
    insta::assert_snapshot!(text.replace(&key, "K"), @r#"{"name":"Ada","lang":"ko","key":"K"}"#);
    let cookie = answer.header("set-cookie").unwrap().to_owned();
    let value = answer.cookie().split_once('=').unwrap().1.to_owned();
    assert_eq!(cookie.replace(&value, "X"), "dmplz_session=X; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict");
    assert_eq!((value.len(), answer.header("cache-control")), (64, Some("no-store")));
    let again = gateway.page("POST /api/v1/pair", "", Some(&json!({ "code": code }))).await;
    assert_eq!((again.status, again.header("set-cookie")), (401, None));
    let session = gateway.page("GET /api/v1/session", &answer.cookie(), None).await;
    assert_eq!((session.status, session.json()), (200, json!({ "name": "Ada", "lang": "ko" })));
    let kept = format!("{:?}", gateway.kept.sessions.lock().unwrap());
    assert!(!kept.contains(&value[..8]) && !kept.contains(&key[..8]), "only a hash is kept");
}

/// Another port of this machine is shown our cookie, and nothing else of ours.
#[tokio::test]
async fn a_cookie_without_its_own_key_is_nobody() {
    let gateway = Gateway::start().await;
    let (mine, other) = (gateway.paired().await, gateway.paired().await);
    let (host, origin) = (gateway.host(), gateway.origin());
    let others = gateway.key(&other).unwrap();
    for (key, status) in [(gateway.key(&mine), 200), (Some(others), 401), (Some(String::new()), 401), (None, 401)] {
        let shown = key.map(|key| format!("x-dmplz-key: {key}\r\n")).unwrap_or_default();
        let text = format!("{LIST} HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\ncookie: {mine}\r\n{shown}\r\n");
        assert_eq!(gateway.raw(text.as_bytes()).await.status, status, "{shown}");
    }
}

#[tokio::test]
async fn a_cookie_is_secure_where_the_page_came_by_https() {
    let gateway = Gateway::start().await;
    let code = json!({ "code": gateway.pairing.create().unwrap().code });
    let headers = [("host", "dm.example.org"), ("origin", "https://dm.example.org")];
    let answer = gateway.send("POST /api/v1/pair", &headers, Some(&code)).await;
    assert!(answer.header("set-cookie").unwrap().ends_with("; HttpOnly; SameSite=Strict; Secure"));
}

#[tokio::test]
async fn pairing_needs_our_own_page() {
    let gateway = Gateway::start().await;
    let code = json!({ "code": gateway.pairing.create().unwrap().code });
    let host = gateway.host();
    for (headers, status) in [
        (vec![], 403),
        (vec![("origin", "https://evil.example")], 403),
        (vec![("origin", "null")], 403),
        (vec![("origin", &*gateway.origin()), ("sec-fetch-site", "same-site")], 403),
        (vec![("origin", &*gateway.origin())], 200),
    ] {
        let headers: Vec<_> = [("host", host.as_str())].into_iter().chain(headers).collect();
        assert_eq!(gateway.send("POST /api/v1/pair", &headers, Some(&code)).await.status, status, "{headers:?}");
    }
}

#[tokio::test]
async fn guessing_codes_ends_with_no_code_and_no_more_guesses() {
    let gateway = Gateway::with(|config| config.limits.pairing.each_second = 0.0).await;
    let cookie = gateway.paired().await;
    let code = gateway.pairing.create().unwrap().code;
    let guess = json!({ "code": "AAAA-AAAA" });
    let mut statuses = Vec::new();
    for _ in 0..15 {
        statuses.push(gateway.page("POST /api/v1/pair", "", Some(&guess)).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 9, "{statuses:?}");
    assert!(statuses[9..].iter().all(|status| *status == 429), "{statuses:?}");
    assert!(!gateway.pairing.redeem(&code), "wrong tries make the right code void");
    assert_eq!(gateway.page(LIST, &cookie, None).await.status, 200, "who is in stays in");
    let refused = gateway.page("POST /api/v1/pair", "", Some(&guess)).await;
    assert_eq!((refused.code().as_str(), refused.header("retry-after")), ("too_many_requests", Some("10")));
}

#[tokio::test]
async fn who_shows_wrong_tokens_is_slowed_and_nobody_else() {
    let gateway = Gateway::with(|config| config.limits.strangers.each_second = 0.0).await;
    let mut statuses = Vec::new();
    for number in 0..40 {
        let wrong = format!("Bearer {number:064}");
        statuses.push(send(&gateway, LIST, &[("authorization", &wrong)]).await.status);
    }
    assert!(statuses.contains(&401) && statuses.ends_with(&[429]), "{statuses:?}");
    assert_eq!(gateway.program(LIST, None).await.status, 200);
}

#[tokio::test]
async fn a_session_ends_by_time_and_by_logging_out() {
    let gateway = Gateway::start().await;
    let (first, second) = (gateway.paired().await, gateway.paired().await);
    let forged = send(&gateway, "POST /api/v1/logout", &[("cookie", &first)]).await;
    assert_eq!(forged.status, 403, "another site does not log anybody out");
    let over = gateway.page("POST /api/v1/logout", &first, Some(&json!({}))).await;
    assert_eq!(over.status, 204);
    assert!(over.header("set-cookie").unwrap().starts_with("dmplz_session=; Path=/; Max-Age=0;"));
    assert_eq!(gateway.page(LIST, &first, None).await.status, 401);
    assert_eq!(gateway.page(LIST, &second, None).await.status, 200);
    assert_eq!(gateway.kept.sessions.lock().unwrap().len(), 1);
    gateway.now_ms.store(START_MS + LIFE_SECONDS * 1_000 - 1, Ordering::SeqCst);
    assert_eq!(gateway.page(LIST, &second, None).await.status, 200);
    gateway.now_ms.store(START_MS + LIFE_SECONDS * 1_000, Ordering::SeqCst);
    assert_eq!(gateway.page(LIST, &second, None).await.status, 401);
    assert_eq!(gateway.program("POST /api/v1/logout", Some(&json!({}))).await.status, 204);
}

#[tokio::test]
async fn a_disk_that_fails_lets_nobody_in() {
    let gateway = Gateway::start().await;
    let known = gateway.paired().await;
    gateway.kept.is_broken.store(true, Ordering::SeqCst);
    let code = json!({ "code": gateway.pairing.create().unwrap().code });
    let answer = gateway.page("POST /api/v1/pair", "", Some(&code)).await;
    assert_eq!((answer.status, answer.code().as_str(), answer.header("set-cookie")), (503, "not_recorded", None));
    let host = gateway.host();
    let unknown = [("host", host.as_str()), ("cookie", "dmplz_session=unknown"), ("x-dmplz-key", "unknown")];
    assert_eq!(gateway.send(LIST, &unknown, None).await.status, 503);
    assert_eq!(gateway.page(LIST, &known, None).await.status, 200);
    assert_eq!(gateway.page("POST /api/v1/logout", &known, Some(&json!({}))).await.status, 503);
}

#[tokio::test]
async fn nothing_that_is_told_holds_a_secret() {
    let gateway = Gateway::start().await;
    let cookie = gateway.paired().await;
    let secret = cookie.split_once('=').unwrap().1;
    for line in [LIST, "GET /api/v1/session", "GET /api/v1/openapi.json", "GET /", "GET /nothing"] {
        let answers = [gateway.page(line, &cookie, None).await, gateway.program(line, None).await];
        for answer in answers {
            let all = format!("{:?} {}", answer.headers, String::from_utf8_lossy(&answer.body));
            assert!(!all.contains(secret) && !all.contains(&gateway.token), "{line}");
        }
    }
}
