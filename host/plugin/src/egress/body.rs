//! The rules for a secret in the body of a request.
//!
//! | body | result |
//! |---|---|
//! | no secret of the manifest has a place in a body of this type | sent as it is, unread |
//! | JSON in which a secret's placeholder is the string at one of that secret's pointers | filled in, and serialized again from the parsed value, so that the server reads the same value |
//! | a form in which a secret's placeholder is the value of one of that secret's fields | filled in, and encoded again |
//! | two such placeholders, also where the URL or a header has one | refused |
//! | a placeholder anywhere else, or a body that cannot be read | text like any other, sent as it is: bodies hold untrusted text, in which nothing is filled in |
//!
//! The type of a body is what its `content-type` says.

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::Value;
use url::form_urlencoded;

use super::place::Place;
use super::placeholder::whole;
use super::{Egress, Origin, Refusal};

/// The types of bodies that have places for secrets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Json,
    Form,
}

impl Egress {
    /// Fills in a body for an origin. `elsewhere` is the number of placeholders in the URL and the headers.
    pub(super) fn body(
        &self,
        body: Vec<u8>,
        headers: &HeaderMap,
        origin: &Origin,
        elsewhere: usize,
    ) -> Result<Vec<u8>, Refusal> {
        let Some(kind) = kind(headers).filter(|kind| self.has_places(*kind)) else { return Ok(body) };
        let filled = match kind {
            Kind::Json => self.json_body(&body, origin)?,
            Kind::Form => self.form_body(&body, origin)?,
        };
        match filled {
            Some(_) if elsewhere > 0 => Err(Refusal::SecretTwice),
            Some(filled) => Ok(filled),
            None => Ok(body),
        }
    }

    fn has_places(&self, kind: Kind) -> bool {
        let is_of_kind = |place: &Place| match place {
            Place::Json(_) => kind == Kind::Json,
            Place::Form(_) => kind == Kind::Form,
            Place::Path(_) | Place::Header(..) | Place::Frame(..) => false,
        };
        self.secrets.iter().flat_map(|secret| &secret.places).any(is_of_kind)
    }

    fn json_body(&self, body: &[u8], origin: &Origin) -> Result<Option<Vec<u8>>, Refusal> {
        let Ok(mut json) = serde_json::from_slice::<Value>(body) else { return Ok(None) };
        let mut found = Vec::new();
        for secret in &self.secrets {
            for place in &secret.places {
                let Place::Json(pointer) = place else { continue };
                let named = json.pointer(pointer).and_then(Value::as_str).and_then(whole);
                if named == Some(&secret.name) {
                    found.push((pointer, &secret.name));
                }
            }
        }
        let Some((pointer, name)) = only(&found)? else { return Ok(None) };
        let value = self.secret(name, origin, |place, _| matches!(place, Place::Json(it) if it == pointer))?;
        if let Some(string) = json.pointer_mut(pointer) {
            *string = Value::from(value.expose());
        }
        Ok(Some(json.to_string().into_bytes()))
    }

    fn form_body(&self, body: &[u8], origin: &Origin) -> Result<Option<Vec<u8>>, Refusal> {
        let mut fields: Vec<(String, String)> = form_urlencoded::parse(body).into_owned().collect();
        let is_place = |field: &str, name: &str| {
            let mut named = self.secrets.iter().filter(|secret| secret.name == name);
            named.any(|secret| secret.places.iter().any(|place| matches!(place, Place::Form(it) if it == field)))
        };
        let found: Vec<_> = fields
            .iter()
            .enumerate()
            .filter_map(|(at, (field, value))| whole(value).filter(|name| is_place(field, name)).map(|name| (at, name)))
            .collect();
        let Some((at, name)) = only(&found)? else { return Ok(None) };
        let value = self.secret(name, origin, |place, _| matches!(place, Place::Form(_)))?.expose().to_owned();
        if let Some((_, placeholder)) = fields.get_mut(at) {
            *placeholder = value;
        }
        Ok(Some(form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish().into_bytes()))
    }
}

/// Returns the only placeholder that was found, if there is any.
fn only<T: Copy>(found: &[T]) -> Result<Option<T>, Refusal> {
    match found {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        _ => Err(Refusal::SecretTwice),
    }
}

/// Returns the type of a body, if a secret can have a place in it.
fn kind(headers: &HeaderMap) -> Option<Kind> {
    let written = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    match written.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "application/json" => Some(Kind::Json),
        "application/x-www-form-urlencoded" => Some(Kind::Form),
        _ => None,
    }
}
