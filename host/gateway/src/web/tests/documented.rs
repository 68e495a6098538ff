//! Holds answers against the OpenAPI document. [`Gateway::send`](super::desk::Gateway::send) does so with every one.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::desk::{Answer, Gateway};
use crate::web::api;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_slice(&api::document()).unwrap());

fn document() -> &'static Value {
    &DOCUMENT
}

/// The route that a path belongs to, as the document writes it.
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

/// Fails when an answer is not one that the document tells of. What leads nowhere has the error's shape.
pub(super) fn check(line: &str, answer: &Answer) {
    let (method, path) = line.split_once(' ').unwrap();
    if !path.starts_with("/api/") {
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

/// The schemas, with every object closed: an answer must not hold what the document does not tell of.
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
    post /api/v1/logout
    get /api/v1/metrics
    get /api/v1/openapi.json
    post /api/v1/pair
    get /api/v1/session
    post /api/v1/tools
    get /api/v1/tools/{id}
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

#[tokio::test]
async fn a_route_that_is_not_in_the_document_is_not_there() {
    let gateway = Gateway::start().await;
    for line in
        ["GET /api/v1", "GET /api/v1/approval", "GET /api/v2/approvals", "GET /api/v1/approvals/", "POST /other"]
    {
        let answer = gateway.program(line, None).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "not_found"), "{line}");
    }
    for line in ["DELETE /api/v1/approvals", "PUT /api/v1/pair", "GET /api/v1/approvals/x/answer", "POST /"] {
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
