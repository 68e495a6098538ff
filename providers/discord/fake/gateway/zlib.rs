//! `compress=zlib-stream`: <https://docs.discord.com/developers/events/gateway#zlib-stream>.
//!
//! One zlib stream (RFC 1950) over the whole connection, flushed after each frame. It consists of stored blocks (RFC
//! 1951, section 3.2.4), which clients read like compressed ones.

/// The stream of one connection.
#[derive(Default)]
pub(super) struct Stream {
    begun: bool,
}

impl Stream {
    /// Returns a frame as the next part of the stream. It ends with the flush that clients wait for.
    pub(super) fn part(&mut self, frame: &str) -> Vec<u8> {
        let mut part = Vec::with_capacity(frame.len() + 16);
        if !std::mem::replace(&mut self.begun, true) {
            part.extend([0x78, 0x01]);
        }
        for block in frame.as_bytes().chunks(usize::from(u16::MAX)).chain([[].as_slice()]) {
            let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
            part.push(0);
            part.extend(length.to_le_bytes());
            part.extend((!length).to_le_bytes());
            part.extend(block);
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_part_has_a_header_and_each_ends_with_a_flush() {
        let mut stream = Stream::default();
        let first = stream.part("hi");
        assert_eq!(first, [0x78, 1, 0, 2, 0, 0xfd, 0xff, b'h', b'i', 0, 0, 0, 0xff, 0xff]);
        let second = stream.part(&"x".repeat(70_000));
        assert_eq!(second.len(), 70_000 + 3 * 5);
        assert!(second.ends_with(&[0, 0, 0xff, 0xff]));
    }
}
