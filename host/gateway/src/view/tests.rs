use dmplz_core::stats::End;
use serde_json::json;
use uuid::Uuid;

use super::*;

fn request() -> crate::Request {
    let Value::Object(input) = json!({ "command": "ls", "timeout": 3 }) else { unreachable!() };
    let id = RequestId::new();
    crate::Request {
        id,
        source: Source::Hook { session_id: "s".into(), agent_id: Some("a".into()) },
        tool: "Bash".into(),
        input,
        cwd: "/work".into(),
        subject: Subject {
            request_id: id.to_string(),
            tool: "Bash".into(),
            context: vec![],
            parts: vec![],
            grant: None,
        },
        offer: dmplz_core::flow::Offer::plain(true),
        created_ms: 1,
        expires_ms: 2,
    }
}

#[test]
fn a_surface_gets_what_stands_and_what_is_read_of_it() {
    let by = Answerer { surface: "web".into(), id: "owner".into(), name: "Ada".into() };
    let resolution = Resolution {
        outcome: End::Approved,
        by: Some(by.clone()),
        extent: None,
        reason: None,
        reason_source: None,
        cause: None,
        rule: None,
    };
    for (source, status) in [
        (request().source, Status::Open),
        (Source::Tool { invocation_id: Uuid::new_v4() }, Status::Denied { by, until_ms: 7 }),
        (request().source, Status::Ended { resolution: resolution.clone(), ended_ms: 9, taken: None }),
        (request().source, Status::Ended { resolution, ended_ms: 9, taken: Some(false) }),
    ] {
        let standing = Standing { request: crate::Request { source, ..request() }, status };
        let mut view = serde_json::to_value(Approval::from(standing.clone())).unwrap();
        let shown = view.as_object_mut().unwrap().remove("shown");
        assert_eq!(view, serde_json::to_value(&standing).unwrap());
        assert_eq!(shown, Some(json!([{ "kind": "command", "text": "ls" }, { "kind": "text", "text": "timeout: 3" }])));
    }
}
