//! Checks responses against the OpenAPI document. [`Gateway::send`](super::desk::Gateway::send) does so with every
//! response.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::desk::{Answer, Gateway, owner};
use crate::rpc::{Limits, Peer, Role, Services, Session};
use crate::web::api;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_slice(&api::document()).unwrap());

fn document() -> &'static Value {
    &DOCUMENT
}

/// Returns the route of a path, as the document writes it.
fn route(document: &Value, path: &str) -> Option<String> {
    let path = path.split('?').next().unwrap();
    let fits = |route: &str| {
        let (ours, theirs): (Vec<_>, Vec<_>) = (route.split('/').collect(), path.split('/').collect());
        ours.len() == theirs.len()
            && ours
                .iter()
                .zip(&theirs)
                .all(|(ours, theirs)| ours == theirs || (ours.starts_with('{') && !theirs.is_empty()))
    };
    document["paths"].as_object().unwrap().keys().find(|route| fits(route)).cloned()
}

/// Fails if the document does not describe this response. An unknown path must return the error's shape.
pub(super) fn check(line: &str, answer: &Answer) {
    let (method, path) = line.split_once(' ').unwrap();
    if !path.starts_with("/api/") && !["/healthz", "/readyz", "/metrics"].contains(&path) {
        return;
    }
    let document = document();
    let status = answer.status.to_string();
    let schema = match route(document, path) {
        None => json!({ "$ref": "#/components/schemas/Error" }),
        Some(route) => {
            let methods = &document["paths"][&route];
            let method = match &methods[method.to_lowercase()] {
                Value::Null => methods.as_object().unwrap().values().next().unwrap(),
                documented => documented,
            };
            let response = &method["responses"][&status];
            assert!(!response.is_null(), "{line} answers {status}, which the document does not tell of");
            if !response["content"]["text/plain"].is_null() {
                return assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
            }
            response["content"]["application/json"]["schema"].clone()
        }
    };
    if schema.is_null() {
        assert!(answer.body.is_empty(), "{line} answers {status} with a body that the document does not tell of");
        return;
    }
    assert_eq!(answer.header("content-type"), Some("application/json"), "{line} {status}");
    let mut schema = schema;
    schema["components"] = json!({ "schemas": strict(&document["components"]["schemas"]) });
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let errors: Vec<_> =
        validator.iter_errors(&answer.json()).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{line} {status}: {errors:?}\n{}", answer.json());
}

/// Returns the schemas with every object closed: a response must not hold an undocumented field.
fn strict(schemas: &Value) -> Value {
    let mut schemas = schemas.clone();
    for schema in schemas.as_object_mut().unwrap().values_mut() {
        if schema["type"] == "object" && !schema["properties"].is_null() {
            schema["additionalProperties"] = false.into();
        }
    }
    schemas
}

#[tokio::test]
async fn the_document_is_served_and_names_the_routes_that_there_are() {
    let gateway = Gateway::start().await;
    let answer = gateway.send("GET /api/v1/openapi.json", &[("host", &gateway.host())], None).await;
    assert_eq!((answer.status, &answer.json()), (200, document()));
    assert_eq!(answer.json()["openapi"], "3.1.0");
    let routes: Vec<String> = document()["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(route, methods)| methods.as_object().unwrap().keys().map(move |method| format!("{method} {route}")))
        .collect();
    insta::assert_snapshot!(routes.join("\n"), @r"
    get /api/v1/approvals
    get /api/v1/approvals/{id}
    post /api/v1/approvals/{id}/answer
    get /api/v1/grants
    delete /api/v1/grants/{id}
    get /api/v1/metrics
    get /api/v1/openapi.json
    get /api/v1/sessions
    post /api/v1/sessions
    get /api/v1/sessions/{id}
    post /api/v1/sessions/{id}/files
    post /api/v1/sessions/{id}/fork
    post /api/v1/sessions/{id}/interrupt
    post /api/v1/sessions/{id}/messages
    post /api/v1/sessions/{id}/name
    post /api/v1/sessions/{id}/stop
    post /api/v1/sessions/{id}/undo
    post /api/v1/tools
    get /api/v1/tools/{id}
    get /healthz
    get /metrics
    get /readyz
    ");
    for route in routes {
        let (method, path) = route.split_once(' ').unwrap();
        let line =
            format!("{} {}", method.to_uppercase(), path.replace("{id}", "3e7d6f43-0000-4000-8000-000000000000"));
        let answer = gateway.program(&line, None).await;
        assert_ne!(answer.status, 405, "{line}");
        let is_there = answer.status != 404 || answer.json()["error"]["message"] != "there is no such route";
        assert!(is_there, "{line}");
    }
}

/// Returns every decision with none, one or all of the members that some decision takes, well-formed and malformed.
fn answers() -> Vec<Value> {
    let members = [
        (
            "reason",
            vec![json!("no"), json!(""), json!("x".repeat(10_001)), json!("가".repeat(10_000)), json!(null), json!(7)],
        ),
        ("instead", vec![json!(true), json!(false), json!(null), json!("yes")]),
        ("scope", vec![json!("userSettings"), json!("cliArg"), json!(null)]),
        ("broad", vec![json!(true), json!(false), json!(null), json!(1)]),
        (
            "answers",
            vec![
                json!([]),
                json!([{ "question": "Which?", "labels": ["A"] }]),
                json!([{ "question": "Which?", "labels": [], "text": "words" }]),
                json!([{ "question": "Which?", "labels": [], "text": "x".repeat(4_001) }]),
                json!([{ "question": "Which?", "labels": [], "text": null }]),
                json!([{ "question": "Which?", "labels": [], "more": 1 }]),
                json!([{ "question": "Which?" }]),
                json!([["Which?", ["A"]]]),
                json!({}),
                json!(null),
            ],
        ),
        ("term", vec![json!("halfHour"), json!("session"), json!("forever"), json!(null)]),
        ("more", vec![json!(1)]),
    ];
    let decisions = ["approve", "session", "always", "auto-accept", "manual", "answers", "grant", "deny", "allow", ""];
    let mut answers = vec![json!({}), json!([]), json!(["approve"]), json!("approve"), json!(null), json!(7)];
    for decision in decisions {
        answers.push(json!({ "decision": decision }));
        for (at, (name, values)) in members.iter().enumerate() {
            for value in values {
                answers.push(json!({ "decision": decision, *name: value }));
                for (other, others) in &members[at + 1..] {
                    answers.push(json!({ "decision": decision, *name: value, *other: others[0] }));
                }
            }
        }
    }
    answers.push(json!({ "decision": null }));
    answers.push(json!({ "decision": ["deny"] }));
    answers
}

#[tokio::test]
async fn an_answer_is_taken_exactly_where_the_document_has_its_shape() {
    let gateway = Gateway::start().await;
    let validator = body("/api/v1/approvals/{id}/answer");
    // No request has this id: a valid answer gets 404, over JSON-RPC -32001.
    let id = "3e7d6f43-0000-4000-8000-000000000000";
    let peer = Peer { by: owner().on("cli"), role: Role::Local, limits: Limits::LOCAL };
    let (mut session, mut outbox) = Session::open(Services::new(gateway.approvals.clone(), Default::default()), peer);
    let mut taken = 0;
    for answer in answers() {
        let (status, code) = if validator.is_valid(&answer) { (404, -32001) } else { (400, -32602) };
        taken += usize::from(status == 404);
        let over_rest = gateway.program(&format!("POST /api/v1/approvals/{id}/answer"), Some(&answer)).await;
        assert_eq!(over_rest.status, status, "{answer} {}", over_rest.json());
        let Value::Object(mut params) = answer.clone() else { continue };
        params.insert("id".to_owned(), json!(id));
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "approval.respond", "params": params });
        session.receive(&call.to_string()).await;
        let reply: Value = serde_json::from_str(&outbox.next().await.unwrap()).unwrap();
        assert_eq!(reply["error"]["code"], code, "{answer} {reply}");
    }
    assert!(taken > 20, "{taken}");
}

/// Returns a validator of the documented request body of a route.
fn body(route: &str) -> jsonschema::Validator {
    let mut schema = document()["paths"][route]["post"]["requestBody"]["content"]["application/json"]["schema"].clone();
    schema["components"] = document()["components"].clone();
    jsonschema::draft202012::new(&schema).unwrap()
}

#[tokio::test]
async fn a_command_is_read_exactly_where_the_document_has_its_shape() {
    let gateway = Gateway::start().await;
    let validator = body("/api/v1/tools");
    let whole = json!({ "argv": ["/nothing/there"], "cwd": "/" });
    let members = [
        ("argv", json!([])),
        ("argv", json!([""])),
        ("argv", json!(["/nothing/there", ""])),
        ("argv", json!(["/nothing/there", "a\0b"])),
        ("argv", json!(["/nothing/there", "a\nb\n"])),
        ("argv", json!(vec!["/nothing/there"; 4_096])),
        ("argv", json!(vec!["x"; 4_097])),
        ("argv", json!("/nothing/there")),
        ("cwd", json!("")),
        ("cwd", json!("here")),
        ("cwd", json!("/\0")),
        ("cwd", json!("/\n")),
        ("env", json!({ "A": "", "_b1": "\n" })),
        ("env", json!({ "": "x" })),
        ("env", json!({ "1A": "x" })),
        ("env", json!({ "A=B": "x" })),
        ("env", json!({ "A": "\0" })),
        ("env", json!({ "A": null })),
        ("env", json!(null)),
        ("timeoutMs", json!(0)),
        ("timeoutMs", json!(1)),
        ("timeoutMs", json!(1_000.0)),
        ("timeoutMs", json!(1_000.5)),
        ("timeoutMs", json!(-1.0)),
        ("timeoutMs", json!(1e300)),
        ("timeoutMs", json!("1")),
        ("timeoutMs", json!(86_400_000)),
        ("timeoutMs", json!(86_400_001)),
        ("timeoutMs", json!(-1)),
        ("timeoutMs", json!(null)),
        ("more", json!(1)),
    ];
    let mut commands = vec![whole.clone(), json!({}), json!([]), json!(["/nothing/there", "/"]), json!(null)];
    for (name, value) in members {
        let mut command = whole.clone();
        command[name] = value;
        commands.push(command);
    }
    for command in commands {
        // The program does not exist: a valid command gets 404.
        let status = if validator.is_valid(&command) { 404 } else { 400 };
        let answer = gateway.program("POST /api/v1/tools", Some(&command)).await;
        let short: String = command.to_string().chars().take(100).collect();
        assert_eq!(answer.status, status, "{short} {}", answer.json());
    }
}

#[tokio::test]
async fn a_body_to_a_session_is_read_exactly_where_the_document_has_its_shape() {
    let gateway = Gateway::start().await;
    let id = "3e7d6f43-0000-4000-8000-000000000000";
    let upper = id.to_uppercase();
    let part =
        |upload: &str, at: Value| json!({ "upload": upload, "name": "a", "at": at, "content": "", "last": true });
    let undo = |id: &str| json!({ "messageId": id, "files": [], "insertions": 0, "deletions": 1.0 });
    for (route, bodies) in [
        (
            "interrupt",
            vec![json!(null), json!({}), json!({ "reason": "no" }), json!({ "more": 1 }), json!([]), json!("")],
        ),
        (
            "files",
            [(id, json!(0)), (id, json!(7.0)), (id, json!(-1)), (id, json!(0.5)), (&upper, json!(0)), ("", json!(0))]
                .map(|(upload, at)| part(upload, at))
                .to_vec(),
        ),
        (
            "undo",
            vec![
                json!({}),
                json!({ "messageId": id }),
                json!({ "messageId": upper }),
                json!({ "messageId": "" }),
                json!({ "confirm": undo(id) }),
                json!({ "confirm": undo(&upper) }),
                json!(null),
            ],
        ),
    ] {
        let route = format!("/api/v1/sessions/{{id}}/{route}");
        let validator = body(&route);
        for body in bodies {
            // This gateway runs no sessions: a valid body gets 404.
            let status = if validator.is_valid(&body) { 404 } else { 400 };
            let answer = gateway.program(&format!("POST {}", route.replace("{id}", id)), Some(&body)).await;
            assert_eq!(answer.status, status, "{route} {body} {}", answer.json());
        }
    }
    let folder = body("/api/v1/sessions");
    for (cwd, is_valid) in [("/work", true), ("", false), ("work", false)] {
        assert_eq!(folder.is_valid(&json!({ "cwd": cwd })), is_valid, "{cwd}");
    }
}

#[tokio::test]
async fn a_query_is_read_exactly_where_the_document_has_its_shape() {
    let gateway = Gateway::start().await;
    let parameters = document()["paths"]["/api/v1/approvals"]["get"]["parameters"].as_array().unwrap();
    for (name, value) in [
        ("status", "all"),
        ("status", "other"),
        ("status", ""),
        ("before", "3e7d6f43-0000-4000-8000-000000000000"),
        ("before", "3E7D6F43-0000-4000-8000-000000000000"),
        ("before", ""),
        ("outcome", "approved"),
        ("outcome", "other"),
        ("surface", ""),
        ("text", &"가".repeat(1_000)),
        ("text", &"가".repeat(1_001)),
    ] {
        let parameter = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
        let mut schema = parameter["schema"].clone();
        schema["components"] = document()["components"].clone();
        let is_valid = jsonschema::draft202012::new(&schema).unwrap().is_valid(&json!(value));
        let query: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let answer = gateway.program(&format!("GET /api/v1/approvals?{name}={query}"), None).await;
        assert_eq!(answer.status, if is_valid { 200 } else { 400 }, "{name} {value}");
    }
}

#[test]
fn an_answer_has_one_shape_a_decision() {
    let shapes = document()["components"]["schemas"]["Answer"]["oneOf"].as_array().unwrap();
    let shapes: Vec<String> = shapes
        .iter()
        .map(|shape| {
            let members = shape["properties"].as_object().unwrap();
            let required = shape["required"].as_array().unwrap();
            let decision = &members["decision"]["enum"][0];
            let others = members.keys().filter(|name| *name != "decision");
            let others = others.map(|name| format!("{name}{}", if required.contains(&json!(name)) { "" } else { "?" }));
            [decision.as_str().unwrap().to_owned()].into_iter().chain(others).collect::<Vec<_>>().join(" ")
        })
        .collect();
    insta::assert_snapshot!(shapes.join("\n"), @r"
    approve
    session
    always broad? scope?
    auto-accept
    manual
    answers answers
    grant term
    deny instead? reason?
    ");
}

#[tokio::test]
async fn a_card_that_offers_a_grant_is_as_the_document_says() {
    let gateway = Gateway::start().await;
    let mut request = super::desk::request("Write", json!({ "file_path": "/work/a" }), super::desk::START_MS);
    request.subject.granted = Some("the folder".to_owned());
    let id = request.id;
    gateway.approvals.ask(request).await.unwrap();
    let answer = gateway.program(&format!("GET /api/v1/approvals/{id}"), None).await;
    assert_eq!(answer.json()["approval"]["subject"]["granted"], "the folder");
}

#[tokio::test]
async fn a_route_that_is_not_in_the_document_is_not_there() {
    let gateway = Gateway::start().await;
    for line in
        ["GET /api/v1", "GET /api/v1/approval", "GET /api/v2/approvals", "GET /api/v1/approvals/", "POST /other"]
    {
        let answer = gateway.program(line, None).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "not_found"), "{line}");
    }
    for line in ["DELETE /api/v1/approvals", "PUT /api/v1/metrics", "GET /api/v1/approvals/x/answer", "POST /"] {
        let answer = gateway.program(line, None).await;
        assert_eq!((answer.status, answer.code().as_str()), (405, "method_not_allowed"), "{line}");
    }
}

#[test]
fn every_schema_that_is_used_is_there_and_says_what_it_holds() {
    let document = document();
    let text = document.to_string();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for used in text.split("#/components/schemas/").skip(1) {
        let name = used.split('"').next().unwrap();
        assert!(schemas.contains_key(name), "{name}");
    }
    for (name, schema) in schemas {
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{name}");
        assert!(schema["type"] != "object" || schema["properties"].is_object(), "{name} takes anything");
    }
}
