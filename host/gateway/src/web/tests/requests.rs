use serde_json::{Value, json};

use super::desk::{Gateway, START_MS};

#[tokio::test]
async fn what_is_open_is_listed_whole_and_as_it_is_read() {
    let gateway = Gateway::start().await;
    let id = gateway.asked("Bash", json!({ "command": "ls\u{1b}", "timeout": 5 })).await.to_string();
    let list = gateway.program("GET /api/v1/approvals", None).await;
    assert_eq!(list.status, 200);
    assert_eq!(list.json()["lastEventId"], 1);
    let text = list.json()["approvals"].to_string().replace(&id, "ID");
    insta::assert_snapshot!(text, @r#"[{"id":"ID","source":{"kind":"hook","sessionId":"s1"},"tool":"Bash","input":{"command":"ls\u001b","timeout":5},"cwd":"/work","subject":{"request_id":"ID","tool":"Bash","context":["폴더: /work"],"parts":[{"code":"ls␛"},{"text":"timeout: 5"}],"grant":null},"offer":{"session":true,"always":[],"granted":false,"plan":false,"questions":[],"unanswerable":false,"finalDenial":false},"offersSession":true,"createdMs":1790000000000,"expiresMs":1790000300000,"status":"open","shown":[{"kind":"command","text":"ls␛"},{"kind":"text","text":"timeout: 5"}]}]"#);
    let one = gateway.program(&format!("GET /api/v1/approvals/{id}"), None).await;
    assert_eq!((one.status, &one.json()["approval"]), (200, &list.json()["approvals"][0]));
}

#[tokio::test]
async fn the_first_answer_wins_and_the_second_is_told_who_won() {
    let gateway = Gateway::start().await;
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    let line = format!("POST /api/v1/approvals/{id}/answer");
    let first = gateway.program(&line, Some(&json!({ "decision": "deny", "reason": " not now " }))).await;
    assert_eq!(first.status, 200);
    insta::assert_snapshot!(first.json()["approval"]["resolution"], @r#"{"outcome":"rejected_with_reason","by":{"surface":"rest","id":"owner","name":"Ada"},"reason":"not now","reasonSource":"user_input"}"#);
    assert_eq!(first.json()["approval"]["endedMs"], START_MS);
    for (decision, also) in [("approve", json!({})), ("deny", json!({ "reason": "me too" })), ("session", json!({}))] {
        let mut body = also;
        body["decision"] = decision.into();
        let second = gateway.program(&line, Some(&body)).await;
        assert_eq!((second.status, second.code().as_str()), (409, "already_answered"));
        assert_eq!(second.json()["approval"], first.json()["approval"], "who won");
    }
}

#[tokio::test]
async fn an_answer_tells_by_which_way_it_came() {
    let gateway = Gateway::start().await;
    for (decision, outcome) in
        [("approve", "approved"), ("session", "approved_session"), ("deny", "rejected_no_reason")]
    {
        let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
        let line = format!("POST /api/v1/approvals/{id}/answer");
        let answer = gateway.program(&line, Some(&json!({ "decision": decision }))).await;
        let resolution = &answer.json()["approval"]["resolution"];
        assert_eq!((answer.status, &resolution["outcome"]), (200, &json!(outcome)));
        assert_eq!(resolution["by"], json!({ "surface": "rest", "id": "owner", "name": "Ada" }));
    }
}

#[tokio::test]
async fn an_answer_that_is_not_one_changes_nothing() {
    let gateway = Gateway::start().await;
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    let line = format!("POST /api/v1/approvals/{id}/answer");
    for body in [
        json!({}),
        json!([]),
        json!("approve"),
        json!({ "decision": "Approve" }),
        json!({ "decision": "always", "scope": "cliArg" }),
        json!({ "decision": null }),
        json!({ "decision": "approve", "reason": "why not" }),
        json!({ "decision": "approve", "more": 1 }),
        json!({ "decision": "deny", "reason": 7 }),
        json!({ "decision": "deny", "reason": "x".repeat(10_001) }),
    ] {
        let answer = gateway.program(&line, Some(&body)).await;
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad_request"), "{body}");
    }
    for (id, status, code) in [
        ("3e7d6f43-0000-4000-8000-000000000000", 404, "not_found"),
        ("zzzz", 404, "not_found"),
        ("%ff", 400, "bad_request"),
        ("..%2f..%2fetc", 404, "not_found"),
    ] {
        let line = format!("POST /api/v1/approvals/{id}/answer");
        let answer = gateway.program(&line, Some(&json!({ "decision": "approve" }))).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{id}");
    }
    assert_eq!(gateway.approvals.open().len(), 1);
    assert_eq!(gateway.approvals.open()[0].status, dmplz_protocol::Status::Open);
}

#[tokio::test]
async fn a_disk_that_cannot_be_read_is_no_request_that_does_not_exist() {
    let gateway = Gateway::start().await;
    gateway.fake.unreadable(true);
    let id = "3e7d6f43-0000-4000-8000-000000000000";
    for (line, body) in [
        (format!("GET /api/v1/approvals/{id}"), None),
        (format!("POST /api/v1/approvals/{id}/answer"), Some(json!({ "decision": "deny" }))),
    ] {
        let answer = gateway.program(&line, body.as_ref()).await;
        assert_eq!((answer.status, answer.code().as_str()), (503, "not_read"), "{line}");
        let told = format!("the disk cannot be read, so it is not known what became of request {id}");
        assert_eq!(answer.json()["error"]["message"], told);
    }
}

/// `gateway` has one open request: a parser that completes ids would match each of these with it.
#[tokio::test]
async fn an_answer_to_anything_but_a_whole_id_answers_nothing() {
    let gateway = Gateway::start().await;
    let id = gateway.asked("Bash", json!({ "command": "rm -rf build" })).await.to_string();
    let encoded = |text: &String| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let raw = ["", "/", "//", ".", "..", "*", "%2F", "..%2F..", &id[..4], &id[..35], "//answer/"].map(str::to_owned);
    let short = crate::sample::no_ids(&id).into_iter().filter(|text| text.len() < 1_000);
    for named in raw.into_iter().chain(short.map(|text| encoded(&text))) {
        for (line, body) in [
            (format!("POST /api/v1/approvals/{named}/answer"), Some(json!({ "decision": "approve" }))),
            (format!("GET /api/v1/approvals/{named}"), None),
            (format!("GET /api/v1/tools/{named}"), None),
        ] {
            let answer = gateway.program(&line, body.as_ref()).await;
            assert!([404, 405].contains(&answer.status), "{line} {answer:?}");
        }
    }
    let whole = format!("POST /api/v1/approvals/{}/answer", encoded(&id));
    assert_eq!(gateway.approvals.open()[0].status, dmplz_protocol::Status::Open);
    assert_eq!(
        gateway.program(&whole, Some(&json!({ "decision": "approve" }))).await.status,
        200,
        "however it is sent"
    );
}

#[tokio::test]
async fn a_filter_without_a_value_lists_nothing_more() {
    let gateway = Gateway::start().await;
    gateway.asked("Bash", json!({ "command": "ls" })).await;
    for (query, status) in
        [("before=", 400), ("limit=", 400), ("status=", 400), ("outcome=", 400), ("tool=", 200), ("surface=", 200)]
    {
        let answer = gateway.program(&format!("GET /api/v1/approvals?{query}"), None).await;
        assert_eq!(answer.status, status, "{query}");
        assert!(status != 200 || answer.json()["approvals"] == json!([]), "{query}: {answer:?}");
    }
}

#[tokio::test]
async fn a_session_is_granted_only_where_it_is_offered() {
    let gateway = Gateway::start().await;
    let mut request = super::desk::request("ExitPlanMode", json!({ "plan": "# Go" }), START_MS);
    request.offer = dmplz_core::request::Offer { plan: true, ..Default::default() };
    let id = request.id;
    gateway.approvals.ask(request).await.unwrap();
    let line = format!("POST /api/v1/approvals/{id}/answer");
    let answer = gateway.program(&line, Some(&json!({ "decision": "session" }))).await;
    assert_eq!((answer.status, answer.code().as_str()), (409, "not_offered"));
    assert_eq!(answer.json()["approval"]["offer"]["plan"], json!(true), "it says what is offered");
    assert_eq!(gateway.program(&line, Some(&json!({ "decision": "approve" }))).await.status, 200);
}

#[tokio::test]
async fn every_way_to_end_is_as_the_document_says() {
    use dmplz_core::request::Resolver;
    let gateway = Gateway::start().await;
    for resolver in [Resolver::Terminal, Resolver::Stopped, Resolver::ClientGone] {
        let id = gateway.asked("Edit", json!({ "file_path": "/a", "old_string": "a", "new_string": "b" })).await;
        gateway.approvals.withdraw(id, resolver).await.unwrap();
        gateway.approvals.taken(id, true).await;
        let answer = gateway.program(&format!("GET /api/v1/approvals/{id}"), None).await;
        assert_eq!((answer.status, &answer.json()["approval"]["taken"]), (200, &Value::Bool(true)));
    }
    let id = gateway.asked("Write", json!({ "file_path": "/a", "content": "x" })).await;
    gateway.approvals.deny(id, super::desk::owner().on("telegram"), false).await.unwrap();
    let answer = gateway.program(&format!("GET /api/v1/approvals/{id}"), None).await;
    assert_eq!(answer.json()["approval"]["status"], "denied");
    let line = format!("POST /api/v1/approvals/{id}/answer");
    let answer = gateway.program(&line, Some(&json!({ "decision": "approve" }))).await;
    assert_eq!((answer.status, answer.code().as_str()), (409, "already_answered"));
    for query in ["limit=0", "limit=501", "limit=-1", "limit=x", "limit=1&limit=2", "more=1", "status=odd", "before=x"]
    {
        let answer = gateway.program(&format!("GET /api/v1/approvals?{query}"), None).await;
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad_request"), "{query}");
    }
}

#[tokio::test]
async fn history_has_filters_and_pages() {
    let gateway = Gateway::start().await;
    for number in 0..6 {
        let tool = if number % 2 == 0 { "Bash" } else { "Write" };
        let id = gateway.asked(tool, json!({ "command": format!("number {number}") })).await;
        let decision = if number < 2 { "approve" } else { "deny" };
        if number < 4 {
            let line = format!("POST /api/v1/approvals/{id}/answer");
            assert_eq!(gateway.program(&line, Some(&json!({ "decision": decision }))).await.status, 200);
        }
    }
    let found = async |query: &str| -> Vec<String> {
        let answer = gateway.program(&format!("GET /api/v1/approvals?{query}"), None).await;
        assert_eq!(answer.status, 200, "{query} {answer:?}");
        let approvals = answer.json()["approvals"].as_array().unwrap().clone();
        approvals.iter().map(|approval| approval["input"]["command"].as_str().unwrap()[7..].to_owned()).collect()
    };
    for (query, numbers) in [
        ("", "5 4"),
        ("status=open", "5 4"),
        ("status=ended", "3 2 1 0"),
        ("status=all", "5 4 3 2 1 0"),
        ("status=all&limit=2", "5 4"),
        ("status=all&tool=Write", "5 3 1"),
        ("status=ended&outcome=approved", "1 0"),
        ("status=all&outcome=rejected_no_reason&tool=Bash", "2"),
        ("status=all&surface=rest", "3 2 1 0"),
        ("status=all&surface=telegram", ""),
        ("status=all&text=NUMBER%203", "3"),
        ("status=all&text=%25", ""),
    ] {
        assert_eq!(found(query).await.join(" "), numbers, "{query}");
    }
    let first = gateway.program("GET /api/v1/approvals?status=all&limit=4", None).await.json();
    let last = first["approvals"][3]["id"].as_str().unwrap();
    assert_eq!(found(&format!("status=all&limit=4&before={last}")).await, ["1", "0"]);
}

#[tokio::test]
async fn figures_come_as_the_document_says() {
    let gateway = Gateway::start().await;
    let none = gateway.program("GET /api/v1/metrics", None).await;
    assert_eq!((none.status, &none.json()["requests"]), (200, &json!(0)));
    let id = gateway.asked("Bash", json!({ "command": "ls" })).await;
    let body = json!({ "decision": "deny", "reason": "no" });
    gateway.program(&format!("POST /api/v1/approvals/{id}/answer"), Some(&body)).await;
    let one = gateway.program(&format!("GET /api/v1/metrics?sinceMs={START_MS}"), None).await.json();
    insta::assert_snapshot!(one["denied"], @r#"{"count":1,"of":1,"rate":1.0}"#);
    let later = gateway.program(&format!("GET /api/v1/metrics?sinceMs={}", START_MS + 1), None).await.json();
    assert_eq!(later["requests"], 0);
    assert_eq!(gateway.program("GET /api/v1/metrics?since=1", None).await.status, 400);
}

#[tokio::test]
async fn a_number_out_of_its_range_is_refused_by_its_name() {
    let gateway = Gateway::start().await;
    let numbers = ["-1", "x", "", "1.5", "0x10", "9223372036854775808", "18446744073709551615", "18446744073709551616"];
    for (path, name, fits) in [
        ("metrics", "sinceMs", "9223372036854775807"),
        ("metrics", "untilMs", "9223372036854775807"),
        ("approvals", "limit", "500"),
        ("approvals", "sinceMs", "9223372036854775807"),
        ("approvals", "untilMs", "9223372036854775807"),
    ] {
        for number in numbers {
            let answer = gateway.program(&format!("GET /api/v1/{path}?{name}={number}"), None).await;
            assert_eq!((answer.status, answer.code().as_str()), (400, "bad_request"), "{name}={number}");
            let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
            assert!(message.contains(name), "{name}={number}: {message}");
        }
        for number in ["1", fits] {
            assert_eq!(gateway.program(&format!("GET /api/v1/{path}?{name}={number}"), None).await.status, 200);
        }
    }
    let beyond = gateway.program("GET /api/v1/metrics?untilMs=9223372036854775808", None).await.json();
    let message = "untilMs takes 0 to 9223372036854775807, in Unix milliseconds";
    assert_eq!(beyond["error"]["message"], message);
    for timeout in [json!(0), json!(-1), json!(u64::MAX), json!("1")] {
        let command = json!({ "argv": ["true"], "cwd": "/", "timeoutMs": timeout });
        assert_eq!(gateway.program("POST /api/v1/tools", Some(&command)).await.status, 400, "{timeout}");
    }
}

#[tokio::test]
async fn an_approval_reaches_as_far_as_it_says_and_is_offered() {
    let gateway = Gateway::start().await;
    let option = |label: &str| json!({ "label": label, "description": "" });
    let questions =
        json!([{ "question": "Which?", "header": "", "multiSelect": false, "options": [option("A"), option("B")] }]);
    let rule = json!({ "toolName": "Bash", "ruleContent": "git push *" });
    let rule = json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings" });
    let offers = [
        (json!({ "always": [{ "update": rule }] }), json!({ "decision": "always", "scope": "userSettings" })),
        (json!({ "plan": true }), json!({ "decision": "auto-accept" })),
        (json!({ "plan": true }), json!({ "decision": "manual" })),
        (json!({ "granted": true }), json!({ "decision": "grant", "term": "halfHour" })),
        (
            json!({ "questions": questions }),
            json!({ "decision": "answers", "answers": [{ "question": "Which?", "labels": ["B"] }] }),
        ),
    ];
    let mut ends = String::new();
    for (offer, said) in offers {
        let mut asked = super::desk::request("Bash", json!({ "command": "git push" }), START_MS);
        let id = asked.id;
        asked.offer = serde_json::from_value(offer).unwrap();
        gateway.approvals.ask(asked).await.unwrap();
        let line = format!("POST /api/v1/approvals/{id}/answer");
        let refused = gateway.program(&line, Some(&json!({ "decision": "session" }))).await;
        assert_eq!((refused.status, refused.code().as_str()), (409, "not_offered"));
        let answer = gateway.program(&line, Some(&said)).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        let mut resolution = answer.json()["approval"]["resolution"].clone();
        resolution.as_object_mut().unwrap().remove("by");
        ends += &format!("{resolution}\n");
    }
    insta::assert_snapshot!(ends, @r#"
    {"outcome":"approved_always","scope":{"kind":"always","scope":"userSettings","broad":false}}
    {"outcome":"approved","scope":{"kind":"plan","edits":"autoAccept"}}
    {"outcome":"approved","scope":{"kind":"plan","edits":"manual"}}
    {"outcome":"approved_granted","scope":{"kind":"granted","term":"halfHour"}}
    {"outcome":"answered","scope":{"kind":"answers","answers":[{"question":"Which?","labels":["B"]}]}}
    "#);
}
