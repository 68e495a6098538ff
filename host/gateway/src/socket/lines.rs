//! Reads lines of a limited length.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};

/// The buffer capacity kept between lines, in bytes, so that one long line does not hold its memory for good: each hook that waits for a
/// person has a connection.
const KEPT: usize = 1 << 12;
/// How much is read at once, in bytes, for the same reason.
const CHUNK: usize = 1 << 11;

/// A line without its terminator.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Text(&'a str),
    NotUtf8,
    /// Longer than allowed. Nothing after it can be read.
    TooLong,
}

/// A reader of lines.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    max: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R, max: usize) -> Self {
        Self { reader: BufReader::with_capacity(CHUNK, reader), line: Vec::new(), max }
    }

    /// Returns the next line, or `None` at the end. Text before the end without a terminator is no line.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        self.line.shrink_to(KEPT);
        // With its terminator.
        let most = self.max as u64 + 1;
        (&mut self.reader).take(most).read_until(b'\n', &mut self.line).await?;
        Ok(match self.line.pop_if(|last| *last == b'\n') {
            Some(_) => Some(std::str::from_utf8(&self.line).map_or(Line::NotUtf8, Line::Text)),
            None if self.line.len() > self.max => Some(Line::TooLong),
            None => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_come_one_by_one_and_a_cut_one_never() {
        let mut lines = Lines::new(&b"one\n\n\xff\ntwo"[..], 10);
        assert_eq!(lines.next().await.unwrap(), Some(Line::Text("one")));
        assert_eq!(lines.next().await.unwrap(), Some(Line::Text("")));
        assert_eq!(lines.next().await.unwrap(), Some(Line::NotUtf8));
        assert_eq!(lines.next().await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_not_kept() {
        let mut lines = Lines::new(&b"0123456789\n01234567890\n"[..], 10);
        assert_eq!(lines.next().await.unwrap(), Some(Line::Text("0123456789")));
        assert_eq!(lines.next().await.unwrap(), Some(Line::TooLong));
    }
}
