use serde_json::{Value, json};

use super::desk::Gateway;

/// Returns the report of an invocation once it has ended.
async fn ended(gateway: &Gateway, id: &str) -> Value {
    loop {
        let report = gateway.program(&format!("GET /api/v1/tools/{id}"), None).await;
        assert_eq!(report.status, 200);
        if !["awaiting_approval", "running"].contains(&report.json()["state"].as_str().unwrap()) {
            return report.json();
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_command_runs_once_it_is_allowed_and_never_when_it_is_denied() {
    let gateway = Gateway::start().await;
    for (decision, state) in [("approve", "succeeded"), ("deny", "forbidden")] {
        let command = json!({ "argv": ["echo", "a  b"], "cwd": "/", "env": { "A": "1" }, "timeoutMs": 20_000 });
        let invoked = gateway.program("POST /api/v1/tools", Some(&command)).await;
        assert_eq!((invoked.status, &invoked.json()["awaitingApproval"]), (200, &json!(true)), "{invoked:?}");
        let id = invoked.json()["invocationId"].as_str().unwrap().to_owned();
        let waiting = gateway.program(&format!("GET /api/v1/tools/{id}"), None).await;
        assert_eq!(waiting.json()["state"], "awaiting_approval");
        let list = gateway.program("GET /api/v1/approvals", None).await.json();
        let asked = &list["approvals"][0];
        assert_eq!(asked["source"], json!({ "kind": "tool", "invocationId": id }));
        assert!(asked["shown"][0]["text"].as_str().unwrap().contains("'a  b'"), "{asked}");
        let line = format!("POST /api/v1/approvals/{}/answer", asked["id"].as_str().unwrap());
        assert_eq!(gateway.program(&line, Some(&json!({ "decision": decision }))).await.status, 200);
        let report = ended(&gateway, &id).await;
        assert_eq!(report["state"], state);
        match decision {
            "approve" => assert_eq!(report["output"], json!([{ "stream": "stdout", "text": "a  b\n" }])),
            _ => assert_eq!(report["error"]["code"], "ERR_FORBIDDEN"),
        }
    }
}

#[tokio::test]
async fn what_is_no_command_is_refused() {
    let gateway = Gateway::start().await;
    for command in [
        json!({}),
        json!({ "argv": "ls", "cwd": "/" }),
        json!({ "argv": [], "cwd": "/" }),
        json!({ "argv": ["ls"], "cwd": "here" }),
        json!({ "argv": ["ls"], "cwd": "/", "timeoutMs": 0 }),
        json!({ "argv": ["ls"], "cwd": "/", "env": { "A": 1 } }),
        json!({ "argv": ["ls"], "cwd": "/", "approved": true }),
    ] {
        let answer = gateway.program("POST /api/v1/tools", Some(&command)).await;
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad_request"), "{command}");
    }
    for command in
        [json!({ "argv": ["/nothing/there"], "cwd": "/" }), json!({ "argv": ["ls"], "cwd": "/nothing/there" })]
    {
        let answer = gateway.program("POST /api/v1/tools", Some(&command)).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "not_found"), "{command}");
    }
    for id in ["x", "3e7d6f43-0000-4000-8000-000000000000"] {
        assert_eq!(gateway.program(&format!("GET /api/v1/tools/{id}"), None).await.status, 404);
    }
    assert!(gateway.approvals.open().is_empty());
}
