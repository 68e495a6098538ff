use serde_json::json;

use super::desk::{Answer, Gateway};
use crate::web::Rate;

const LIST: &str = "GET /api/v1/approvals";

/// Sends a request with the `Host` header filled in.
async fn send(gateway: &Gateway, line: &str, headers: &[(&str, &str)]) -> Answer {
    let host = gateway.host();
    let headers: Vec<_> = [("host", host.as_str())].into_iter().chain(headers.iter().copied()).collect();
    gateway.send(line, &headers, line.starts_with("POST").then(|| json!({})).as_ref()).await
}

#[tokio::test]
async fn only_the_token_gets_in() {
    let gateway = Gateway::start().await;
    let (bearer, lower) = (format!("Bearer {}", gateway.token), format!("bearer  {}", gateway.token));
    let (basic, twice) = (format!("Basic {}", gateway.token), format!("Bearer {} {}", gateway.token, gateway.token));
    let (wrong, short) = (format!("Bearer {}", "0".repeat(64)), format!("Bearer {}", &gateway.token[..63]));
    let upper = format!("Bearer {}", gateway.token.to_uppercase());
    let (cookie, origin) = (format!("dmplz_session={}", gateway.token), gateway.origin());
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
        (&[("authorization", &bearer), ("authorization", &bearer)], 401),
        (&[("cookie", &cookie)], 401),
        (&[("origin", &origin)], 401),
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
    let (bearer, own, ours) = (format!("Bearer {}", gateway.token), gateway.origin(), gateway.host());
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    let answer = format!("POST /api/v1/approvals/{id}/answer");
    let rebound = format!("evil.example:{}", gateway.port);
    let rebound_origin = format!("http://{rebound}");
    // Host, Origin, status of a GET, status of a POST with a malformed body.
    let cases: &[(&str, Option<&str>, u16, u16)] = &[
        (&ours, None, 200, 400),
        (&ours, Some(&own), 200, 400),
        (&ours, Some("null"), 403, 403),
        (&ours, Some("https://evil.example"), 403, 403),
        (&ours, Some("http://localhost:3000"), 403, 403),
        (&rebound, None, 403, 403),
        (&rebound, Some(&rebound_origin), 403, 403),
        (&rebound, Some(&own), 403, 403),
        ("dm.example.org", Some("https://dm.example.org"), 200, 400),
        ("dm.example.org", Some("http://dm.example.org"), 403, 403),
        (&ours, Some("https://dm.example.org"), 200, 400),
    ];
    for (host, origin, get, post) in cases {
        let mut headers = vec![("host", *host), ("authorization", bearer.as_str())];
        headers.extend(origin.map(|origin| ("origin", origin)));
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
    let id = gateway.asked("Bash", json!({ "command": "rm" })).await;
    let (host, body) = (gateway.host(), "{\"decision\":\"approve\"}");
    let token = format!("authorization: Bearer {}", gateway.token);
    for (headers, status) in [
        (
            format!(
                "{token}\r\norigin: https://evil.example\r\nsec-fetch-site: cross-site\r\ncontent-type: text/plain"
            ),
            403,
        ),
        (format!("{token}\r\nsec-fetch-site: cross-site\r\ncontent-type: text/plain"), 403),
        (format!("{token}\r\nsec-fetch-site: same-site\r\ncontent-type: application/json"), 403),
        (format!("{token}\r\ncontent-type: text/plain"), 415),
        (format!("{token}\r\ncontent-type: application/x-www-form-urlencoded"), 415),
        (format!("{token}\r\nx-none: 1"), 415),
        (format!("origin: {}\r\ncontent-type: application/json", gateway.origin()), 401),
        ("content-type: application/json".to_owned(), 401),
    ] {
        let text = format!(
            "POST /api/v1/approvals/{id}/answer HTTP/1.1\r\nhost: {host}\r\n{headers}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        assert_eq!(gateway.raw(text.as_bytes()).await.status, status, "{headers}");
    }
    assert_eq!(gateway.approvals.open().len(), 1);
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
async fn who_reads_the_metrics_too_often_is_slowed_and_no_program() {
    let rate = Rate { burst: 2.0, each_second: 0.0 };
    let gateway = Gateway::with(|config| config.limits.program = rate).await;
    let scraper = format!("Bearer {}", gateway.metrics_token);
    for status in [200, 200, 429] {
        assert_eq!(send(&gateway, "GET /metrics", &[("authorization", &scraper)]).await.status, status);
    }
    for line in [LIST, "GET /metrics"] {
        assert_eq!(gateway.program(line, None).await.status, 200, "{line}");
    }
}

#[tokio::test]
async fn nothing_that_is_told_holds_a_secret() {
    let gateway = Gateway::start().await;
    for line in [LIST, "GET /api/v1/openapi.json", "GET /", "GET /nothing"] {
        let answer = gateway.program(line, None).await;
        let all = format!("{:?} {}", answer.headers, String::from_utf8_lossy(&answer.body));
        assert!(!all.contains(&gateway.token), "{line}");
        assert_eq!(answer.header("set-cookie"), None, "{line}");
    }
}
