//! Removes what differs from run to run.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

/// Returns the request without what differs from run to run.
pub(crate) fn tidy(request: Value, messages: &[String]) -> Value {
    let Value::Object(mut request) = request else { panic!("an object") };
    if let Some(Value::String(path)) = request.remove("path") {
        let mut parts = path.split('/').skip_while(|part| *part != "messages").skip(1);
        if let Some(message) = parts.next() {
            request.insert("message".to_owned(), place(message, messages));
        }
        if let Some(emoji) = parts.next().and_then(|_| parts.next()) {
            request.insert("emoji".to_owned(), percent_decode_str(emoji).decode_utf8().unwrap().into());
        }
    }
    let fields = request.into_iter().map(|(key, value)| match value {
        Value::String(id) if key == "to" => (key, place(&id, messages)),
        value => (key, neutral(value, messages)),
    });
    fields.collect::<Map<_, _>>().into()
}

fn neutral(value: Value, messages: &[String]) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(|value| neutral(value, messages)).collect(),
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(key, _)| {
                !matches!(key.as_str(), "chat_id" | "channel_id" | "guild_id" | "callback_query_id")
            });
            let kept = kept.map(|(key, value)| {
                let value = match (key.as_str(), &value) {
                    ("message_id", Value::String(id)) => place(id, messages),
                    ("message_id", Value::Number(id)) => place(&id.to_string(), messages),
                    _ => neutral(value, messages),
                };
                (key, value)
            });
            kept.collect::<Map<_, _>>().into()
        }
        // A form's field is JSON in a string.
        Value::String(text) if text.starts_with('{') => match serde_json::from_str(&text) {
            Ok(object @ Value::Object(_)) => neutral(object, messages),
            _ => text.into(),
        },
        other => other,
    }
}

fn place(id: &str, messages: &[String]) -> Value {
    messages.iter().position(|message| message == id).map_or(Value::Null, |at| json!(at + 1))
}
