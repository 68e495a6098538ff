use super::refusal::Refusal;
use crate::form::{Part, media_type, multipart, query};
use bytes::Bytes;
use http::StatusCode;
use http::request::Parts;
use serde_json::{Map, Value};
use tokio::time::Instant;

/// The content of one request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ask {
    /// The variables of the route and their values.
    pub(crate) path: Vec<(&'static str, String)>,
    pub(crate) query: Map<String, Value>,
    /// The JSON body; an empty object if there is none.
    pub(crate) body: Map<String, Value>,
    /// The JSON body, if it is a list.
    pub(crate) list: Vec<Value>,
    pub(crate) files: Vec<Part>,
    /// The time when the request had been read.
    pub(crate) at: Option<Instant>,
}

impl Ask {
    /// Parses the query and body of a request.
    pub(crate) async fn read(parts: &Parts, body: Bytes) -> Result<Self, Refusal> {
        let mut ask = Self { query: query(parts), at: Some(Instant::now()), ..Self::default() };
        match media_type(parts).as_str() {
            _ if body.is_empty() => {}
            "application/json" => match serde_json::from_slice(&body) {
                Ok(Value::Array(list)) => ask.list = list,
                _ => ask.body = object(&body)?,
            },
            "multipart/form-data" => {
                let fields = multipart(parts, body).await.ok_or_else(|| Refusal::plain(StatusCode::BAD_REQUEST))?;
                for field in fields {
                    match &field.file {
                        None if field.name == "payload_json" => ask.body.extend(object(&field.bytes)?),
                        None => {
                            let text = String::from_utf8_lossy(&field.bytes).into_owned();
                            ask.body.insert(field.name, Value::from(text));
                        }
                        Some(_) => ask.files.push(field),
                    }
                }
            }
            _ => return Err(Refusal::new(StatusCode::BAD_REQUEST, 50109, INVALID_JSON)),
        }
        Ok(ask)
    }

    /// Returns the same request with an object of the body as its body.
    pub(crate) fn below(&self, field: &str) -> Self {
        let body = self.body.get(field).and_then(Value::as_object).cloned().unwrap_or_default();
        Self { body, ..self.clone() }
    }

    /// Returns a variable of the route, as it was sent.
    pub(crate) fn variable(&self, name: &str) -> &str {
        self.path.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// Returns a variable of the route that is an id.
    pub(crate) fn id(&self, name: &str) -> Result<u64, Refusal> {
        let text = self.variable(name);
        text.parse().map_err(|_| not_snowflake(name, text))
    }

    /// Returns a parameter of the query that is an id.
    pub(crate) fn query_id(&self, name: &str) -> Result<Option<u64>, Refusal> {
        let Some(text) = self.query.get(name).and_then(Value::as_str) else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| not_snowflake(name, text))
    }

    /// Returns the parameter `limit` of the query, 1 to 100.
    pub(crate) fn limit(&self, default: usize) -> Result<usize, Refusal> {
        let Some(text) = self.query.get("limit").and_then(Value::as_str) else {
            return Ok(default);
        };
        match text.parse::<i64>() {
            Ok(limit @ 1..=100) => Ok(usize::try_from(limit).unwrap_or(default)),
            Ok(..1) => {
                Err(Refusal::field(&["limit"], "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1."))
            }
            Ok(_) => {
                Err(Refusal::field(&["limit"], "NUMBER_TYPE_MAX", "int value should be less than or equal to 100."))
            }
            Err(_) => Err(Refusal::field(&["limit"], "NUMBER_TYPE_COERCE", format!("Value \"{text}\" is not int."))),
        }
    }

    /// Returns the parameters as the record of requests shows them.
    pub(crate) fn shown(&self) -> Value {
        let mut shown = self.query.clone();
        shown.extend(self.body.clone());
        shown.extend(self.files.iter().map(|file| (file.name.clone(), Value::from(file.file.clone()))));
        Value::Object(shown)
    }
}

const INVALID_JSON: &str = "The request body contains invalid JSON.";

fn object(bytes: &[u8]) -> Result<Map<String, Value>, Refusal> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err(Refusal::new(StatusCode::BAD_REQUEST, 50109, INVALID_JSON)),
    }
}

fn not_snowflake(name: &str, text: &str) -> Refusal {
    Refusal::field(&[name], "NUMBER_TYPE_COERCE", format!("Value \"{text}\" is not snowflake."))
}
