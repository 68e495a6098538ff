use dmplz_core::request::End;
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::request::Request;

pub(crate) fn request() -> Request {
    let Value::Object(input) = json!({ "command": "ls", "timeout": 3 }) else { unreachable!() };
    let id = RequestId::new();
    Request {
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
            granted: None,
            risks: Vec::new(),
        },
        offer: dmplz_core::request::Offer::plain(true),
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
        scope: None,
        reason: None,
        reason_source: None,
        cause: None,
        rule: None,
    };
    for (source, status) in [
        (request().source, Status::Open),
        (Source::Tool { invocation_id: Uuid::new_v4() }, Status::Denied { by, until_ms: 7, instead: true }),
        (request().source, Status::Ended { resolution: resolution.clone(), ended_ms: 9, taken: None }),
        (request().source, Status::Ended { resolution, ended_ms: 9, taken: Some(false) }),
    ] {
        let standing = Standing { request: Request { source, ..request() }, status };
        let mut view = serde_json::to_value(Approval::from(standing.clone())).unwrap();
        assert_eq!(serde_json::from_value::<Standing>(view.clone()).unwrap(), standing, "a client reads it back");
        let fields = view.as_object_mut().unwrap();
        let [shown, offer, session] = ["shown", "offer", "offersSession"].map(|key| fields.remove(key));
        let mut stands = serde_json::to_value(&standing).unwrap();
        stands.as_object_mut().unwrap().remove("offer");
        assert_eq!((view, session), (stands, Some(json!(true))));
        assert_eq!(
            offer,
            Some(
                json!({ "session": true, "always": [], "granted": false, "plan": false, "questions": [], "unanswerable": false, "finalDenial": false })
            )
        );
        assert_eq!(shown, Some(json!([{ "kind": "command", "text": "ls" }, { "kind": "text", "text": "timeout: 3" }])));
    }
}

#[test]
fn a_surface_gets_what_may_be_answered_and_what_would_be_stored_where() {
    let offer = json!({
        "always": [
            { "update": { "type": "addRules", "behavior": "allow", "destination": "localSettings",
                "rules": [{ "toolName": "Bash", "ruleContent": "git push\n*" }] } },
            { "broad": "tool", "update": { "type": "setMode", "mode": "acceptEdits", "destination": "session" } },
        ],
        "questions": [{ "question": "Which?", "header": "", "multiSelect": false,
            "options": [{ "label": "A", "description": "the first" }] }],
    });
    let asked = Request { offer: serde_json::from_value(offer.clone()).unwrap(), ..request() };
    let view = Approval::from(Standing { request: asked.clone(), status: Status::Open });
    let view = serde_json::to_value(view).unwrap();
    insta::assert_snapshot!(view["offer"], @r#"{"session":false,"always":[{"update":{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"git push\n*"}],"behavior":"allow","destination":"localSettings"},"text":["Bash(git push␊*)"],"destinations":{"localSettings":"localSettings","userSettings":"userSettings","projectSettings":"projectSettings","session":"session"}},{"update":{"type":"setMode","mode":"acceptEdits","destination":"session"},"broad":"tool","text":["acceptEdits"],"destinations":{"localSettings":"session","userSettings":"session","projectSettings":"session","session":"session"}}],"granted":false,"plan":false,"questions":[{"question":"Which?","header":"","multiSelect":false,"options":[{"label":"A","description":"the first"}]}],"unanswerable":false,"finalDenial":false}"#);
    assert_eq!(serde_json::from_value::<Standing>(view).unwrap().request, asked);
}

#[test]
fn a_request_that_was_kept_before_there_were_offers_is_read() {
    let mut kept = serde_json::to_value(request()).unwrap();
    kept.as_object_mut().unwrap().remove("offer");
    for (offers, session) in [(Some(true), true), (Some(false), false), (None, false)] {
        if let Some(offers) = offers {
            kept["offersSession"] = json!(offers);
        } else {
            kept.as_object_mut().unwrap().remove("offersSession");
        }
        let read: Request = serde_json::from_value(kept.clone()).unwrap();
        assert_eq!(read.offer, dmplz_core::request::Offer::plain(session));
    }
}
