//! Reads keys out of the bytes of a terminal in raw mode (ECMA-48, and xterm's names for keys).

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Enter,
    Escape,
    Tab,
    Backspace,
    Up,
    Down,
    PageUp,
    PageDown,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D.
    Leave,
}

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    Key(Key),
    /// A text that was pasted, as terminals mark it.
    Paste(String),
}

/// Keeps what is not complete yet from one read to the next.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// Bytes of a character or of a sequence that goes on.
    begun: Vec<u8>,
    pasted: Option<Vec<u8>>,
}

const PASTE: &[u8] = b"\x1b[200~";
const PASTED: &[u8] = b"\x1b[201~";
/// The longest sequence of a key that is waited for.
const LONGEST: usize = 16;

impl Key {
    /// Whether it can only deny.
    pub(super) fn denies(self) -> bool {
        matches!(self, Self::Char('n' | 'N' | 'ㅜ'))
    }
}

impl Decoder {
    /// Forgets what was begun.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns what is complete now.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Vec<Input> {
        self.begun.extend_from_slice(bytes);
        let bytes = std::mem::take(&mut self.begun);
        let (mut rest, mut inputs) = (bytes.as_slice(), Vec::new());
        while !rest.is_empty() {
            if let Some(pasted) = &mut self.pasted {
                let all = [pasted.as_slice(), rest].concat();
                let Some(at) = find(&all, PASTED) else {
                    *pasted = all;
                    return inputs;
                };
                let (text, after) = all.split_at(at);
                inputs.push(Input::Paste(String::from_utf8_lossy(text).into_owned()));
                let used = after.len().saturating_sub(PASTED.len());
                rest = rest.get(rest.len().saturating_sub(used)..).unwrap_or_default();
                self.pasted = None;
                continue;
            }
            if let Some(after) = rest.strip_prefix(PASTE) {
                (self.pasted, rest) = (Some(Vec::new()), after);
                continue;
            }
            let Some((key, length)) = one(rest) else {
                self.begun = rest.to_vec();
                break;
            };
            inputs.extend(key.map(Input::Key));
            rest = rest.get(length.max(1)..).unwrap_or_default();
        }
        inputs
    }
}

/// The first key and its length in bytes. No key for a sequence that means nothing here; `None` where it goes on.
fn one(bytes: &[u8]) -> Option<(Option<Key>, usize)> {
    let first = *bytes.first()?;
    let key = match first {
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        0x03 => Key::Interrupt,
        0x04 => Key::Leave,
        0x08 | 0x7f => Key::Backspace,
        0x1b => return sequence(bytes),
        0..=0x1f => return Some((None, 1)),
        _ => return character(bytes),
    };
    Some((Some(key), 1))
}

fn sequence(bytes: &[u8]) -> Option<(Option<Key>, usize)> {
    match bytes.get(1) {
        // Alone at the end of a read it is the key: terminals send the rest of a sequence with it.
        None => Some((Some(Key::Escape), 1)),
        Some(b'[') => {
            let parameters = bytes.iter().skip(2).take_while(|byte| (0x20..0x40).contains(*byte)).count();
            let length = 2 + parameters + 1;
            match bytes.get(length - 1) {
                None if length > LONGEST => Some((None, bytes.len())),
                None => None,
                Some(last) => Some((named(bytes.get(2..length - 1).unwrap_or_default(), *last), length)),
            }
        }
        Some(b'O') => bytes.get(2).map(|last| (named(b"", *last), 3)),
        // Escape twice, or a key with Alt, which means nothing here.
        Some(0x1b) => Some((Some(Key::Escape), 1)),
        Some(_) => character(bytes.get(1..).unwrap_or_default()).map(|(_, length)| (None, 1 + length)),
    }
}

fn named(parameters: &[u8], last: u8) -> Option<Key> {
    match (parameters, last) {
        (b"", b'A') => Some(Key::Up),
        (b"", b'B') => Some(Key::Down),
        (b"5", b'~') => Some(Key::PageUp),
        (b"6", b'~') => Some(Key::PageDown),
        _ => None,
    }
}

fn character(bytes: &[u8]) -> Option<(Option<Key>, usize)> {
    let length = match bytes.first()? {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => return Some((None, 1)),
    };
    let text = bytes.get(..length)?;
    let character = std::str::from_utf8(text).ok().and_then(|text| text.chars().next());
    Some(match character {
        Some(character) if !character.is_control() => (Some(Key::Char(character)), length),
        Some(_) => (None, length),
        None => (None, 1),
    })
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(chunks: &[&str]) -> Vec<Input> {
        let mut decoder = Decoder::default();
        chunks.iter().flat_map(|chunk| decoder.read(chunk.as_bytes())).collect()
    }

    #[test]
    fn keys_are_read_out_of_what_terminals_send() {
        let key = |key| vec![Input::Key(key)];
        for (bytes, keys) in [
            ("y", key(Key::Char('y'))),
            ("ㅛ", key(Key::Char('ㅛ'))),
            ("\r", key(Key::Enter)),
            ("\n", key(Key::Enter)),
            ("\u{1b}", key(Key::Escape)),
            ("\u{1b}[A", key(Key::Up)),
            ("\u{1b}OB", key(Key::Down)),
            ("\u{1b}[6~", key(Key::PageDown)),
            ("\u{3}", key(Key::Interrupt)),
            ("\u{7f}", key(Key::Backspace)),
            ("\u{1b}[1;5A", vec![]),
            ("\u{1b}y", vec![]),
            ("\u{1b}[<0;10;10M", vec![]),
            ("\u{0}", vec![]),
        ] {
            assert_eq!(read(&[bytes]), keys, "{bytes:?}");
        }
    }

    #[test]
    fn what_is_pasted_is_one_text_and_no_keys_however_it_arrives() {
        let pasted = vec![Input::Paste("y\ry\n한".to_owned())];
        assert_eq!(read(&["\u{1b}[200~y\ry\n한\u{1b}[201~"]), pasted);
        assert_eq!(read(&["\u{1b}[200~y\r", "y\n한\u{1b}[20", "1~"]), pasted);
        assert_eq!(read(&["\u{1b}[200~y\u{1b}[201~n"]), [Input::Paste("y".to_owned()), Input::Key(Key::Char('n'))]);
        assert_eq!(read(&["\u{1b}[200~y\r", "y\r"]), [], "a paste that does not end is never keys");
    }

    #[test]
    fn a_character_in_two_reads_is_one_key() {
        let mut decoder = Decoder::default();
        let bytes = "ㅛ".as_bytes();
        assert!(decoder.read(&bytes[..2]).is_empty());
        assert_eq!(decoder.read(&bytes[2..]), [Input::Key(Key::Char('ㅛ'))]);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic_or_stop(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let mut decoder = Decoder::default();
            let _ = decoder.read(&bytes);
            prop_assert!(decoder.begun.len() <= bytes.len());
        }
    }
}
