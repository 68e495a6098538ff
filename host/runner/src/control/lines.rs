//! Splits chunks of bytes into lines. A chunk may end anywhere, also inside a character.
//!
//! | line | becomes |
//! |---|---|
//! | begins with `{` | a text |
//! | begins with anything else, or is empty | nothing, because the client also writes debug lines |
//! | longer than the bound | [`Line::TooLong`], and its rest is skipped |
//! | the bytes after the last line feed | nothing, until their line ends |

/// The longest line that is kept, in bytes: 64 MiB. Messages of many megabytes occur, such as files that are read.
pub const MAX_LINE: usize = 64 << 20;

/// The capacity that a buffer keeps between lines, in bytes.
const KEPT: usize = 1 << 16;

/// One line that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// A whole line that begins with `{`, without its end. It may hold invalid UTF-8.
    Text(&'a [u8]),
    /// A line that was longer than the bound. It is reported once.
    TooLong,
}

/// Finds the lines in chunks of bytes.
#[derive(Debug)]
pub struct Lines {
    line: Vec<u8>,
    /// The place where the line begins, in the caller's counting.
    begins: u64,
    state: State,
    max: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Begins,
    Keeps,
    PassesOver,
}

impl Default for Lines {
    fn default() -> Self {
        Self::bounded(MAX_LINE)
    }
}

impl Lines {
    /// Finds lines of at most `max` bytes.
    pub fn bounded(max: usize) -> Self {
        Self { line: Vec::new(), begins: 0, state: State::Begins, max }
    }

    /// Finds lines in bytes that may begin in the middle of one: that one is passed over.
    pub fn cut() -> Self {
        Self { state: State::PassesOver, ..Self::default() }
    }

    /// Takes a chunk at a place, and calls `take` with every line that ends in it and the place of its beginning, which
    /// may be in an earlier chunk.
    pub fn feed_at(&mut self, at: u64, chunk: &[u8], mut take: impl FnMut(u64, Line<'_>)) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let here = at + (chunk.len() - rest.len()) as u64;
            let end = memchr::memchr(b'\n', rest);
            let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after.get(1..).unwrap_or_default();
            if self.state == State::Begins
                && let Some(first) = piece.first()
            {
                self.begins = here;
                self.state = if *first == b'{' { State::Keeps } else { State::PassesOver };
            }
            if self.state == State::Keeps {
                if self.line.len().saturating_add(piece.len()) > self.max {
                    self.line = Vec::new();
                    self.state = State::PassesOver;
                    take(self.begins, Line::TooLong);
                } else if end.is_some() && self.line.is_empty() {
                    take(self.begins, Line::Text(piece));
                } else {
                    self.line.extend_from_slice(piece);
                    if end.is_some() {
                        take(self.begins, Line::Text(&self.line));
                    }
                }
            }
            if end.is_some() {
                self.line.clear();
                self.line.shrink_to(KEPT);
                self.state = State::Begins;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: &mut Lines, chunks: &[&[u8]]) -> Vec<Option<Vec<u8>>> {
        let mut found = Vec::new();
        for chunk in chunks {
            lines.feed_at(0, chunk, |_, line| {
                found.push(match line {
                    Line::Text(text) => Some(text.to_vec()),
                    Line::TooLong => None,
                });
            });
        }
        found
    }

    #[test]
    fn lines_that_begin_with_a_brace_are_found_and_others_are_not() {
        let text = b"{\"a\":1}\n\nTypeError: {\n[DEBUG] x\n {\"b\":1}\n{\"\xff\"}\n{cut";
        assert_eq!(found(&mut Lines::default(), &[text]), [Some(b"{\"a\":1}".to_vec()), Some(b"{\"\xff\"}".to_vec())]);
    }

    #[test]
    fn a_line_stands_where_it_begins_also_in_an_earlier_chunk() {
        let (mut lines, mut begins) = (Lines::bounded(6), Vec::new());
        for (at, chunk) in [(100, &b"{}\nx\n{a"[..]), (200, b"b}\n\n{c}\n"), (300, b"{too long}\n{}\n")] {
            lines.feed_at(at, chunk, |begin, _| begins.push(begin));
        }
        assert_eq!(begins, [100, 105, 204, 300, 311]);
    }

    #[test]
    fn a_line_that_is_too_long_is_told_once_and_the_next_one_is_read() {
        let mut lines = Lines::bounded(4);
        assert_eq!(
            found(&mut lines, &[b"{ab", b"cdef", b"gh\n{ab}\n", b"{abcd}\n"]),
            [None, Some(b"{ab}".to_vec()), None]
        );
    }

    #[test]
    fn the_rest_of_a_line_that_was_cut_is_no_line() {
        assert_eq!(found(&mut Lines::cut(), &[b"{\"inner\":1}}\n{\"b\":1}\n"]), [Some(b"{\"b\":1}".to_vec())]);
    }

    proptest::proptest! {
        #[test]
        fn where_a_chunk_ends_makes_no_difference(
            text in proptest::collection::vec(proptest::sample::select(b"{}\n \xc3\xa9ab\xff".to_vec()), 0..200),
            cuts in proptest::collection::vec(0usize..200, 0..8),
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|at| at.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
            let whole = found(&mut Lines::bounded(8), &[&text]);
            let in_chunks = found(&mut Lines::bounded(8), &chunks);
            // A line that becomes too long is reported at once, which may be before its end.
            let ends = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let whole_lines = found(&mut Lines::bounded(8), &[&text[..ends]]);
            proptest::prop_assert_eq!(&in_chunks[..whole_lines.len()], &whole_lines[..]);
            proptest::prop_assert!(in_chunks.len() - whole_lines.len() <= 1 && whole.len() == in_chunks.len());
            let expected = text[..ends].split(|byte| *byte == b'\n').filter(|line| line.first() == Some(&b'{'));
            let expected: Vec<_> = expected.map(|line| (line.len() <= 8).then(|| line.to_vec())).collect();
            proptest::prop_assert_eq!(whole_lines, expected);
        }
    }
}
