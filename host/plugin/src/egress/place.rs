//! The places in which a secret may stand.
//!
//! | place | the manifest says | the secret stands |
//! |---|---|---|
//! | path | `/bot{secret:NAME}/` | at the beginning of the path, behind the path of the origin's `{setting:NAME}` |
//! | | `/hook/{secret:NAME}` | in a path that equals this one, behind the same |
//! | header | `authorization`, or a name that ends in `-token` or `-key`; `Bot {secret:NAME}` | in a header whose whole value equals this one |
//! | frame | a JSON pointer; a kind: a JSON pointer and a string, number or boolean | as the string at the pointer, in a frame of that kind |
//! | JSON body | a JSON pointer | as the string at the pointer |
//! | form | the name of a field: `[A-Za-z0-9_.-]` | as the value of that field |
//!
//! Default: nowhere. No other header is a place, whatever a manifest says, because servers show some headers to other
//! people (`x-audit-log-reason`). Paths, values, pointers and names have at most 128 bytes.

use dmplz_core::messenger::{FrameKind, SecretPlace};
use http::HeaderName;
use serde_json::Value;

use super::placeholder::Template;

const LONGEST: usize = 128;

/// A place that the manifest declares.
#[derive(Debug)]
pub(crate) enum Place {
    Path(String),
    Header(HeaderName, String),
    Frame(String, Option<(String, Value)>),
    Json(String),
    Form(String),
}

impl Place {
    /// Parses a place of the named secret. The error describes the places of its kind.
    pub(crate) fn parse(secret: &str, written: &SecretPlace) -> Result<Self, &'static str> {
        match written {
            SecretPlace::Path(path) => {
                let plain = path.starts_with('/') && path.bytes().all(|byte| byte.is_ascii_graphic());
                let ok = plain && !path.contains(['?', '#', '\\']) && holds(path, secret);
                let wrong = "a path must begin with a slash and hold its placeholder once, in at most 128 bytes of visible ASCII";
                ok.then(|| Self::Path(path.clone())).ok_or(wrong)
            }
            SecretPlace::Header { name, value } => {
                let name = HeaderName::from_bytes(name.as_bytes()).ok().filter(is_for_credentials);
                let wrong = "a header must be authorization or end in -token or -key, and hold its placeholder once, in at most 128 bytes";
                name.filter(|_| holds(value, secret)).map(|name| Self::Header(name, value.clone())).ok_or(wrong)
            }
            SecretPlace::Frame { pointer, kind } => {
                let pointer = read_pointer(pointer)?;
                Ok(Self::Frame(pointer, kind.as_ref().map(read_kind).transpose()?))
            }
            SecretPlace::Json(pointer) => read_pointer(pointer).map(Self::Json),
            SecretPlace::Form(field) => {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
                let ok = (1..=LONGEST).contains(&field.len()) && field.bytes().all(plain);
                let wrong = "a field of a form must have a name of 1 to 128 letters, digits, `_`, `.` and `-`";
                ok.then(|| Self::Form(field.clone())).ok_or(wrong)
            }
        }
    }

    /// Returns whether a path with its placeholder is this place, behind the path of its origin.
    pub(super) fn is_path(&self, path: &str, base: &str) -> bool {
        let (Self::Path(place), Some(path)) = (self, path.strip_prefix(base)) else { return false };
        if place.ends_with('/') { path.starts_with(place) } else { path == place }
    }

    /// Returns whether a header with its placeholder is this place.
    pub(super) fn is_header(&self, name: &HeaderName, value: &str) -> bool {
        matches!(self, Self::Header(place, all) if place == name && all == value)
    }

    /// Returns whether the frame's string at that pointer is this place.
    pub(super) fn is_frame(&self, pointer: &str, frame: &Value) -> bool {
        let Self::Frame(place, kind) = self else { return false };
        let of_kind = |(pointer, value): &(String, Value)| frame.pointer(pointer) == Some(value);
        place == pointer && kind.as_ref().is_none_or(of_kind)
    }
}

fn read_pointer(pointer: &str) -> Result<String, &'static str> {
    let wrong = "a pointer must be a JSON pointer (RFC 6901) of at most 128 bytes";
    if is_pointer(pointer) { Ok(pointer.to_owned()) } else { Err(wrong) }
}

fn read_kind(kind: &FrameKind) -> Result<(String, Value), &'static str> {
    let value =
        Some(&kind.value).filter(|value| value.len() <= LONGEST).and_then(|value| serde_json::from_str(value).ok());
    let value = value.filter(|value: &Value| value.is_string() || value.is_number() || value.is_boolean());
    let wrong = "a kind must be a JSON pointer (RFC 6901) and a string, number or truth value in JSON, each of at most 128 bytes";
    value.filter(|_| is_pointer(&kind.pointer)).map(|value| (kind.pointer.clone(), value)).ok_or(wrong)
}

fn holds(text: &str, secret: &str) -> bool {
    text.len() <= LONGEST && Template::parse(text).is_ok_and(|template| template.holds_once(secret))
}

fn is_pointer(text: &str) -> bool {
    let escaped = text.split('~').skip(1).all(|behind| behind.starts_with(['0', '1']));
    text.len() <= LONGEST && (text.is_empty() || text.starts_with('/')) && escaped
}

fn is_for_credentials(name: &HeaderName) -> bool {
    let name = name.as_str();
    name == "authorization" || name.ends_with("-token") || name.ends_with("-key")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str) -> SecretPlace {
        SecretPlace::Path(path.to_owned())
    }

    fn header(name: &str, value: &str) -> SecretPlace {
        SecretPlace::Header { name: name.to_owned(), value: value.to_owned() }
    }

    fn frame(pointer: &str, kind: Option<(&str, &str)>) -> SecretPlace {
        let kind = kind.map(|(pointer, value)| FrameKind { pointer: pointer.to_owned(), value: value.to_owned() });
        SecretPlace::Frame { pointer: pointer.to_owned(), kind }
    }

    #[test]
    fn what_is_written_as_no_place_is_refused() {
        let (long, deep) = ("x".repeat(LONGEST), format!("/{}", "d".repeat(LONGEST)));
        let table = [
            path("bot{secret:token}/"),
            path("/bot/"),
            path("/{secret:token}/{secret:token}/"),
            path("/{secret:other}/"),
            path("/{secret:token"),
            path("/a?b={secret:token}"),
            path("/#{secret:token}"),
            path("/\\{secret:token}"),
            path("/ {secret:token}"),
            path(&format!("/{long}{{secret:token}}/")),
            header("x-audit-log-reason", "{secret:token}"),
            header("user-agent", "{secret:token}"),
            header("proxy-authorization", "{secret:token}"),
            header("author ization", "{secret:token}"),
            header("authorization", "Bot"),
            header("authorization", "Bot {secret:other}"),
            header("authorization", "{secret:token} {secret:token}"),
            header("authorization", &format!("{long} {{secret:token}}")),
            SecretPlace::Json("token".to_owned()),
            SecretPlace::Json("/d~2".to_owned()),
            SecretPlace::Form(String::new()),
            SecretPlace::Form("a&b".to_owned()),
            SecretPlace::Form(long.clone() + "x"),
            frame("d/token", None),
            frame("/d~2", None),
            frame("/d~", None),
            frame(&deep, None),
            frame("/d", Some(("op", "2"))),
            frame("/d", Some(("/op", ""))),
            frame("/d", Some(("/op", "auth"))),
            frame("/d", Some(("/op", "null"))),
            frame("/d", Some(("/op", "[2]"))),
            frame("/d", Some(("/op", "{}"))),
            frame("/d", Some(("/op", &format!("\"{long}\"")))),
        ];
        for place in table {
            assert!(Place::parse("token", &place).is_err(), "{place:?}");
        }
    }

    #[test]
    fn a_path_begins_as_the_place_says_or_is_all_of_it() {
        let begins = Place::parse("token", &path("/bot{secret:token}/")).unwrap();
        let all = Place::parse("token", &path("/hook/{secret:token}")).unwrap();
        let table = [
            (&begins, "/bot{secret:token}/getMe", "", true),
            (&begins, "/bot{secret:token}", "", false),
            (&begins, "/x/bot{secret:token}/getMe", "", false),
            (&begins, "/x/bot{secret:token}/getMe", "/x", true),
            (&begins, "/bot{secret:token}/getMe", "/x", false),
            (&begins, "/getMe/{secret:token}", "", false),
            (&all, "/hook/{secret:token}", "", true),
            (&all, "/hook/{secret:token}/more", "", false),
            (&all, "/hook/{secret:token}x", "", false),
        ];
        for (place, path, base, expected) in table {
            assert_eq!(place.is_path(path, base), expected, "{place:?}: {path} after {base:?}");
        }
    }

    #[test]
    fn a_kind_is_told_by_a_value_of_its_very_type() {
        let frame_of = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let table = [
            (("/op", "2"), r#"{"op":2}"#, true),
            (("/op", "2"), r#"{"op":"2"}"#, false),
            (("/op", "2"), r#"{"op":3}"#, false),
            (("/op", "2"), r#"{"op":[2]}"#, false),
            (("/op", "2"), r#"{"d":{"op":2}}"#, false),
            (("/op", "2"), "[2]", false),
            (("/type", "\"auth\""), r#"{"type":"auth"}"#, true),
            (("/type", "\"auth\""), r#"{"type":"\u0061uth"}"#, true),
            (("/type", "\"auth\""), r#"{"type":"message"}"#, false),
            (("/0", "true"), "[true]", true),
            (("/0", "true"), "[false]", false),
        ];
        for (kind, text, expected) in table {
            let place = Place::parse("token", &frame("/token", Some(kind))).unwrap();
            assert_eq!(place.is_frame("/token", &frame_of(text)), expected, "{kind:?} in {text}");
            assert!(!place.is_frame("/d/token", &frame_of(text)), "{text}");
        }
        let of_any = Place::parse("token", &frame("", None)).unwrap();
        assert!(of_any.is_frame("", &frame_of("\"x\"")));
    }
}
