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
