//! The frames that keeper and gateway exchange, and that the log contains: a kind, a length (32 bits, little endian)
//! and this number of bytes.
//!
//! | kind | | to | holds |
//! |---|---|---|---|
//! | `h` | hello | gateway | JSON, [`Hello`] |
//! | `o`, `e` | output | gateway | bytes that the client wrote to stdout, to stderr |
//! | `m` | partial | gateway | a line of the client that is a part of an unfinished message. It is not in the log |
//! | `i` | input | gateway | bytes that reached the client's stdin |
//! | `p` | place | gateway | how many bytes of the log came before it, 64 bits, little endian: the first frame of each file |
//! | `b` | begin | gateway | a client was started: its number in the session, from 0, 32 bits, little endian |
//! | `l` | live | gateway | nothing; all frames before it are from the past |
//! | `x` | exit | gateway | JSON, [`Exit`]: the client has ended |
//! | `i` | input | keeper | bytes for the client's stdin: whole lines |
//! | `q` | quit | keeper | nothing; it requests the client's end |

use serde::{Deserialize, Serialize};

use crate::control::MAX_LINE;

/// The longest frame, in bytes.
pub const MAX_FRAME: usize = MAX_LINE;

/// Kind and length.
pub(super) const HEAD: usize = 5;

/// The kind of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The first frame of a connection.
    Hello = b'h',
    /// Output of the client.
    Stdout = b'o',
    /// A part of an unfinished message, which is not in the log.
    Partial = b'm',
    /// The client's stderr, for people.
    Stderr = b'e',
    /// Input of the client.
    Stdin = b'i',
    /// The place of this file in the session's log.
    Place = b'p',
    /// A client was started.
    Begin = b'b',
    /// The past ends here.
    Live = b'l',
    /// The client has ended.
    Exit = b'x',
    /// The client is to end.
    Quit = b'q',
}

/// A frame that came whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Says what the frame is.
    pub kind: Kind,
    /// The bytes that the frame holds.
    pub bytes: Vec<u8>,
}

/// The first message of a keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The version of these frames: 1.
    pub version: u32,
    /// Whether the oldest part of the log was dropped, so that the log may begin in the middle of a line.
    pub cut: bool,
}

/// How the client ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// Its exit code; `None` if it was killed.
    pub code: Option<i32>,
    /// The signal that killed it.
    pub signal: Option<i32>,
}

/// A frame is longer than one may be, or of no known kind: nothing after it can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a frame is of no known kind, or longer than {MAX_FRAME} bytes")]
pub struct TooLong;

impl Frame {
    /// Returns the number of bytes that the frame takes in the log.
    pub fn length(&self) -> u64 {
        (HEAD + self.bytes.len()) as u64
    }

    /// Returns the number in a [`Kind::Place`] or [`Kind::Begin`]; `None` for other kinds.
    pub fn number(&self) -> Option<u64> {
        let mut number = [0; 8];
        number.get_mut(..self.bytes.len())?.copy_from_slice(&self.bytes);
        matches!(self.kind, Kind::Place | Kind::Begin).then_some(u64::from_le_bytes(number))
    }
}

/// Finds frames in chunks of bytes.
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    /// How many of the bytes belong to frames that were taken. They are removed all at once, before the next chunk: a whole
    /// log may be fed at a time.
    taken: usize,
}

impl Kind {
    const ALL: [Self; 10] = {
        use Kind::{Begin, Exit, Hello, Live, Partial, Place, Quit, Stderr, Stdin, Stdout};
        [Hello, Stdout, Partial, Stderr, Stdin, Place, Begin, Live, Exit, Quit]
    };

    fn of(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// Returns the bytes of a frame. `bytes` may have at most [`MAX_FRAME`].
pub fn encode(kind: Kind, bytes: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(HEAD + bytes.len());
    frame.push(kind as u8);
    frame.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    frame.extend_from_slice(bytes);
    frame
}

impl Decoder {
    /// Takes a chunk in.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.bytes.drain(..std::mem::take(&mut self.taken));
        self.bytes.extend_from_slice(chunk);
    }

    /// Returns the next complete frame; `None` if more bytes are needed.
    pub fn take_frame(&mut self) -> Result<Option<Frame>, TooLong> {
        let left = self.bytes.get(self.taken..).unwrap_or_default();
        let Some((head, rest)) = left.split_at_checked(HEAD) else { return Ok(None) };
        let [kind, length @ ..] = head else { return Ok(None) };
        let kind = Kind::of(*kind).ok_or(TooLong)?;
        let length = length.try_into().map(u32::from_le_bytes).map_err(|_| TooLong)? as usize;
        if length > MAX_FRAME {
            return Err(TooLong);
        }
        let Some(bytes) = rest.get(..length).map(<[u8]>::to_vec) else { return Ok(None) };
        self.taken += HEAD + length;
        Ok(Some(Frame { kind, bytes }))
    }

    /// Returns whether no part of an incomplete frame is left.
    pub fn is_empty(&self) -> bool {
        self.taken == self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn frames_come_out_as_they_went_in(
            payloads in proptest::collection::vec(proptest::collection::vec(proptest::prelude::any::<u8>(), 0..50), 0..6),
            chunk in 1usize..20,
        ) {
            let frames: Vec<Frame> = payloads.into_iter().zip(Kind::ALL.into_iter().cycle()).map(|(bytes, kind)| Frame { kind, bytes }).collect();
            let text: Vec<u8> = frames.iter().flat_map(|frame| encode(frame.kind, &frame.bytes)).collect();
            let (mut decoder, mut found) = (Decoder::default(), Vec::new());
            for chunk in text.chunks(chunk) {
                decoder.feed(chunk);
                while let Some(frame) = decoder.take_frame().unwrap() {
                    found.push(frame);
                }
            }
            proptest::prop_assert_eq!(found, frames);
            proptest::prop_assert!(decoder.is_empty());
        }
    }

    #[test]
    fn the_frames_of_a_whole_log_that_is_fed_at_once_are_found() {
        let mut decoder = Decoder::default();
        decoder.feed(&encode(Kind::Stderr, b"x").repeat(400_000));
        let mut found = 0;
        while let Some(frame) = decoder.take_frame().unwrap() {
            assert_eq!(frame.bytes, b"x");
            found += 1;
        }
        assert_eq!((found, decoder.is_empty()), (400_000, true));
    }

    #[test]
    fn what_is_no_frame_is_an_error() {
        for bytes in [&b"Z\0\0\0\0"[..], b"o\xff\xff\xff\xff"] {
            let mut decoder = Decoder::default();
            decoder.feed(bytes);
            assert_eq!(decoder.take_frame(), Err(TooLong));
        }
    }
}
