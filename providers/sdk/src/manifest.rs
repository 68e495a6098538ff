//! Constructors for parts of a manifest.

use crate::{FrameKind, SecretFrame, SecretHeader, SecretPlace, SecretSpec, Words};

impl Words {
    /// Returns a text in English and in Korean.
    pub fn new(en: &str, ko: &str) -> Self {
        Self { en: en.to_owned(), ko: ko.to_owned() }
    }
}

impl SecretSpec {
    /// Returns a secret that the provider cannot work without, and that is not exchanged.
    pub fn new(name: &str, help: Words, origins: Vec<String>, places: Vec<SecretPlace>) -> Self {
        Self { name: name.to_owned(), help, required: true, instead_of: None, origins, places, renewal: None }
    }
}

/// Constructors for the places in which a secret may stand. A path is written
/// `SecretPlace::Path("/bot{secret:bot-token}/".to_owned())`.
impl SecretPlace {
    /// Returns a header, by its name and its whole value: `authorization` and `Bot {secret:bot-token}`.
    pub fn in_header(name: &str, value: &str) -> Self {
        Self::Header(SecretHeader { name: name.to_owned(), value: value.to_owned() })
    }

    /// Returns the string at a JSON pointer, in every frame whose value at another pointer equals the given JSON:
    /// `/d/token` where `/op` is `2`.
    pub fn in_frame(pointer: &str, kind: &str, value: &str) -> Self {
        let kind = FrameKind { pointer: kind.to_owned(), value: value.to_owned() };
        Self::Frame(SecretFrame { pointer: pointer.to_owned(), kind: Some(kind) })
    }
}
