use crate::form;
use bytes::Bytes;
use http::request::Parts;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The parameters of one request. The Bot API accepts them in the query, a form, a multipart form or a JSON object, and
/// first reads each as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params {
    pub(crate) fields: Map<String, Value>,
    pub(crate) files: BTreeMap<String, Upload>,
}

/// A file of a multipart form.
#[derive(Clone, Debug)]
pub(crate) struct Upload {
    pub(crate) name: String,
    pub(crate) mime: String,
    pub(crate) bytes: Bytes,
}

impl Params {
    /// Parses the parameters. The error is Telegram's description.
    pub(crate) async fn read(parts: &Parts, body: Bytes) -> Result<Self, &'static str> {
        let mut params = Self::default();
        params.take_pairs(parts.uri.query().unwrap_or_default().as_bytes());
        match form::media_type(parts).as_str() {
            "application/json" if !body.is_empty() => params.take_json(&body)?,
            "application/x-www-form-urlencoded" => params.take_pairs(&body),
            "multipart/form-data" => params.take_multipart(parts, body).await?,
            _ => {}
        }
        Ok(params)
    }

    /// Returns a parameter as text; empty if it is absent.
    pub(crate) fn text(&self, name: &str) -> String {
        match self.fields.get(name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        }
    }

    /// Returns a parameter as a number; 0 if it is absent or not a number.
    pub(crate) fn number(&self, name: &str) -> i64 {
        self.text(name).trim().parse().unwrap_or(0)
    }

    /// Returns a parameter as a Boolean.
    pub(crate) fn truth(&self, name: &str) -> bool {
        matches!(self.text(name).to_ascii_lowercase().as_str(), "true" | "yes" | "1")
    }

    /// Returns a parameter as JSON: null if it is absent, `None` if it cannot be parsed.
    pub(crate) fn json(&self, name: &str) -> Option<Value> {
        match self.fields.get(name) {
            None => Some(Value::Null),
            Some(Value::String(text)) if text.is_empty() => Some(Value::Null),
            Some(Value::String(text)) => serde_json::from_str(text).ok(),
            Some(other) => Some(other.clone()),
        }
    }

    /// Returns the parameters that the schema describes. A file that another parameter attaches by name is no
    /// parameter.
    pub(crate) fn declared(&self) -> Value {
        let attached = |field: &str| self.fields.values().any(|value| value == &format!("attach://{field}"));
        let files = self.files.iter().filter(|(field, _)| !attached(field));
        let files = files.map(|(field, file)| (field.clone(), Value::from(file.name.clone())));
        Value::Object(self.fields.clone().into_iter().chain(files).collect())
    }

    /// Returns the parameters as the record of requests shows them.
    pub(crate) fn shown(&self) -> Value {
        let files = self.files.iter().map(|(field, file)| (field.clone(), Value::from(file.name.clone())));
        Value::Object(self.fields.clone().into_iter().chain(files).collect())
    }

    fn take_pairs(&mut self, encoded: &[u8]) {
        self.fields.extend(form::pairs(encoded));
    }

    fn take_json(&mut self, body: &[u8]) -> Result<(), &'static str> {
        match serde_json::from_slice(body) {
            Ok(Value::Object(fields)) => self.fields.extend(fields),
            _ => return Err("can't parse JSON object"),
        }
        Ok(())
    }

    async fn take_multipart(&mut self, parts: &Parts, body: Bytes) -> Result<(), &'static str> {
        for part in form::multipart(parts, body).await.ok_or("can't parse multipart form")? {
            match part.file {
                Some(name) => {
                    self.files.insert(part.name, Upload { name, mime: part.mime, bytes: part.bytes });
                }
                None => {
                    let text =
                        String::from_utf8(part.bytes.to_vec()).map_err(|_| "strings must be encoded in UTF-8")?;
                    self.fields.insert(part.name, Value::from(text));
                }
            }
        }
        Ok(())
    }
}
