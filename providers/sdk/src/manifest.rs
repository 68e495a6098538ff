//! Parts of a manifest.

use crate::{FrameKind, SecretFrame, SecretHeader, SecretPlace, Words};

impl Words {
    /// A line in English and in Korean.
    pub fn new(en: &str, ko: &str) -> Self {
        Self { en: en.to_owned(), ko: ko.to_owned() }
    }
}

/// Naming a place. A path is `SecretPlace::Path("/bot{secret:bot-token}/".to_owned())`.
impl SecretPlace {
    /// A header, by its name and the whole of its value: `authorization` and `Bot {secret:bot-token}`.
    pub fn in_header(name: &str, value: &str) -> Self {
        Self::Header(SecretHeader { name: name.to_owned(), value: value.to_owned() })
    }

    /// The string at a JSON pointer in every frame that has this value, written as JSON, at another one: `/d/token` where
    /// `/op` is `2`.
    pub fn in_frame(pointer: &str, kind: &str, value: &str) -> Self {
        let kind = FrameKind { pointer: kind.to_owned(), value: value.to_owned() };
        Self::Frame(SecretFrame { pointer: pointer.to_owned(), kind: Some(kind) })
    }
}
