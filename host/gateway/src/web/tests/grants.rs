use std::fs;

use dmplz_state::StateDir;
use serde_json::json;

use super::browser::{Browser, call};
use super::desk::Gateway;
use crate::grants::tests::given;

const LIST: &str = "GET /api/v1/grants";

#[tokio::test]
async fn grants_are_listed_and_taken_back_by_whoever_may_answer() {
    let gateway = Gateway::start().await;
    assert_eq!(gateway.program(LIST, None).await.json(), json!({ "grants": [] }));
    let state = StateDir::open(&gateway.state).unwrap();
    let grant = given(&state, 1, None);
    let other = given(&state, 2, Some("s1"));
    let listed = gateway.program(LIST, None).await.json();
    assert_eq!(
        listed["grants"][0],
        json!({
            "id": grant.id, "requestId": grant.request_id, "tool": "Write", "kind": "file", "what": "/work/1",
            "folder": "/work",
            "about": "Write, 정확히 이 파일: /work/1 (폴더 /work)",
            "createdMs": 1_790_000_000_000_u64, "untilMs": 1_790_001_800_000_u64,
            "by": { "surface": "telegram", "id": "7", "name": "Jin" },
        })
    );
    assert_eq!(listed["grants"][1]["sessionId"], "s1");
    let mut page = Browser::paired(&gateway).await.online(&gateway).await;
    let revoked = call(&mut page, "grants.revoke", json!({ "id": grant.id })).await["result"].clone();
    assert_eq!((&revoked["grant"], &revoked["recorded"]), (&listed["grants"][0], &json!(true)));
    assert_eq!(gateway.program(LIST, None).await.json()["grants"], json!([listed["grants"][1]]));
    let log = fs::read_to_string(gateway.state.join("grants.jsonl")).unwrap();
    assert!(log.contains(r#""by":{"surface":"web","id":"owner","name":"Ada"}"#), "{log}");
    let upper = other.id.to_uppercase();
    for id in
        [&grant.id, "", "/", "%20", "%00", "*", "0", "02", "020a", &other.id[..31], &upper, "..", "..%2f", "%2e%2e"]
    {
        let none = gateway.program(&format!("DELETE /api/v1/grants/{id}"), None).await;
        assert_eq!((none.status, none.code().as_str()), (404, "not_found"), "{id}");
    }
    assert_eq!(gateway.program(&format!("DELETE /api/v1/grants/{}", other.id), None).await.status, 200);
}

#[tokio::test]
async fn strangers_and_other_pages_neither_see_grants_nor_take_them_back() {
    let gateway = Gateway::start().await;
    let grant = given(&StateDir::open(&gateway.state).unwrap(), 1, None);
    let (host, line) = (gateway.host(), format!("DELETE /api/v1/grants/{}", grant.id));
    let bearer = format!("Bearer {}", gateway.token);
    for (line, headers, status) in [
        (LIST, vec![("host", host.as_str())], 401),
        (line.as_str(), vec![("host", host.as_str())], 401),
        (line.as_str(), vec![("host", host.as_str()), ("origin", &*gateway.origin())], 401),
        (
            line.as_str(),
            vec![("host", host.as_str()), ("authorization", &bearer), ("origin", "http://localhost:3000")],
            403,
        ),
        (LIST, vec![("host", host.as_str()), ("authorization", &bearer), ("origin", "https://evil.example")], 403),
    ] {
        assert_eq!(gateway.send(line, &headers, None).await.status, status, "{line} {headers:?}");
    }
    assert_eq!(gateway.program(LIST, None).await.json()["grants"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_list_that_cannot_be_used_is_said_to_be_so() {
    let gateway = Gateway::start().await;
    fs::create_dir_all(&gateway.state).unwrap();
    fs::write(gateway.state.join("grants.json"), "[").unwrap();
    for line in [LIST, "DELETE /api/v1/grants/01"] {
        let answer = gateway.program(line, None).await;
        assert_eq!((answer.status, answer.code().as_str()), (503, "not_recorded"), "{line}");
    }
}
