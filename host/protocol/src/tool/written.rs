//! What a command writes while it runs, for whoever follows it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Stream;

/// What a command wrote: as text where it is UTF-8, else as hex digits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// The invocation that wrote it.
    pub invocation_id: Uuid,
    /// Whether it was written to stdout or to stderr.
    pub stream: Stream,
    /// What, where it is UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// What, where it is not: two digits a byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hex: Option<String>,
}

impl Written {
    /// What a command wrote at once.
    pub fn new(invocation_id: Uuid, stream: Stream, bytes: Vec<u8>) -> Self {
        let (text, hex) = match String::from_utf8(bytes) {
            Ok(text) => (Some(text), None),
            Err(other) => (None, Some(hex(other.as_bytes()))),
        };
        Self { invocation_id, stream, text, hex }
    }

    /// Returns the bytes as the command wrote them; none where the hex digits cannot be read.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        match self.hex {
            Some(hex) => unhex(&hex),
            None => Some(self.text.unwrap_or_default().into_bytes()),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    let digits = |byte: &u8| [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or_default());
    bytes.iter().flat_map(digits).collect()
}

fn unhex(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
        _ => None,
    };
    hex.as_bytes().chunks(2).map(pair).collect()
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
        assert_eq!((hex(&[0, 255, 160]), unhex("00fFa0")), ("00ffa0".to_owned(), Some(vec![0, 255, 160])));
        for bad in ["0", "zz", "00é"] {
            assert_eq!(unhex(bad), None, "{bad}");
        }
    }
}
