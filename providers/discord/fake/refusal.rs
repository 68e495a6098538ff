use http::StatusCode;
use serde_json::{Value, json};

/// An error with which Discord refuses a request:
/// <https://discord.com/developers/docs/topics/opcodes-and-status-codes#json>.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) code: u64,
    pub(crate) message: String,
    /// The errors of fields, for code 50035 only.
    pub(crate) errors: Option<Value>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: u64, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), errors: None }
    }

    /// Returns an error whose text is that of the HTTP status.
    pub(crate) fn plain(status: StatusCode) -> Self {
        let reason = status.canonical_reason().unwrap_or("Error");
        Self::new(status, 0, format!("{}: {reason}", status.as_u16()))
    }

    /// Returns 404. The codes are 10003 channel, 10004 guild, 10007 member, 10008 message, 10014 emoji, 10015 webhook,
    /// 10062 interaction.
    pub(crate) fn unknown(code: u64, what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, format!("Unknown {what}"))
    }

    pub(crate) fn missing_access() -> Self {
        Self::new(StatusCode::FORBIDDEN, 50001, "Missing Access")
    }

    pub(crate) fn archived() -> Self {
        let message = "Tried to perform an operation on an archived thread, such as editing a message or adding a user";
        Self::new(StatusCode::BAD_REQUEST, 50083, message)
    }

    pub(crate) fn missing_permissions() -> Self {
        Self::new(StatusCode::FORBIDDEN, 50013, "Missing Permissions")
    }

    /// Returns 400 for the field at `path`.
    pub(crate) fn field(path: &[&str], code: &str, message: impl Into<String>) -> Self {
        let mut errors = json!({"_errors": [{"code": code, "message": message.into()}]});
        for name in path.iter().rev() {
            errors = json!({ *name: errors });
        }
        Self { errors: Some(errors), ..Self::new(StatusCode::BAD_REQUEST, 50035, "Invalid Form Body") }
    }

    /// Returns the same error, with its fields below `path`.
    pub(crate) fn below(self, path: &[&str]) -> Self {
        let errors = self.errors.map(|errors| path.iter().rev().fold(errors, |errors, name| json!({ *name: errors })));
        Self { errors, ..self }
    }

    pub(crate) fn body(&self) -> Value {
        let mut body = json!({"message": self.message, "code": self.code});
        if let (Some(errors), Value::Object(fields)) = (&self.errors, &mut body) {
            fields.insert("errors".to_owned(), errors.clone());
        }
        body
    }
}
