//! Tells the parts of unfinished messages from all else that the client writes to stdout. They pass by the log: each is worth something
//! only until the message is finished, and together they are many times as long as all messages.

/// How the client's line of such a part begins: client 2.1.330, as observed.
const PARTIAL: &[u8] = b"{\"type\":\"stream_event\",";
/// The longest such line that is passed on, in bytes. A longer one is dropped.
const LONGEST: usize = 64 << 10;

/// A piece of the output, in its order.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Bytes for the log.
    Logged(Vec<u8>),
    /// A whole line, without its end, that is a part of an unfinished message.
    Partial(Vec<u8>),
}

/// Splits the output of one client.
#[derive(Debug, Default)]
pub(super) struct Sieve {
    line: Current,
    /// The beginning of the line, while it is not known what it is, or all of a part.
    begun: Vec<u8>,
}

/// What the current line is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Current {
    #[default]
    Unknown,
    Logged,
    Partial,
    TooLong,
}

impl Sieve {
    /// Takes a chunk in.
    pub(super) fn feed(&mut self, chunk: &[u8]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for piece in chunk.split_inclusive(|byte| *byte == b'\n') {
            self.take(piece, &mut pieces);
        }
        pieces
    }

    /// Returns the bytes for the log that were held back: the beginning of a last line without an end.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        let begun = std::mem::take(&mut self.begun);
        if self.line == Current::Unknown { begun } else { Vec::new() }
    }

    /// Takes a piece of one line in, which may have its end.
    fn take(&mut self, piece: &[u8], pieces: &mut Vec<Piece>) {
        let is_whole = piece.ends_with(b"\n");
        match self.line {
            Current::Unknown => {
                self.begun.extend_from_slice(piece);
                let is_known = is_whole || self.begun.len() >= PARTIAL.len() || !PARTIAL.starts_with(&self.begun);
                if !is_known {
                    return;
                }
                if self.begun.starts_with(PARTIAL) {
                    self.line = Current::Partial;
                } else {
                    self.line = Current::Logged;
                    log(pieces, &std::mem::take(&mut self.begun));
                }
            }
            Current::Partial => self.begun.extend_from_slice(piece),
            Current::Logged => log(pieces, piece),
            Current::TooLong => {}
        }
        if self.begun.len() > LONGEST {
            (self.line, self.begun) = (Current::TooLong, Vec::new());
        }
        if is_whole {
            if self.line == Current::Partial {
                self.begun.pop();
                pieces.push(Piece::Partial(std::mem::take(&mut self.begun)));
            }
            self.line = Current::Unknown;
        }
    }
}

fn log(pieces: &mut Vec<Piece>, bytes: &[u8]) {
    match pieces.last_mut() {
        Some(Piece::Logged(last)) => last.extend_from_slice(bytes),
        _ => pieces.push(Piece::Logged(bytes.to_vec())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: &str = r#"{"type":"stream_event","event":{"type":"message_stop"}}"#;

    /// Returns the log, and the parts.
    fn sieved(sieve: &mut Sieve, text: &[u8], chunk: usize) -> (Vec<u8>, Vec<Vec<u8>>) {
        let (mut logged, mut parts) = (Vec::new(), Vec::new());
        for piece in text.chunks(chunk.max(1)).flat_map(|chunk| sieve.feed(chunk)) {
            match piece {
                Piece::Logged(bytes) => logged.extend(bytes),
                Piece::Partial(line) => parts.push(line),
            }
        }
        (logged, parts)
    }

    #[test]
    fn parts_pass_by_the_log_in_the_order_of_the_output() {
        let mut sieve = Sieve::default();
        let text = format!("{{\"type\":\"user\"}}\nno JSON\n{PART}\n{{\"type\":\"stream\n{PART}\n");
        let part = || Piece::Partial(PART.into());
        let expected = vec![
            Piece::Logged(b"{\"type\":\"user\"}\nno JSON\n".to_vec()),
            part(),
            Piece::Logged(b"{\"type\":\"stream\n".to_vec()),
            part(),
        ];
        assert_eq!(sieve.feed(text.as_bytes()), expected);
        assert!(sieve.rest().is_empty());
    }

    #[test]
    fn a_last_line_without_an_end_is_logged_unless_it_is_a_part() {
        for (text, rest) in [("{\"type\":\"str", "{\"type\":\"str"), (PART, ""), ("x", "")] {
            let mut sieve = Sieve::default();
            sieve.feed(text.as_bytes());
            assert_eq!(sieve.rest(), rest.as_bytes(), "{text}");
        }
    }

    #[test]
    fn a_part_that_is_too_long_is_dropped_and_what_follows_is_not() {
        let long = format!("{{\"type\":\"stream_event\",\"x\":\"{}\"}}\n", "x".repeat(LONGEST));
        let (logged, parts) = sieved(&mut Sieve::default(), format!("{long}{PART}\nrest\n").as_bytes(), 5_000);
        assert_eq!((logged.as_slice(), parts.as_slice()), (&b"rest\n"[..], &[PART.as_bytes().to_vec()][..]));
    }

    proptest::proptest! {
        #[test]
        fn nothing_but_parts_is_missing_in_the_log(
            lines in proptest::collection::vec(
                proptest::prop_oneof![
                    proptest::strategy::Just(PART.to_owned()),
                    proptest::strategy::Just("{\"type\":\"stream_event\"}".to_owned()),
                    "[a-z{\":]{0,30}",
                ],
                0..12,
            ),
            has_end: bool,
            chunk in 1usize..80,
        ) {
            let mut text = lines.join("\n");
            if has_end && !lines.is_empty() {
                text.push('\n');
            }
            let mut sieve = Sieve::default();
            let (mut logged, parts) = sieved(&mut sieve, text.as_bytes(), chunk);
            logged.extend(sieve.rest());
            let whole = text.split_inclusive('\n');
            let is_part = |line: &str| line.starts_with(std::str::from_utf8(PARTIAL).unwrap());
            let expected: String = whole.clone().filter(|line| !is_part(line)).collect();
            proptest::prop_assert_eq!(String::from_utf8(logged).unwrap(), expected);
            proptest::prop_assert_eq!(parts.len(), whole.filter(|line| is_part(line) && line.ends_with('\n')).count());
        }
    }
}
