//! A request as it is kept once it ended.

use dmplz_core::card::{Part, Subject};
use dmplz_core::redact::mask;
use dmplz_core::resolution::Resolution;
use dmplz_core::visible::visible_line;
use serde_json::{Map, Value};

use crate::request::Request;

/// What is written in place of a value that its name calls secret.
const MASK: &str = "****";

/// The request with secrets masked: in its input, whatever their depth, and in what a card shows of it.
pub fn masked(request: &Request) -> Request {
    let subject = &request.subject;
    let secret: Vec<String> = request.input.keys().filter(|key| is_secret(key)).map(|key| visible_line(key)).collect();
    Request {
        input: object(&request.input),
        subject: Subject {
            context: subject.context.iter().map(|line| text(line)).collect(),
            parts: subject.parts.iter().map(|shown| part(shown, &secret)).collect(),
            grant: subject.grant.as_deref().map(text),
            ..subject.clone()
        },
        ..request.clone()
    }
}

/// The end with secrets masked in what a person wrote.
pub fn masked_end(resolution: &Resolution) -> Resolution {
    Resolution { reason: resolution.reason.as_deref().map(text), ..resolution.clone() }
}

fn object(object: &Map<String, Value>) -> Map<String, Value> {
    let field = |(key, value): (&String, &Value)| {
        let value = if is_secret(key) && !value.is_null() && !value.is_boolean() { MASK.into() } else { json(value) };
        (text(key), value)
    };
    object.iter().map(field).collect()
}

fn json(value: &Value) -> Value {
    match value {
        Value::String(string) => text(string).into(),
        Value::Array(values) => values.iter().map(json).collect(),
        Value::Object(fields) => object(fields).into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn part(part: &Part, secret: &[String]) -> Part {
    let hide = |shown: &str| match secret
        .iter()
        .find(|key| shown.strip_prefix(*key).is_some_and(|rest| rest.starts_with(':')))
    {
        Some(key) => format!("{key}: {MASK}"),
        None => text(shown),
    };
    match part {
        Part::Text(shown) => Part::Text(hide(shown)),
        Part::Code(shown) => Part::Code(hide(shown)),
    }
}

/// Whether a value of that name would be masked in a text.
fn is_secret(key: &str) -> bool {
    let pair = Value::from_iter([(key, "a1b2c3d4")]).to_string();
    mask(&pair).as_str() != pair
}

fn text(text: &str) -> String {
    mask(text).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::request::{RequestId, Source};

    fn request(input: Value, parts: Vec<Part>) -> Request {
        let id = RequestId::new();
        Request {
            id,
            source: Source::Hook { session_id: "s".into(), agent_id: None },
            tool: "Bash".into(),
            input: input.as_object().unwrap().clone(),
            cwd: "/work".into(),
            subject: Subject {
                request_id: id.to_string(),
                tool: "Bash".into(),
                context: vec!["by rule: password=hunter2".into()],
                parts,
                grant: Some("Bash(curl -H 'Authorization: Bearer abc123def456ghi')".into()),
            },
            offer: dmplz_core::flow::Offer::plain(false),
            created_ms: 1,
            expires_ms: 2,
        }
    }

    #[test]
    fn a_secret_is_masked_by_its_name_at_any_depth_and_by_its_shape_in_any_text() {
        let input = json!({
            "command": "export GITHUB=ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "apiKey": "two words",
            "headers": [{"Authorization": "x", "Accept": "text/html"}],
            "token": {"value": 7},
            "pin": 1234,
            "password": 1234,
            "secret": null,
            "passwordless": true,
        });
        let kept = masked(&request(input, Vec::new()));
        insta::assert_snapshot!(serde_json::to_string(&kept.input).unwrap(), @r#"{"command":"export GITHUB=ghp_********","apiKey":"****","headers":[{"Authorization":"****","Accept":"text/html"}],"token":"****","pin":1234,"password":"****","secret":null,"passwordless":true}"#);
    }

    #[test]
    fn what_a_card_shows_is_masked_as_well() {
        let parts = vec![
            Part::Text("apiKey: two words".into()),
            Part::Code("password:\nfirst line\nsecond line".into()),
            Part::Text("description: two words".into()),
            Part::Code("curl https://ada:secret99@host/".into()),
        ];
        let input = json!({"apiKey": "two words", "password": "first line\nsecond line", "description": "two words"});
        let kept = masked(&request(input, parts));
        let shown: Vec<&str> = kept.subject.parts.iter().map(Part::text).collect();
        insta::assert_snapshot!(shown.join(" | "), @"apiKey: **** | password: **** | description: two words | curl https://ada:****@host/");
        insta::assert_snapshot!(kept.subject.context.join(" | "), @"by rule: password=****");
        insta::assert_snapshot!(kept.subject.grant.clone().unwrap(), @"Bash(curl -H 'Authorization: Bearer abc1********')");
        assert_eq!(masked(&kept), kept, "masking twice is masking once");
    }
}
