//! A command's output while it runs, for a client that follows it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Stream;

/// A chunk of output: as text if it is UTF-8, else as hex digits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// The invocation that wrote it.
    pub invocation_id: Uuid,
    /// Whether it was written to stdout or to stderr.
    pub stream: Stream,
    /// The output, if it is UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The output in hex, two digits per byte, if it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hex: Option<String>,
}

impl Written {
    /// Creates a chunk from bytes that were read together.
    pub fn new(invocation_id: Uuid, stream: Stream, bytes: Vec<u8>) -> Self {
        let (text, hex) = match String::from_utf8(bytes) {
            Ok(text) => (Some(text), None),
            Err(other) => (None, Some(hex::encode(other.as_bytes()))),
        };
        Self { invocation_id, stream, text, hex }
    }

    /// Returns the bytes as the command wrote them; `None` if the hex digits are invalid.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        match self.hex {
            Some(digits) => hex::decode(digits).ok(),
            None => Some(self.text.unwrap_or_default().into_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_as_they_were_written() {
        for bytes in [b"".as_slice(), "왜\n".as_bytes(), &[0, 255, 160], b"a\xffb"] {
            let written = Written::new(Uuid::from_u128(1), Stream::Stdout, bytes.to_vec());
            let read: Written = serde_json::from_str(&serde_json::to_string(&written).unwrap()).unwrap();
            assert_eq!(read.into_bytes().as_deref(), Some(bytes));
        }
        let of = |hex: &str| Written {
            invocation_id: Uuid::nil(),
            stream: Stream::Stdout,
            text: None,
            hex: Some(hex.into()),
        };
        let written = Written::new(Uuid::nil(), Stream::Stdout, vec![0, 255, 160]);
        assert_eq!((written.hex.as_deref(), of("00fFa0").into_bytes()), (Some("00ffa0"), Some(vec![0, 255, 160])));
        for bad in ["0", "zz", "00é"] {
            assert_eq!(of(bad).into_bytes(), None, "{bad}");
        }
    }
}
